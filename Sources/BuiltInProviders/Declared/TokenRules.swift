package import AuthCore

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
