import AuthCore
import Testing
import TestSupport

@testable import LuaPlugins

/// Vendors that confirm an address by something else than true.
@Suite struct `Listed values that verify an address` {
  let home = PluginHome()

  private func plugin(_ verified: String) throws -> any LuaProvider {
    try home.provider(
      """
      return provider {
        id = "test.example", name = "Test", kind = "oauth2", hosts = { "api.test.example" },
        userinfo = "https://api.test.example/me",
        app = { "https://api.test.example/app", clientID = "client" },
        identity = { subject = "id", email = "email", emailVerified = \(verified) },
      }
      """)
  }

  private func isVerified(_ word: JSONValue?, by mapping: String) async throws -> Bool {
    var me: [String: JSONValue] = ["id": "1", "email": "ada@example.com"]
    me["edov"] = word
    home.vendor.answer("GET https://api.test.example/me", json: .object(me))
    home.vendor.answer("GET https://api.test.example/app", json: ["client": "client-1"])
    return try await home.verify(
      plugin(mapping), "accessToken", ["accessToken": "at"], settings: ["clientID": "client-1"]
    ).emailVerified
  }

  private static let words: [TableRow<JSONValue?, Bool>] = [
    TableRow("true", true, true), TableRow("1", 1, true), TableRow("text 1", "1", true),
    TableRow("text yes", "yes", false), TableRow("text true", "true", false),
    TableRow("text TRUE", "TRUE", false), TableRow("2", 2, false),
    TableRow("1.5", .number(1.5), false),
    TableRow("false", false, false), TableRow("0", 0, false), TableRow("null", .null, false),
    TableRow("nothing", nil, false), TableRow("a list", [true], false),
    TableRow("an object", ["1": true], false), TableRow("text with a blank", "1 ", false),
  ]

  @Test(arguments: words)
  func `attack 5: only a listed value verifies the address`(
    _ row: TableRow<JSONValue?, Bool>
  ) async throws {
    let mapping = #"{ "edov", is = { true, 1, "1" } }"#

    #expect(try await isVerified(row.input, by: mapping) == row.expected)
  }

  @Test func `attack 5: true verifies nothing unless it is listed`() async throws {
    #expect(try await isVerified(true, by: #"{ "edov", is = { "yes" } }"#) == false)
    #expect(try await isVerified("yes", by: #"{ "edov", is = { "yes" } }"#))
  }

  @Test(arguments: [
    #"{ "edov", is = {} }"#, #"{ "edov", is = true }"#, #"{ "edov", is = { false } }"#,
    #"{ "edov", is = { 0 } }"#, #"{ "edov", is = { "" } }"#, #"{ "edov", is = { "No" } }"#,
    #"{ "edov", is = { {} } }"#, #"{ "edov", is = { 1.5 } }"#, #"{ is = { true } }"#,
    #"{ "edov", "other", is = { true } }"#, #"{ "edov", are = { true } }"#,
    #"{ "e d o v", is = { true } }"#,
  ])
  func `a list of other values is refused with the file`(_ mapping: String) {
    let error = #expect(throws: AuthError.self) { try plugin(mapping) }

    #expect(error?.code == .invalidPlugin)
    #expect(error?.field?.hasPrefix("identity.emailVerified") == true)
  }

  @Test func `no other field has listed values`() {
    #expect(throws: AuthError.self) {
      try home.provider(
        """
        return provider {
          id = "test.example", name = "Test", kind = "oauth2", hosts = { "api.test.example" },
          userinfo = "https://api.test.example/me",
          app = { "https://api.test.example/app", clientID = "client" },
          identity = { subject = { "id", is = { "1" } } },
        }
        """)
    }
  }
}
