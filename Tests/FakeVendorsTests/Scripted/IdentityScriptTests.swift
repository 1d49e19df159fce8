import AuthCore
import FakeVendors
import Testing

@Suite struct IdentityScriptTests {
  struct Mistake: CustomTestStringConvertible {
    let text: String
    let field: String
    let words: String

    var testDescription: String { text }
  }

  static let mistakes = [
    Mistake(text: "{\n\"people\": [}", field: "script", words: "line 2"),
    Mistake(text: "{", field: "script", words: "--example"),
    Mistake(text: "[]", field: "script", words: "{ … }"),
    Mistake(text: #"{ "peple": [] }"#, field: "peple", words: "people"),
    Mistake(text: #"{ "algorithm": "RS265" }"#, field: "algorithm", words: "RS256"),
    Mistake(text: #"{ "algorithm": 5 }"#, field: "algorithm", words: "a number"),
    Mistake(text: #"{ "requiresPKCE": "yes" }"#, field: "requiresPKCE", words: "true or false"),
    Mistake(text: #"{ "people": {} }"#, field: "people", words: "a list"),
    Mistake(text: #"{ "people": [] }"#, field: "people", words: "at least one"),
    Mistake(text: #"{ "people": [{}] }"#, field: "people[0].subject", words: "missing"),
    Mistake(
      text: #"{ "people": [{ "subject": "" }] }"#, field: "people[0].subject", words: "empty"),
    Mistake(
      text: #"{ "people": [{ "subject": "1", "emial": "a@b.example" }] }"#,
      field: "people[0].emial", words: "\"email\""),
    Mistake(
      text: #"{ "people": [{ "subject": "1", "email": "a@b.example", "emailVerified": "true" }] }"#,
      field: "people[0].emailVerified", words: "true or false"),
    Mistake(
      text: #"{ "people": [{ "subject": "1", "emailVerified": true }] }"#, field: "people[0]",
      words: "email"),
    Mistake(
      text: #"{ "people": [{ "subject": "1" }, { "subject": "1" }] }"#, field: "people[1]",
      words: "second"),
    Mistake(
      text: #"{ "people": [{ "subject": "1", "claims": [] }] }"#, field: "people[0].claims",
      words: "a list"),
    Mistake(text: #"{ "clients": [{ "secret": "s" }] }"#, field: "clients[0].id", words: "missing"),
    Mistake(
      text: #"{ "clients": [{ "id": "a", "redirectURIs": "x" }] }"#,
      field: "clients[0].redirectURIs", words: "a list"),
    Mistake(
      text: #"{ "clients": [{ "id": "a", "redirectURIs": ["back"] }] }"#,
      field: "clients[0].redirectURIs[0]", words: "URL"),
    Mistake(text: #"{ "hostile": ["algoritm-none"] }"#, field: "hostile", words: "algorithm-none"),
    Mistake(text: #"{ "hostile": "expired" }"#, field: "hostile", words: "a list"),
    Mistake(text: #"{ "routes": { "/me": {} } }"#, field: #"routes["/me"]"#, words: "method"),
    Mistake(
      text: #"{ "routes": { "POST /token": {} } }"#, field: #"routes["POST /token"]"#,
      words: "another path"),
    Mistake(
      text: #"{ "routes": { "GET /me": { "jsn": {} } } }"#, field: #"routes["GET /me"].jsn"#,
      words: "json"),
    Mistake(
      text: #"{ "routes": { "GET /me": { "status": 99 } } }"#, field: #"routes["GET /me"]"#,
      words: "200 to 599"),
    Mistake(
      text: #"{ "routes": { "GET /me": { "status": 204, "json": {} } } }"#,
      field: #"routes["GET /me"]"#, words: "204"),
    Mistake(
      text: #"{ "routes": { "GET /me": { "json": ["{nmae}"] } } }"#, field: #"routes["GET /me"]"#,
      words: "\"name\""),
    Mistake(
      text: #"{ "routes": { "GET /me": { "headers": { "A b": "c" } } } }"#,
      field: #"routes["GET /me"].headers["A b"]"#, words: "header"),
    Mistake(
      text: #"{ "routes": { "GET /me": { "headers": { "A": "b\r\nC: d" } } } }"#,
      field: #"routes["GET /me"].headers["A"]"#, words: "header"),
  ]

  @Test(arguments: mistakes)
  func `a mistake is named with its file, its place and what to write`(
    _ mistake: Mistake
  ) throws {
    let error = try #require(throws: AuthError.self) {
      try IdentityScript(text: mistake.text, source: "staff.json")
    }

    #expect(error.code == .invalidArgument)
    #expect(error.field == mistake.field)
    #expect(error.message.hasPrefix("staff.json"))
    #expect("\(error)".contains(mistake.words), "\(error)")
  }

  @Test func `the example is a script that uses every field`() throws {
    let script = try IdentityScript(text: IdentityScript.exampleText)

    #expect(script.algorithm == .es256)
    #expect(script.requiresPKCE)
    #expect(script.people.map(\.subject) == ["1001", "1002"])
    #expect(script.people[1].emailVerified == false)
    #expect(script.people[0].claims["username"] == "ada")
    #expect(script.clients.map(\.secret) == ["for-development-only", nil])
    #expect(script.hostile.names == ["answers-429@/api/teams"])
    #expect(
      script.routes.map(\.name) == ["GET /api/teams", "GET /api/users/@me", "POST /api/logout"])
  }

  @Test func `an empty script has people and an app`() throws {
    let script = try IdentityScript(text: "{}")

    #expect(script.people.map(\.email) == ["ada@example.com", "bo@example.com", "ada@example.com"])
    #expect(script.people.map(\.emailVerified) == [true, true, false])
    #expect(script.clients == [.idp])
    #expect(script.hostile == .honest)
  }
}
