package import AuthCore

/// The declaration of a provider, as a value that ``DeclaredProvider`` executes.
///
/// A provider in Swift is one such value in one file. A plug-in in Lua is read into one, with closures that call its
/// functions. What is not declared, the provider cannot do.
package struct ProviderDeclaration: Sendable {
  package var id: ProviderID
  package var manifest: ProviderManifest
  /// The client in a request of the given use.
  package var client: ClientRule?
  /// The browser's way to the vendor, and the exchange of codes.
  package var browser: BrowserRule?
  /// The ID tokens that are accepted; nil if the vendor has none.
  package var idToken: IDTokenRule?
  package var discovery: DiscoveryRule?
  /// The check that an access token belongs to our app; without it, only codes give access tokens.
  package var app: AppCheck?
  package var userInfo = UserInfoRule()
  /// Makes the identity of a vendor's answer; by default from the standard claims (OpenID Connect Core 5.1).
  package var identity:
    @Sendable (VendorAnswer, any ProviderSession) async throws -> VerifiedIdentity
  /// The issuer that callbacks may name; nil for any.
  package var callbackIssuer: @Sendable (any ProviderSession) throws -> String? = { _ in nil }
  package var revocation: Revocation?
  /// Renews an identity in the vendor's own way, in place of a refresh token's exchange.
  package var renewal: Renewal?
  /// The events that the vendor reports; nil if it reports none.
  package var events: EventRule?
  /// Verifies every credential in the vendor's own way, in place of the rules above.
  package var verify:
    (@Sendable (Credential, any ProviderSession) async throws -> VerifiedIdentity)?
  /// Checks settings that would fail only at a sign-in.
  package var check: @Sendable (ProviderSettings) throws -> Void = { _ in }
  /// The values of names in templates that are no settings.
  package var values: @Sendable (ProviderSettings) throws -> [String: String] = { _ in [:] }

  package init(_ id: ProviderID, _ manifest: ProviderManifest) {
    self.id = id
    self.manifest = manifest
    identity = { answer, _ in try answer.standardIdentity(id) }
  }

  package typealias ClientRule =
    @Sendable (ClientUse, any ProviderSession, DiscoveryDocument?) throws -> Client
  package typealias Client = (id: String, authentication: ClientAuthentication)
}

/// The use of a client's ID and secret.
package enum ClientUse: Sendable {
  case authorize, exchange, revoke
  /// The exchange of a code that an app on a device got, without a redirect URI.
  case exchangeOfDevice
}
