import AuthCore
import AuthTesting
import FakeVendors
import LuaPlugins
import Testing
import TestSupport

/// `jwt.verify`, `once` and `app`, for plug-ins that rely on them.
@Suite struct `Tokens in the hands of a script` {
  let vendor = ScriptedVendor()
  let clock = FixedClock()
  let key = SigningKey.p256(keyID: "key-1")

  private let declared = """
    tokens = {
      login = { issuer = "https://api.test.example", keys = "https://api.test.example/keys",
        audience = "the-client", algorithms = { "ES256" } },
      logout = { issuer = "https://api.test.example/out", keys = "https://api.test.example/keys",
        audience = "the-client", algorithms = { "ES256" } },
    },
    """

  private func home(_ body: String) throws -> PluginGraph {
    vendor.answer("GET https://api.test.example/keys", json: ["keys": [key.jwk]])
    return try PluginGraph(script(body, declaring: declared), transport: vendor, clock: clock)
  }

  private func token(_ changes: [String: JSONValue] = [:]) throws -> String {
    let now = clock.now.milliseconds / 1000
    let claims: [String: JSONValue] = [
      "iss": "https://api.test.example", "aud": "the-client", "sub": "7", "iat": .integer(now),
      "exp": .integer(now + 3600),
    ]
    return try key.jws(
      .object(claims.merging(changes) { _, new in new }.filter { $0.value != .null }))
  }

  @Test(arguments: [
    "jwt.verify('other', credential.token)", "jwt.verify(credential.token)",
    "jwt.verify({ issuer = 'https://evil.example' }, credential.token)",
    "jwt.verify('login', credential.token, { issuer = 'https://evil.example' })",
    "jwt.verify('login', credential.token, { algorithms = { 'none' } })",
    "jwt.verify('login', credential.token, { audience = 'other' })",
    "jwt.verify('login', credential.token, { skipSignature = true })",
    "jwt.decode(credential.token)", "jwt.verify()",
  ])
  func `attack 16: a script cannot verify by other rules than it declares`(
    _ call: String
  ) async throws {
    let home = try home("return identity { subject = \(call).sub }")

    let error = await expectError {
      try await home.signIn("test.example", ["token": token(["iss": "https://evil.example"])])
    }

    #expect(error?.code == .pluginFailed)
    #expect(vendor.requests.isEmpty)
  }

  @Test func `attack 17: a token of one kind is not one of another`() async throws {
    let home = try home("return identity { subject = jwt.verify('logout', credential.token).sub }")

    let error = await expectError { try await home.signIn("test.example", ["token": token()]) }

    #expect(error?.code == .invalidCredential && error?.step == .token)
  }

  @Test func `attack 18: a token that a script verified does not sign in a second time`()
    async throws
  {
    let home = try home("return identity { subject = jwt.verify('login', credential.token).sub }")
    let token = try token()
    _ = try await home.signIn("test.example", ["token": token])

    let error = await expectError { try await home.signIn("test.example", ["token": token]) }

    #expect(error?.code == .invalidCredential && error?.step == .token)
  }

  @Test func `attack 18: a token stays used if the script hides that it verified it`()
    async throws
  {
    let home = try home(
      """
      local ok, claims = pcall(jwt.verify, 'login', credential.token)
      return identity { subject = ok and claims.sub or '0' }
      """)
    let token = try token()
    let first = try await home.signIn("test.example", ["token": token])

    let error = await expectError { try await home.signIn("test.example", ["token": token]) }

    #expect(first.account.identities.map(\.key.subject) == ["7"])
    #expect(error?.code == .invalidCredential)
  }

  @Test func `attack 18: a one-time value is used up with its sign-in, for its plug-in`()
    async throws
  {
    let body = "once('answer', 300) return identity { subject = '7' }"
    let home = try PluginGraph(
      script(body), script(body, id: "other.example"), transport: vendor, clock: clock)
    _ = try await home.signIn("test.example", ["token": "t"])

    let again = await expectError { try await home.signIn("test.example", ["token": "t"]) }
    _ = try await home.signIn("other.example", ["token": "t"])

    #expect(again?.code == .invalidCredential)
    #expect(try await home.accountCount() == 2)
  }

  @Test func `attack 14: no access token is taken without a way to check its app`() throws {
    let home = try PluginGraph(plain(""), transport: vendor)
    let provider = try home.graph.providers.provider(ProviderID("plain.example"))

    #expect(provider.manifest.builders.map(\.name) == ["authorizationCode"])
  }

  @Test(arguments: [
    "return 'another-client'", "return nil", "return ''", "return true", "return {}",
    "return 'the-client '", "return 'THE-CLIENT'", "return { 'the-client' }",
    "return http.get('https://api.plain.example/app', { bearer = accessToken }):json().id",
  ])
  func `attack 14: an access token of another client is refused, for each way to name the app`(
    _ body: String
  ) async throws {
    vendor.answer("GET https://api.plain.example/app", json: ["id": "another-client"])
    vendor.answer("GET https://api.plain.example/me", json: ["id": "7"])
    let home = try PluginGraph(
      plain("app = function(accessToken, http, settings) \(body) end,"), transport: vendor)
    try await home.configure("plain.example", ["clientID": "the-client"])

    let error = await expectError { try await home.signIn("plain.example", ["accessToken": "t"]) }

    #expect(error?.code == .invalidCredential && error?.step == .token)
    #expect(!vendor.requests.contains { $0.url.hasSuffix("/me") })
    #expect(try await home.accountCount() == 0)
  }

  private func plain(_ app: String) -> String {
    """
    return provider {
      id = "plain.example", name = "Plain", kind = "oauth2", hosts = { "api.plain.example" },
      authorize = "https://api.plain.example/authorize", token = "https://api.plain.example/token",
      userinfo = "https://api.plain.example/me", identity = { subject = "id" }, \(app)
    }
    """
  }
}
