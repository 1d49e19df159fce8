import AuthCore
import AuthTesting
import BuiltInProviders
import Testing
import TestSupport

/// Google in memory, as the provider uses it.
struct GoogleFixture {
  static let keysURL = "https://www.googleapis.com/oauth2/v3/certs"
  static let tokenURL = "https://oauth2.googleapis.com/token"
  static let tokenInfoURL = "https://oauth2.googleapis.com/tokeninfo"
  static let userInfoURL = "https://openidconnect.googleapis.com/v1/userinfo"
  static let revocationURL = "https://oauth2.googleapis.com/revoke"

  let vendor: ScriptedVendor
  let provider: DeclaredProvider

  static func settings(_ more: [String: JSONValue] = [:]) -> ProviderSettings {
    ProviderSettings(
      .google, ["clientIDs": ["web.example", "ios.example"]].merging(more) { _, new in new },
      secrets: ["clientSecret": "the client's secret"])
  }

  /// Claims of a token for the first client.
  static func claims(_ changes: [String: JSONValue?] = [:]) -> JSONValue {
    var claims: [String: JSONValue] = [
      "iss": "https://accounts.google.com", "aud": "web.example", "sub": "1122",
      "iat": .integer(momentSeconds - 10), "exp": .integer(momentSeconds + 3600),
      "email": "ada@example.com", "email_verified": true, "name": "Ada Lovelace",
      "picture": "https://photos.example/ada",
    ]
    for (name, value) in changes { claims[name] = value }
    return .object(claims)
  }

  static let tokenInfo: [String: JSONValue] = [
    "aud": "web.example", "azp": "web.example", "sub": "1122", "expires_in": "3599",
    "email": "ada@example.com", "email_verified": "true", "scope": "openid email profile",
  ]
  static let userInfo: [String: JSONValue] = [
    "sub": "1122", "email": "ada@example.com", "email_verified": true, "name": "Ada Lovelace",
    "picture": "https://photos.example/ada",
  ]

  init(
    tokenInfo: HTTPResponse = .json(.object(tokenInfo)),
    userInfo: HTTPResponse = .json(.object(userInfo)),
    tokens: JSONValue = [:]
  ) {
    vendor = ScriptedVendor([
      Self.keysURL: { _ in .json(SampleKey.rsa.keySet) },
      Self.tokenInfoURL: { _ in tokenInfo },
      Self.userInfoURL: { _ in userInfo },
      Self.tokenURL: { _ in .json(tokens) },
      Self.revocationURL: { _ in .json([:]) },
    ])
    provider = DeclaredProvider(
      .google,
      transport: vendor, keys: KeyCache(transport: vendor, clock: { moment }))
  }

  func verify(
    idToken claims: JSONValue, nonce: String? = nil, key: SampleKey = .rsa,
    settings: ProviderSettings = settings()
  ) async throws -> VerifiedIdentity {
    try await provider.verify("idToken", fields(claims, nonce, key), settings)
  }

  func refusal(
    idToken claims: JSONValue, nonce: String? = nil, key: SampleKey = .rsa,
    settings: ProviderSettings = settings()
  ) async throws -> AuthError {
    try await provider.refusal("idToken", fields(claims, nonce, key), settings)
  }

  private func fields(_ claims: JSONValue, _ nonce: String?, _ key: SampleKey) -> [String: String] {
    var fields = ["idToken": key.sign(claims)]
    fields["nonce"] = nonce
    return fields
  }
}
