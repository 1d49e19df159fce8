import AuthCore
import AuthTesting
import BuiltInProviders
import Testing
import TestSupport

/// Apple in memory, as the provider uses it.
struct AppleFixture {
  static let keysURL = "https://appleid.apple.com/auth/keys"
  static let tokenURL = "https://appleid.apple.com/auth/token"
  static let revocationURL = "https://appleid.apple.com/auth/revoke"
  static let subject = "001122.abc.0304"

  let vendor: ScriptedVendor
  let provider: DeclaredProvider

  static func settings(_ more: [String: JSONValue] = [:]) -> ProviderSettings {
    ProviderSettings(
      .apple,
      [
        "clientIDs": ["com.example.app", "com.example.web"], "serviceID": "com.example.web",
        "teamID": "TEAM123456", "keyID": "KEY1234567",
      ].merging(more) { _, new in new },
      secrets: ["privateKey": SampleKey.p256.privatePEM])
  }

  static func claims(_ changes: [String: JSONValue?] = [:]) -> JSONValue {
    var claims: [String: JSONValue] = [
      "iss": "https://appleid.apple.com", "aud": "com.example.app", "sub": .string(subject),
      "iat": .integer(momentSeconds - 10), "exp": .integer(momentSeconds + 600),
      "nonce": .string("raw-nonce-51c7".sha256Hex), "email": "ada@example.com",
      "email_verified": "true",
    ]
    for (name, value) in changes { claims[name] = value }
    return .object(claims)
  }

  init(idToken: JSONValue? = nil) {
    var tokens: [String: JSONValue] = [
      "access_token": "apple-access", "token_type": "Bearer", "refresh_token": "apple-refresh",
      "expires_in": 3600,
    ]
    tokens["id_token"] = idToken.map { .string(SampleKey.rsa.sign($0)) }
    let answer = JSONValue.object(tokens)
    vendor = ScriptedVendor([
      Self.keysURL: { _ in .json(SampleKey.rsa.keySet) },
      Self.tokenURL: { _ in .json(answer) },
      Self.revocationURL: { _ in HTTPResponse(status: 200) },
    ])
    provider = DeclaredProvider(
      .apple,
      transport: vendor, keys: KeyCache(transport: vendor, clock: { moment }))
  }

  func verify(
    _ changes: [String: JSONValue?] = [:], fullName: String? = nil
  ) async throws -> VerifiedIdentity {
    var fields = ["idToken": SampleKey.rsa.sign(Self.claims(changes)), "nonce": "raw-nonce-51c7"]
    fields["fullName"] = fullName
    return try await provider.verify("idToken", fields, Self.settings())
  }

  func refusal(_ changes: [String: JSONValue?]) async throws -> AuthError {
    try await provider.refusal(
      "idToken", ["idToken": SampleKey.rsa.sign(Self.claims(changes)), "nonce": "raw-nonce-51c7"],
      Self.settings())
  }
}
