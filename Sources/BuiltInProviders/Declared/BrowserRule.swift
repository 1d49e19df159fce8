package import AuthCore

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
  /// The name of the flag setting that decides on PKCE; `hasPKCE` is its value if it is not set.
  package var pkceSetting: String?
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

  /// Tells whether requests have the parameters of PKCE under the settings.
  func usesPKCE(_ session: any ProviderSession) -> Bool {
    pkceSetting.flatMap { session.settings.flag($0) } ?? hasPKCE
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
