import AuthCore
import AuthTesting
import BuiltInProviders
import Testing
import TestSupport

/// Facebook in memory, as the provider uses it.
struct FacebookFixture {
  static let debugURL = "https://graph.facebook.com/v24.0/debug_token"
  static let meURL = "https://graph.facebook.com/v24.0/me"
  static let tokenURL = "https://graph.facebook.com/v24.0/oauth/access_token"
  static let permissionsURL = "https://graph.facebook.com/v24.0/me/permissions"
  static let keysURL = "https://limited.facebook.com/.well-known/oauth/openid/jwks/"

  static let debug: [String: JSONValue] = [
    "app_id": "4711", "type": "USER", "is_valid": true, "user_id": "99", "expires_at": 0,
    "scopes": ["public_profile", "email"],
  ]
  static let me: [String: JSONValue] = [
    "id": "99", "name": "Ada Lovelace", "email": "ada@example.com",
    "picture": ["data": ["url": "https://photos.example/ada"]],
  ]

  let vendor: ScriptedVendor
  let provider: DeclaredProvider

  static func settings(_ more: [String: JSONValue] = [:]) -> ProviderSettings {
    ProviderSettings(
      ProviderID("facebook.com"), ["appID": "4711"].merging(more) { _, new in new },
      secrets: ["appSecret": "the app's secret"])
  }

  /// Claims of a Limited Login token.
  static func claims(_ changes: [String: JSONValue?] = [:]) -> JSONValue {
    var claims: [String: JSONValue] = [
      "iss": "https://www.facebook.com", "aud": "4711", "sub": "99", "nonce": "raw-nonce-51c7",
      "iat": .integer(momentSeconds - 10), "exp": .integer(momentSeconds + 3600),
      "email": "ada@example.com", "name": "Ada Lovelace",
    ]
    for (name, value) in changes { claims[name] = value }
    return .object(claims)
  }

  init(
    debug: [String: JSONValue?] = [:], me: [String: JSONValue?] = [:],
    idToken: JSONValue? = nil
  ) {
    var debugged = Self.debug
    for (name, value) in debug { debugged[name] = value }
    var profile = Self.me
    for (name, value) in me { profile[name] = value }
    var tokens: [String: JSONValue] = ["access_token": "EAAB", "token_type": "bearer"]
    tokens["id_token"] = idToken.map { .string(SampleKey.rsa.sign($0)) }
    let answers = (
      debug: JSONValue.object(["data": .object(debugged)]), me: JSONValue.object(profile),
      tokens: JSONValue.object(tokens)
    )
    vendor = ScriptedVendor([
      Self.debugURL: { _ in .json(answers.debug) }, Self.meURL: { _ in .json(answers.me) },
      Self.tokenURL: { _ in .json(answers.tokens) },
      Self.keysURL: { _ in .json(SampleKey.rsa.keySet) },
      Self.permissionsURL: { _ in .json(["success": true]) },
    ])
    provider = DeclaredProvider(
      .facebook,
      transport: vendor, keys: KeyCache(transport: vendor, clock: { moment }))
  }
}
