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

/// The authorization code flow of a vendor.
package struct BrowserRule: Sendable {
  package var authorize: URLTemplate?
  package var token: URLTemplate?
  package var scopes: @Sendable (any ProviderSession) -> [String] = { _ in [] }
  package var scopeSeparator = " "
  /// The vendor's own parameters, which a request cannot change.
  package var parameters: [String: URLTemplate] = [:]
  /// Parameters that a request can change.
  package var defaults: @Sendable (any ProviderSession) -> [(name: String, value: String)] = { _ in
    []
  }
  package var hasPKCE = true
  package var request = TokenRequestTemplate()
  /// The address and form of renewals; nil for those of `token` and `request`.
  package var refresh: (url: URLTemplate, request: TokenRequestTemplate)?
  /// Makes the address in the vendor's own way, in place of the fields above.
  package var address: (@Sendable (AuthorizationGrant, any ProviderSession) async throws -> String)?
  /// Takes optional fields of the credential from a callback.
  package var optional: @Sendable ([String: String]) -> [String: String?] = { _ in [:] }
  /// Takes all fields of the credential from a callback; nil for the code and the optional fields.
  package var callback: (@Sendable ([String: String]) throws(AuthError) -> [String: String])?

  package init(
    authorize: URLTemplate? = nil, token: URLTemplate? = nil, scopes: [String] = []
  ) {
    self.authorize = authorize
    self.token = token
    self.scopes = { _ in scopes }
  }
}

/// The form of token requests, with settings in it.
package struct TokenRequestTemplate: Sendable {
  package var form = TokenRequest()
  package var fields: [String: URLTemplate] = [:]
  package var headers: [String: URLTemplate] = [:]

  package init() {}

  func filled(_ session: any ProviderSession) throws -> TokenRequest {
    var request = form
    request.fields = Dictionary(try session.filled(fields), uniquingKeysWith: { $1 })
    request.headers = Dictionary(try session.filled(headers), uniquingKeysWith: { $1 })
    return request
  }
}

/// The ID tokens of a vendor.
package struct IDTokenRule: Sendable {
  /// The name of the builder that takes one.
  package var builder = "idToken"
  /// The address of the keys; nil for that of the settings or the discovery document.
  package var keys: URLTemplate?
  /// The requirements of a token under the settings.
  package var declaration: @Sendable (VendorToken, any ProviderSession) throws -> IDTokenDeclaration
  /// False for a vendor whose ID tokens do not repeat the nonce of an authorization request.
  package var repeatsNonce = true
  /// The issuer in the identity's key; empty if all subjects are of one issuer.
  package var keyIssuer: @Sendable (_ issuer: String, any ProviderSession) throws -> String = {
    _, _ in ""
  }
  /// Tells whether claims lack what userinfo may add.
  package var isThin: @Sendable (JSONValue) -> Bool = { IDTokenClaims.isThin($0) }

  package init(
    keys: URLTemplate?,
    _ declaration:
      @escaping @Sendable (VendorToken, any ProviderSession) throws
      -> IDTokenDeclaration
  ) {
    self.keys = keys
    self.declaration = declaration
  }
}

/// An ID token that is not verified yet.
package struct VendorToken: Sendable {
  package let text: String
  /// True if it came from the vendor for a code or a refresh token.
  package let isExchanged: Bool
  /// The vendor's keys.
  package let keys: KeySource
  package let document: DiscoveryDocument?

  package init(
    text: String, isExchanged: Bool, keys: KeySource, document: DiscoveryDocument? = nil
  ) {
    self.text = text
    self.isExchanged = isExchanged
    self.keys = keys
    self.document = document
  }
}

/// The discovery document of a vendor, which supplies the endpoints that are not declared.
package struct DiscoveryRule: Sendable {
  package let issuer: @Sendable (any ProviderSession) throws -> String
  /// True if it is read for the userinfo endpoint alone.
  package var isReadForUserInfo = false

  package init(_ issuer: @escaping @Sendable (any ProviderSession) throws -> String) {
    self.issuer = issuer
  }
}

/// The userinfo endpoint of a vendor.
package struct UserInfoRule: Sendable {
  /// The request; nil for the endpoint of the settings or the discovery document.
  package var request: RequestTemplate?
  /// True for an endpoint of OpenID Connect Core 5.3 with its own errors.
  package var isStandard = false
  package var asks = Asking.never
  /// The name of the endpoint in the settings.
  package var endpoint = "userInfo"
  /// The values of names in the request that are no settings.
  package var values: @Sendable (Secret<String>, any ProviderSession) throws -> [String: String] = {
    _, _ in [:]
  }

  /// The ID tokens for which it is asked.
  package enum Asking: Sendable {
    case always, never
    /// Those that lack the address, its verification or the name.
    case ifThin
  }
}

/// The revocation of tokens at a vendor.
package enum Revocation: Sendable {
  /// RFC 7009, at this address or that of the discovery document.
  case standard(URLTemplate?)
  /// A request with each token of the grant; `isRefresh` is true for a refresh token.
  case each(@Sendable (Secret<String>, _ isRefresh: Bool, any ProviderSession) async throws -> Void)
  /// The vendor's own way, for a code too.
  case function(@Sendable (RevocationToken, any ProviderSession) async throws -> Void)

  /// A request that revokes with any status from 200 to 299.
  package static func request(_ template: RequestTemplate) -> Revocation {
    .each { token, _, session in
      let request = try session.request(template, at: "revocation", with: token)
      let exchange = VendorExchange(transport: session.network, step: .exchange)
      let response = try await exchange.send(request)
      guard !(200..<300).contains(response.status) else { return }
      throw OAuthAnswer(exchange: exchange, request: request, secrets: []).refusal(
        "refuses to revoke the token (HTTP \(response.status))", "token")
    }
  }

  /// A request with an access token that the vendor confirms with a true member; there are no refresh tokens.
  static func confirmed(
    by member: String, _ template: RequestTemplate, at endpoint: String,
    values: @escaping @Sendable (Secret<String>, any ProviderSession) throws -> [String: String]
  ) -> Revocation {
    .each { token, isRefresh, session in
      guard !isRefresh else {
        throw AuthError(
          .operationNotAllowed, "The vendor has no refresh tokens.", field: "refreshToken",
          remedy: "Revoke an access token.", step: .token)
      }
      let answer = try await session.ask(
        template, at: endpoint, with: token, filling: try values(token, session), step: .token)
      guard answer[member] == true else {
        throw AuthError(
          .networkRequestFailed, "The vendor did not confirm that the grant is gone.",
          remedy: "Try again.", step: .token)
      }
    }
  }
}

/// The renewal of identities with refresh tokens.
package enum Renewal: Sendable {
  case standard
  case function(@Sendable (Secret<String>, any ProviderSession) async throws -> VerifiedIdentity)
}

/// The check that an access token was issued to our app; returns its subject, if the vendor names it.
///
/// Another app's token describes the person just as well, and that app's operator knows it.
package struct AppCheck: Sendable {
  package let subject: @Sendable (Secret<String>, any ProviderSession) async throws -> String?
  /// True if tokens that came for a code are checked too.
  package var includesCodes = false

  package init(
    _ subject: @escaping @Sendable (Secret<String>, any ProviderSession) async throws -> String?
  ) { self.subject = subject }
}
