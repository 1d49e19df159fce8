import AuthCore
import AuthTesting
import BuiltInProviders
import Testing
import TestSupport

/// An OpenID provider in memory, as `oidc.work` uses it.
struct OIDCFixture {
  static let issuer = "https://id.example/realms/work"
  static let discoveryURL = issuer + "/.well-known/openid-configuration"
  static let keysURL = issuer + "/keys"
  static let tokenURL = issuer + "/token"
  static let userInfoURL = issuer + "/userinfo"
  static let revocationURL = issuer + "/revoke"

  let vendor: ScriptedVendor
  let provider: any AuthProvider

  static func settings(
    _ more: [String: JSONValue] = [:], secret: String? = "the client's secret"
  ) -> ProviderSettings {
    ProviderSettings(
      ProviderID("oidc.work"),
      ["issuer": .string(issuer), "clientID": "authgraph"].merging(more) { _, new in new },
      secrets: secret.map { ["clientSecret": $0] } ?? [:])
  }

  static func claims(_ changes: [String: JSONValue?] = [:]) -> JSONValue {
    var claims: [String: JSONValue] = [
      "iss": .string(issuer), "aud": "authgraph", "sub": "u-1",
      "iat": .integer(momentSeconds - 10), "exp": .integer(momentSeconds + 600),
      "email": "ada@example.com", "email_verified": true, "name": "Ada Lovelace",
    ]
    for (name, value) in changes { claims[name] = value }
    return .object(claims)
  }

  static func document(_ changes: [String: JSONValue?] = [:]) -> JSONValue {
    var members: [String: JSONValue] = [
      "issuer": .string(issuer), "jwks_uri": .string(keysURL),
      "authorization_endpoint": .string(issuer + "/authorize"),
      "token_endpoint": .string(tokenURL), "userinfo_endpoint": .string(userInfoURL),
      "revocation_endpoint": .string(revocationURL),
      "authorization_response_iss_parameter_supported": true,
      "code_challenge_methods_supported": ["S256"],
      "response_types_supported": ["code"], "subject_types_supported": ["public"],
      "id_token_signing_alg_values_supported": ["none", "HS256", "ES256", "RS256"],
    ]
    for (name, value) in changes { members[name] = value }
    return .object(members)
  }

  init(
    document: JSONValue = document(), userInfo: JSONValue = [:], idToken: JSONValue? = nil,
    keys: SampleKey = .p256
  ) {
    var tokens: [String: JSONValue] = [
      "access_token": "at-1", "token_type": "Bearer", "refresh_token": "rt-1",
    ]
    tokens["id_token"] = idToken.map { .string(keys.sign($0)) }
    let answer = JSONValue.object(tokens)
    vendor = ScriptedVendor([
      Self.discoveryURL: { _ in .json(document) },
      Self.keysURL: { _ in .json(keys.keySet) },
      "https://keys.example/other": { _ in .json(keys.keySet) },
      Self.tokenURL: { _ in .json(answer) },
      Self.userInfoURL: { _ in .json(userInfo) },
      Self.revocationURL: { _ in HTTPResponse(status: 200) },
    ])
    let family = OIDCFamily(
      transport: vendor, keys: KeyCache(transport: vendor, clock: { moment }),
      discovery: DiscoveryCache(transport: vendor, clock: { moment }))
    provider = family.provider(ProviderID("oidc.work"))
  }

  func fields(
    _ changes: [String: JSONValue?] = [:], key: SampleKey = .p256, _ more: [String: String] = [:]
  ) -> [String: String] {
    more.merging(["idToken": key.sign(Self.claims(changes))]) { a, _ in a }
  }
}
