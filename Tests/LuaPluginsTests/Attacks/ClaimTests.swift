import AuthCore
import BuiltInProviders
import FakeVendors
import LuaPlugins
import Testing
import TestSupport

/// The claims that a plug-in may make about a person, and their effect.
@Suite struct `A plug-in that says too much` {
  let vendor = ScriptedVendor()

  /// Returns the person that the credential names, with a verified address.
  private let forger = script(
    """
    return identity {
      subject = hash.sha256("x"):sub(1, 8), email = "ada@example.com", emailVerified = true,
    }
    """)

  @Test func `attack 33: claims a verified address without an admin's trust and links nothing`()
    async throws
  {
    let home = try PluginGraph(forger, transport: vendor)
    let victim = try await home.owner(of: "ada@example.com")

    let error = await expectError { try await home.signIn("test.example", ["token": "t"]) }

    #expect(error?.code == .accountExistsWithDifferentCredential)
    #expect(try await home.account(victim.id) == victim)
    #expect(try await home.accountCount() == 1)

    // Only the trust was missing.
    try await home.trust("test.example")
    let linked = try await home.signIn("test.example", ["token": "t"])
    #expect(linked.account.id == victim.id)
  }

  @Test func `attack 33: makes no new account's address verified without an admin's trust`()
    async throws
  {
    let home = try PluginGraph(forger, transport: vendor)

    let account = try await home.signIn("test.example", ["token": "t"]).account

    #expect(!account.emailVerified)
    #expect(account.identities.map(\.emailVerified) == [true])
  }

  @Test(arguments: [
    "'true'", "1", "{}", "'yes'", "0", "false", "nil",
    "setmetatable({}, { __eq = function() return true end })",
  ])
  func `attack 5: only the value true verifies an address`(_ value: String) async throws {
    let home = try PluginGraph(
      script(
        "return identity { subject = '7', email = 'ada@example.com', emailVerified = \(value) }"),
      transport: vendor)
    try await home.trust("test.example")
    let victim = try await home.owner(of: "ada@example.com")

    let error = await expectError { try await home.signIn("test.example", ["token": "t"]) }

    #expect(error?.code == .accountExistsWithDifferentCredential)
    #expect(try await home.account(victim.id) == victim)
  }

  @Test(arguments: [#""true""#, "1", #""yes""#, #""1""#, "{}", "[true]", "null", "false"])
  func `attack 5: a vendor's word counts only if it is the JSON value true`(
    _ word: String
  ) async throws {
    let text = """
      return provider {
        id = "plain.example", name = "Plain", kind = "oauth2", hosts = { "api.plain.example" },
        userinfo = "https://api.plain.example/me",
        app = { "https://api.plain.example/app", clientID = "id" },
        identity = { subject = "id", email = "email", emailVerified = "verified" },
      }
      """
    let home = try PluginGraph(text, transport: vendor)
    vendor.answer("GET https://api.plain.example/app", json: ["id": "the-client"])
    vendor.answer("GET https://api.plain.example/me") { _ in
      HTTPResponse(
        status: 200,
        body: Array(#"{"id":"7","email":"ada@example.com","verified":\#(word)}"#.utf8))
    }
    try await home.configure("plain.example", ["clientID": "the-client"])
    try await home.trust("plain.example")
    let victim = try await home.owner(of: "ada@example.com")

    let error = await expectError { try await home.signIn("plain.example", ["accessToken": "t"]) }

    #expect(error?.code == .accountExistsWithDifferentCredential)
    #expect(try await home.account(victim.id) == victim)
  }

  @Test(arguments: ["ada@example.com", "ADA@EXAMPLE.COM", "Ada@Example.com"])
  func `attack 21: gives the address as the subject and is refused`(
    _ subject: String
  ) async throws {
    let home = try PluginGraph(
      script("return identity { subject = '\(subject)', email = 'ada@example.com' }"),
      transport: vendor)

    let error = await expectError { try await home.signIn("test.example", ["token": "t"]) }

    #expect(error?.code == .invalidCredential)
    #expect(error?.field == "subject" && error?.step == .profile)
    #expect(try await home.accountCount() == 0)
  }

  @Test(arguments: [
    "return identity { subject = '7', provider = 'google.com' }",
    "return identity { subject = '7', providerID = 'google.com' }",
    "return identity { subject = '7', issuer = 'https://accounts.google.com' }",
    "return identity { subject = '7', uid = 'u1' }",
    "return identity { subject = '7', key = { provider = 'google.com', subject = '7' } }",
    "return { subject = '7', provider = 'google.com' }",
    "return setmetatable({}, { __name = 'identity', __index = function() return '7' end })",
    "local i = identity { subject = '7' } i.provider = 'google.com' return i",
    "local i = identity { subject = '7' } i.emailVerified = true return i",
    "return 'identity'", "return true", "return nil", "return http", "return settings",
  ])
  func `attack 33: cannot speak for another provider or issuer`(_ body: String) async throws {
    let home = try PluginGraph(script(body), transport: vendor)

    let error = await expectError { try await home.signIn("test.example", ["token": "t"]) }

    #expect(error?.code == .pluginFailed, "\(body)")
    #expect(try await home.accountCount() == 0)
  }

  @Test func `attack 33: that names a subject of another provider opens an account of its own`()
    async throws
  {
    let google = FakeProvider(id: .google)
    let claims = """
      return identity {
        subject = "110169484474386276334",
        claims = { iss = "https://accounts.google.com", firebase = { sign_in_provider = "google.com" } },
      }
      """
    let other = script(claims, id: "other.example")
    let home = try PluginGraph(script(claims), other, transport: vendor, beside: [google])
    let owner = try await home.signIn(
      "google.com", ["subject": "110169484474386276334"])

    let first = try await home.signIn("test.example", ["token": "t"]).account
    let second = try await home.signIn("other.example", ["token": "t"]).account

    #expect(Set([owner.account.id, first.id, second.id]).count == 3)
    #expect(
      first.identities.map(\.key) == [
        IdentityKey(ProviderID("test.example"), subject: "110169484474386276334")
      ])
  }

  @Test(arguments: [
    "google.com", "facebook.com", "apple.com", "password", "phone", "emailLink", "anonymous",
    "custom", "gc.apple.com", "playgames.google.com", "oidc.evil", "oidc.", "saml.evil",
  ])
  func `attack 33: cannot be loaded under the ID of a built-in provider`(_ id: String) throws {
    let plugins = PluginSet(host: PluginHost(transport: vendor))

    let error = #expect(throws: AuthError.self) {
      try plugins.load(PluginSource(name: "forger.lua", text: script("return nil", id: id)))
    }

    #expect(error?.code == .invalidPlugin && error?.field == "id")
    #expect(plugins.ids.isEmpty)
  }

  @Test func `attack 33: every built-in provider's ID is kept from plug-ins`() {
    let builtIn = ProviderRegistry.builtIn(transport: vendor)

    #expect(Set(builtIn.ids) == ProviderRegistry.reservedIDs)
    #expect(builtIn.prefixes.allSatisfy { ProviderRegistry.isReserved(ProviderID("\($0)x")) })
  }
}
