import AuthCore
import AuthTesting
import LuaPlugins
import Testing
import TestSupport

/// Every function of a plug-in, hostile in turn.
@Suite(.serialized) struct `Every function of a plug-in` {
  let vendor = ScriptedVendor()

  private func home(_ declaring: String) async throws -> PluginGraph {
    vendor.answer("GET https://api.plain.example:8443/me", json: ["id": "7", "name": "Ada"])
    vendor.answer("GET https://api.plain.example/app", json: ["id": "the-client"])
    let home = try PluginGraph(
      """
      return provider {
        id = "plain.example", name = "Plain", kind = "oauth2", hosts = { "api.plain.example" },
        userinfo = "https://api.plain.example:8443/me", \(declaring)
      }
      """, transport: vendor)
    try await home.configure("plain.example", ["clientID": "the-client"])
    return home
  }

  private static let app = "app = { 'https://api.plain.example/app', clientID = 'id' },"

  static let places = [
    "app = function() BODY end, identity = { subject = 'id' }",
    "\(app) profile = function(profile) BODY end, identity = { subject = 'id' }",
    "\(app) identity = { subject = function() BODY end }",
    "\(app) identity = { subject = 'id', displayName = function() BODY end }",
    "\(app) identity = { subject = 'id', emailVerified = function() BODY end }",
  ]

  @Test(arguments: places, ["while true do end", "while true do pcall(error, 'x') end"])
  func `attack 32: is stopped if it does not end`(_ place: String, _ body: String) async throws {
    let home = try await home(place.replacing("BODY", with: body))
    let began = ContinuousClock.now

    let error = await expectError { try await home.signIn("plain.example", ["accessToken": "t"]) }

    #expect(error?.code == .pluginFailed)
    #expect(try await home.accountCount() == 0)
    #expect(home.log.text.contains("stopped"))
    // A guard against hanging.
    #expect(ContinuousClock.now - began < .seconds(60))
  }

  @Test func `attack 32: is stopped while it makes a browser's address`() async throws {
    let home = try PluginGraph(
      """
      return provider {
        id = "test.example", name = "Test",
        credentials = { authorizationCode = { code = field.secret "the code" } },
        authorize = function() while true do end end,
        verify = function() return identity { subject = "7" } end,
      }
      """, transport: vendor)

    let error = await expectError {
      try await home.graph.beginAuthorization(
        ProviderID("test.example"), redirectURI: "https://shop.example/back", session: "browser",
        by: Caller(scope: Scope(project: "shop"), authority: .anyone))
    }

    #expect(error?.code == .pluginFailed)
  }

  @Test(arguments: [
    "return true", "return { 7 }", "return 7.5", "return 9007199254740993", "return ''",
    "return nil", "return 'a\\0b'", "return ('x'):rep(256)", "return pick", "error('x')",
    "return identity { subject = '7' }", "return json.null",
  ])
  func `attack 21: gives no subject that is none`(_ body: String) async throws {
    let home = try await home("\(Self.app) identity = { subject = function() \(body) end }")

    let error = await expectError { try await home.signIn("plain.example", ["accessToken": "t"]) }

    #expect([.invalidCredential, .pluginFailed].contains(error?.code))
    #expect(try await home.accountCount() == 0)
  }

  @Test(arguments: ["api.plain.example:8444", "other.example:8443"])
  func `attack 29: asks no other port of a host than the declaration does`(
    _ host: String
  ) async throws {
    let home = try await home(
      """
      \(Self.app) identity = { subject = "id" },
      profile = function(profile, http)
        pcall(http.get, "https://\(host)/me")
        return profile
      end,
      """)

    let error = await expectError { try await home.signIn("plain.example", ["accessToken": "t"]) }

    #expect(error?.code == .pluginFailed)
    #expect(
      vendor.requests.map(\.url) == [
        "https://api.plain.example/app", "https://api.plain.example:8443/me",
      ])
  }
}
