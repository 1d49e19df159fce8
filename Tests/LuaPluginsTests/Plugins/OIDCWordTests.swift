import AuthCore
import AuthTesting
import FakeVendors
import LuaPlugins
import Testing
import TestSupport

/// The words `nonce`, `userinfo`, `issuer` and `keyIssuer` of kind oidc.
@Suite struct `Words of OpenID Connect` {
  let plugin = VendorPlugin()
  let key = SigningKey.p256(keyID: "key-1")

  private func provider(_ words: String, issuer: String = "\"https://id.test.example\"") throws
    -> any LuaProvider
  {
    plugin.vendor.answer("GET \(VendorPlugin.api)/keys", json: ["keys": [key.jwk]])
    return try plugin.home.provider(
      """
      return provider {
        id = "test.example", name = "Test", kind = "oidc", hosts = { "api.test.example" },
        settings = { tenants = setting.list "the tenants" },
        issuer = \(issuer), keys = "\(VendorPlugin.api)/keys", algorithms = { "ES256" },
        authorize = "\(VendorPlugin.api)/authorize", token = "\(VendorPlugin.api)/token",
        discovery = false, \(words)
      }
      """)
  }

  private func token(_ changes: [String: JSONValue?] = [:]) throws -> String {
    let now = plugin.home.clock.now.milliseconds / 1000
    var claims: [String: JSONValue] = [
      "iss": "https://id.test.example", "sub": "7", "aud": "the-client", "iat": .integer(now),
      "exp": .integer(now + 3600), "email": "ada@example.com", "email_verified": true,
      "name": "Ada",
    ]
    for (name, value) in changes { claims[name] = value }
    return try key.jws(.object(claims))
  }

  private func answer(_ idToken: String) {
    plugin.vendor.answer(
      "POST \(VendorPlugin.api)/token",
      json: ["access_token": "at-1", "id_token": .string(idToken)])
  }

  @Test func `a vendor that does not repeat the nonce is sent none`() async throws {
    let without = try provider("nonce = false,")
    let usual = try provider("")
    answer(try token())

    let identity = try await plugin.signIn(without)
    let refused = await expectError { _ = try await plugin.signIn(usual) }

    #expect(identity.key?.subject == "7")
    #expect(!identity.uses.isEmpty)
    #expect(refused?.code == .missingOrInvalidNonce)
    #expect(try await plugin.query(without)["nonce"] == nil)
    #expect(try await plugin.query(usual)["nonce"] == "n-1")
  }

  @Test(arguments: ["n-1", "another"])
  func `attack 18: a token of another request has a nonce and is refused`(
    nonce: String
  ) async throws {
    let provider = try provider("nonce = false,")
    answer(try token(["nonce": .string(nonce)]))

    await expectError(.missingOrInvalidNonce) { _ = try await plugin.signIn(provider) }
  }

  @Test func `userinfo can be asked always`() async throws {
    let me = VendorPlugin.api + "/me"
    plugin.vendor.answer("GET \(me)", json: ["sub": "7", "picture": "https://test.example/ada"])
    let always = try provider("nonce = false, userinfo = { \"\(me)\", always = true },")
    let usual = try provider("nonce = false, userinfo = \"\(me)\",")
    answer(try token())

    let identity = try await plugin.signIn(always)
    #expect(plugin.vendor.requests(to: me).count == 1)
    _ = try await plugin.signIn(usual)

    #expect(identity.profile.photoURL == "https://test.example/ada")
    #expect(plugin.vendor.requests(to: me).count == 1)
  }

  private static let tenants = #"{ "https://id.test.example/{tenants}/v2", any = "tid" }"#

  private func tenantToken(_ issuer: String, tid: JSONValue?) throws -> String {
    try token(["iss": .string("https://id.test.example/\(issuer)/v2"), "tid": tid])
  }

  @Test func `an admin can accept any issuer, which is bound to the token's own claim`()
    async throws
  {
    let provider = try provider("nonce = false,", issuer: Self.tenants)
    var keys: [IdentityKey?] = []
    for tenant in ["red", "blue"] {
      answer(try tenantToken(tenant, tid: .string(tenant)))
      keys.append(try await plugin.signIn(provider, ["tenants": ["any"]]).key)
    }

    // Equal subjects of two tenants are two people.
    #expect(keys.map { $0?.subject } == ["7", "7"])
    #expect(
      keys.map { $0?.issuer } == [
        "https://id.test.example/red/v2", "https://id.test.example/blue/v2",
      ])
    let issuer = try await provider.callbackIssuer(plugin.context(provider, ["tenants": ["any"]]))
    #expect(issuer == CallbackIssuer(nil, isRequired: false))
  }

  @Test(arguments: ["blue", nil, "", "red/v2?", "../red", 1] as [JSONValue?])
  func `attack 7: an issuer that the claim does not name is refused`(tid: JSONValue?) async throws {
    let provider = try provider("nonce = false,", issuer: Self.tenants)
    answer(try tenantToken("red", tid: tid))

    await expectError(.invalidCredential) {
      _ = try await plugin.signIn(provider, ["tenants": ["any"]])
    }
  }

  @Test func `attack 7: without any, only the tenants of the list may sign in`() async throws {
    let provider = try provider("nonce = false,", issuer: Self.tenants)
    answer(try tenantToken("blue", tid: "blue"))

    let error = await expectError(.invalidCredential) {
      _ = try await plugin.signIn(provider, ["tenants": ["red"]])
    }

    #expect(error?.field == "iss")
  }

  @Test(
    arguments: [
      (#"keyIssuer = "tenant","#, nil), ("nonce = true,", nil),
      ("", #"{ "https://id.test.example", any = "tid" }"#), ("", #"{ any = "tid" }"#),
      ("", #"{ "https://id.test.example/{tenants}", every = "tid" }"#),
    ] as [(String, String?)])
  func `a rule without meaning is refused when the file is read`(
    words: String, issuer: String?
  ) {
    let error = #expect(throws: AuthError.self) {
      try provider(words, issuer: issuer ?? "\"https://id.test.example\"")
    }

    #expect(error?.code == .invalidPlugin)
  }

  @Test func `the key's issuer can be compared`() async throws {
    let provider = try provider("nonce = false, keyIssuer = \"token\",")
    answer(try token())

    #expect(try await plugin.signIn(provider).key?.subject == "7")
  }
}
