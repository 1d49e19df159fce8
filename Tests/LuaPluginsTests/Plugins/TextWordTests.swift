import AuthCore
import Testing
import TestSupport

@testable import LuaPlugins

/// Names that a vendor gives in parts, or not at all.
@Suite struct `The word text` {
  let home = PluginHome()

  private func plugin(_ identity: String) throws -> any LuaProvider {
    try home.provider(
      """
      return provider {
        id = "test.example", name = "Test", kind = "oauth2", hosts = { "api.test.example" },
        userinfo = "https://api.test.example/me",
        app = { "https://api.test.example/app", clientID = "client" },
        identity = { subject = "id", \(identity) },
      }
      """)
  }

  private func verify(
    _ identity: String, _ me: [String: JSONValue]
  ) async throws -> IdentityProfile {
    home.vendor.answer(
      "GET https://api.test.example/me", json: .object(me.merging(["id": "1"]) { $1 }))
    home.vendor.answer("GET https://api.test.example/app", json: ["client": "client-1"])
    return try await home.verify(
      plugin(identity), "accessToken", ["accessToken": "at"], settings: ["clientID": "client-1"]
    ).profile
  }

  /// A vendor's answer, and the name of the person.
  typealias Named = TableRow<[String: JSONValue], String?>

  private static let answers = [
    Named("every name", ["name": "Ada L.", "first": "Ada", "last": "Lovelace"], "Ada L."),
    Named("an empty name", ["name": "", "first": "Ada", "last": "Lovelace"], "Ada Lovelace"),
    Named("blanks", ["name": "  ", "first": " Ada", "last": "Lovelace "], "Ada Lovelace"),
    Named("null", ["name": .null, "first": "Ada"], "Ada"),
    Named("an empty part", ["last": "Lovelace", "first": ""], "Lovelace"),
    Named("parts that are no texts", ["first": 7, "last": ["x"], "login": "ada"], "ada"),
    Named("a blank alone", ["login": " "], nil), Named("nothing", [:], nil),
  ]

  @Test(arguments: answers)
  func `P10: a mapping joins the values that exist, or else takes the next`(
    _ row: Named
  ) async throws {
    let mapping = #"displayName = { "name", text("first", "last"), "login" }"#

    #expect(try await verify(mapping, row.input).displayName == row.expected)
  }

  @Test func `P10: one text alone is a mapping too, with paths of any depth`() async throws {
    let profile = try await verify(
      #"displayName = text("person.names[1]", '["family.name"]'), screenName = text("login")"#,
      ["person": ["names": ["Ada"]], "family.name": "Lovelace", "login": "ada"])

    #expect(profile.displayName == "Ada Lovelace" && profile.screenName == "ada")
  }

  @Test func `P10: a function joins with it, and a local of that name goes first`() async throws {
    home.vendor.answer(
      "GET https://api.test.example/me", json: ["id": 1, "first": "Ada", "last": "Lovelace"])
    let joined = try await home.verify(
      """
      local me = http.get("https://api.test.example/me"):json()
      assert(text(me, "missing", "deeper.still") == nil and text(nil, "first") == nil)
      return identity { subject = me.id, displayName = text(me, "first", "last") }
      """)
    let old = try await home.verify(
      """
      local me = http.get("https://api.test.example/me"):json()
      return identity { subject = me.id, displayName = text(me.first) }
      """, preamble: "local function text(value) return value .. '!' end")

    #expect(joined.profile.displayName == "Ada Lovelace")
    #expect(old.profile.displayName == "Ada!")
  }

  @Test(arguments: [
    #"email = text("first", "last")"#, #"emailVerified = text("a", "b")"#,
    #"photoURL = { "picture", text("a", "b") }"#, #"displayName = text()"#,
    #"displayName = { "name", text("no path!") }"#, #"displayName = { text("a"), 7 }"#,
    #"displayName = text("a","b","c","d","e","f","g","h","i")"#,
  ])
  func `P10: joined texts are names, and nothing else`(_ mapping: String) {
    #expect(throws: AuthError.self) { try plugin(mapping) }
  }

  @Test func `P10: a joined text is no subject`() {
    #expect(throws: AuthError.self) {
      try home.provider(
        """
        return provider {
          id = "test.example", name = "Test", kind = "oauth2", hosts = { "api.test.example" },
          userinfo = "https://api.test.example/me",
          app = { "https://api.test.example/app", clientID = "client" },
          identity = { subject = text("first", "last") },
        }
        """)
    }
  }
}
