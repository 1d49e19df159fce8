import AuthCore
import BuiltInProviders
import FakeVendors
import HTTPClientTransport
import TestSupport

extension ProviderHome {
  /// Gets a refresh token of a vendor for a person, as a sign-in of the app itself would.
  func refreshToken(of vendor: Vendor, for person: FakePerson) async throws -> Secret<String> {
    let transport = HTTPClientTransport()
    let client = OAuthClient(
      transport: transport, endpoints: try appEndpoints(of: vendor), clientID: FakeClient.web.id,
      authentication: .body(Secret(try appSecret(for: vendor))))
    let grant = AuthorizationGrant(
      state: "state", nonce: "nonce-of-the-app-\(next())",
      codeVerifier: Secret("verifier-of-the-app-0123456789-0123456789-0123456789"),
      redirectURI: Self.redirectURI)
    let url = client.authorizationURL(
      grant, scopes: ["openid", "email"],
      parameters: [("access_type", "offline"), ("response_mode", "form_post")]
        .filter { vendor == .google ? $0.0 == "access_type" : $0.0 == "response_mode" })
    let code = try await vendors[vendor].authorize(url, as: person).code.unwrapped("code")
    let tokens = try await client.exchange(
      code: code, redirectURI: grant.redirectURI, codeVerifier: grant.codeVerifier.reveal())
    try await transport.shutdown()
    return try tokens.refreshToken.unwrapped("refresh token of \(vendor)")
  }

  private func appSecret(for vendor: Vendor) throws -> String {
    vendor == .apple ? try vendors.apple.clientSecret() : FakeClient.web.secret ?? ""
  }

  private func appEndpoints(of vendor: Vendor) throws -> OAuthEndpoints {
    let (authorize, token) =
      switch vendor {
      case .google: (vendors.google.authorizationURL, vendors.google.tokenURL)
      case .facebook: (vendors.facebook.authorizationURL, vendors.facebook.tokenURL)
      case .apple: (vendors.apple.authorizationURL, vendors.apple.tokenURL)
      case .oidc: (vendors.oidc.authorizationURL, vendors.oidc.tokenURL)
      case .acme: (vendors.acme.authorizationURL, vendors.acme.tokenURL)
      case .script: (vendors.script.authorizationURL, vendors.script.tokenURL)
      case .plain: (vendors.plain.authorizationURL, vendors.plain.tokenURL)
      }
    return OAuthEndpoints(
      authorize: authorize, token: token, privateHosts: [vendors[vendor].server.host])
  }
}
