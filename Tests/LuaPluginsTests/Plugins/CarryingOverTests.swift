import AuthCore
import AuthTesting
@testable import LuaPlugins
import Testing

/// No data of one sign-in is visible in the next.
@Suite struct CarryingOverTests {
  let home = PluginHome()

  /// A plug-in whose first sign-in changes everything within its reach, and whose next one checks.
  private func plugin(_ spoil: String, _ look: String) throws -> any LuaProvider {
    try home.provider(
      """
      local seen = 0
      return provider {
        id = "test.example", name = "Test",
        credentials = { token = { token = field.text "the token" } },
        verify = function(credential, http, settings)
          if credential.token == "spoil" then
            \(spoil)
            return identity { subject = "spoilt" }
          end
          return identity { subject = tostring(\(look)) }
        end,
      }
      """)
  }

  /// A read of a name that does not exist, which is an error.
  private static func missing(_ name: String) -> String {
    "pcall(function() return \(name) end) and 1 or nil"
  }

  static let spoilers = [
    ("pcall(rawset, math, 'held', credential)", missing("math.held")),
    ("pcall(rawset, string, 'held', 1)", missing("string.held")),
    ("pcall(rawset, hash, 'equals', function() return true end)", "hash.equals('a', 'b') or nil"),
    ("pcall(rawset, _G or {}, 'held', 1)", missing("held")),
    ("pcall(rawset, coroutine, 'held', 1)", missing("coroutine.held")),
    ("pcall(table.insert, math, 'held')", "math[1]"),
    ("pcall(table.move, { 'held' }, 1, 1, 1, math)", "math[1]"),
    ("pcall(table.sort, math)", "math[1]"),
    ("pcall(function() math.held = 1 end)", missing("math.held")),
    ("pcall(setmetatable, math, {})", "type(getmetatable(math)) == 'table' or nil"),
    ("seen = seen + 1", "seen > 0 or nil"),
    ("pcall(function() getmetatable('').__index.held = 1 end)", "(''):rep(0).held"),
    ("pcall(rawset, settings, 'held', 1)", "settings.held"),
    (
      "pcall(function() field.held = 1 end) pcall(rawset, field, 'held', 1)", missing("field.held")
    ),
    ("provider = nil", "provider == nil or nil"),
  ]

  @Test(arguments: spoilers)
  func `a script's changes in one sign-in are not there in the next`(
    _ spoil: String, _ look: String
  ) async throws {
    let provider = try plugin("pcall(function() \(spoil) end)", look)
    if spoil == "provider = nil" {
      // A global cannot even be written.
      _ = try? await home.verify(provider, "token", ["token": "spoil"])
    }

    for _ in 0..<3 {
      _ = try? await home.verify(provider, "token", ["token": "spoil"])
      let next = try await home.verify(provider, "token", ["token": "look"])
      #expect(next.key?.subject == "nil")
    }
  }

  @Test func `an address is verified only by its own source`() async throws {
    // The suites cover this over a real vendor; here the two sources contradict each other.
    let both = JSONValue.object(["email": "a@a.example"])
    let more = JSONValue.object(["email": "b@b.example", "email_verified": true])
    let nameless = JSONValue.object(["email_verified": true])
    let unproven = JSONValue.object(["email": "b@b.example", "email_verified": false])

    #expect(both.claims(over: more)["email_verified"] == nil)
    #expect(both.claims(over: more)["email"] == "a@a.example")
    #expect(nameless.claims(over: unproven)["email_verified"] == false)
    #expect(nameless.claims(over: more)["email"] == "b@b.example")
  }

  @Test(arguments: [
    "local p = ('a.'):rep(100000) .. 'a' while true do pick({}, p) end",
    "local n = ('x'):rep(20000) while true do pcall(http.get, 'https://api.test.example/a', { [n] = 1 }) end",
    "pcall(http.get, 'https://api.test.example/a', { [('x'):rep(1000000)] = 1 })",
    "local t = {} for i = 1, 1000 do t[i] = ('x'):rep(1000) end while true do pcall(json.encode, t) end",
  ])
  func `attack 32: functions of the host count toward the budget`(_ body: String) async throws {
    let began = ContinuousClock.now

    _ = try? await home.verify(body + " return identity { subject = 1 }")

    // Without the limits these took seconds to minutes.
    #expect(ContinuousClock.now - began < .seconds(2))
  }

  @Test(arguments: [
    "notes = ('x'):rep(10000)",
    "documentation = (function() local t = {} for i = 1, 300 do t[i] = 'https://a.example' end return t end)()",
    "hosts = { ('{a}'):rep(100000) }", "settings = { s = setting.secret { 'x', default = 'y' } }",
    "settings = { s = setting.number { 'x', default = 'y' } }",
    "settings = { s = setting.host { 'x', default = 'a/b@c' } }",
  ])
  func `a declaration has its bounds`(_ field: String) {
    let error = #expect(throws: AuthError.self) {
      try home.provider(
        """
        return provider { id = "a.example", name = "A", \(field),
          credentials = { t = { t = field.text "t" } }, verify = function() end }
        """)
    }
    #expect(error?.code == .invalidPlugin)
  }
}
