import AuthCore
import Testing
import TestSupport

@testable import LuaPlugins

/// Paths that choose an element of a list by its members.
@Suite struct `Conditions in paths` {
  let home = PluginHome()

  private static let answer: JSONValue = [
    "emails": [
      "ada@old.example", .null, ["email": "text@example.com", "primary": "true"],
      ["email": "one@example.com", "primary": 1],
      ["email": "spare@example.com", "primary": false, "type": "home", "rank": 2],
      ["email": "ada@example.com", "primary": true, "type": "work", "rank": -1],
      ["email": "later@example.com", "primary": true, "type": "work"],
    ],
    "emails2": ["primary": true, "email": "object@example.com"],
  ]

  private static let paths: [(String, JSONValue?)] = [
    ("emails[primary=true].email", "ada@example.com"),
    ("emails[primary=false].email", "spare@example.com"),
    ("emails[primary=\"true\"].email", "text@example.com"),
    ("emails[primary=1].email", "one@example.com"),
    ("emails[type='work'].email", "ada@example.com"),
    ("emails[type = \"home\" , primary = false].email", "spare@example.com"),
    ("emails[rank=-1].email", "ada@example.com"), ("emails[rank=2,primary=true].email", nil),
    ("emails[type=\"school\"].email", nil), ("emails[missing=true]", nil),
    ("emails2[primary=true].email", nil), ("emails[primary=true].phone", nil),
    ("nothing[primary=true].email", nil),
  ]

  @Test func `the first element that meets all conditions counts, by type and content`() {
    for (path, value) in Self.paths {
      #expect(PluginPath(path)?.value(in: Self.answer) == value, "\(path)")
    }
  }

  @Test func `a list that is the whole answer is chosen from as well`() {
    let list: JSONValue = [["primary": false], ["primary": true, "email": "ada@example.com"]]

    #expect(PluginPath("[primary=true].email")?.value(in: list) == "ada@example.com")
    #expect(PluginPath("[verified=true].email")?.value(in: list) == nil)
  }

  @Test(arguments: [
    "emails[]", "emails[primary]", "emails[primary=]", "emails[primary=yes]", "emails[=true]",
    "emails[primary=true", "emails[primary=true,]", "emails[a=\"b]", "emails[a=1.5]",
    "emails[primary==true]", "emails[a=nil]", "emails[a=1]b",
    "emails[a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1]",
  ])
  func `a malformed condition is no path`(_ path: String) { #expect(PluginPath(path) == nil) }

  @Test func `a script picks with the same conditions`() async throws {
    home.vendor.answer("GET https://api.test.example/emails", json: Self.answer)
    let identity = try await home.verify(
      """
      local answer = http.get("https://api.test.example/emails"):json()
      assert(pick(answer, "emails[rank=2,primary=true]") == nil)
      assert(pick(answer.emails, "[type='home'].email") == "spare@example.com")
      assert(pick(answer, "emails2[primary=true]") == nil)
      return identity { subject = "7", email = pick(answer, "emails[primary=true].email") }
      """)

    #expect(identity.profile.email == "ada@example.com")
  }

  @Test func `attack: a list of many elements does not run longer than the budget`() async {
    let error = await expectError(.pluginFailed) {
      try await home.verify(
        """
        local list = {}
        for i = 1, 5000 do list[i] = { a = i } end
        while true do pick(list, "[a=0]") end
        """)
    }

    #expect(home.log.text.contains("stopped"), "\(String(describing: error))")
  }

  @Test func `attack: the verification of another address is found by the check`() {
    func findings(_ verified: String) -> [PluginFinding] {
      PluginCheck.findings(
        in: PluginSource(
          name: "test.lua",
          text: """
            return provider {
              id = "test.example", name = "Test", kind = "oauth2", hosts = { "api.test.example" },
              documentation = "https://api.test.example/docs",
              userinfo = "https://api.test.example/me",
              app = { "https://api.test.example/app", clientID = "client" },
              identity = {
                subject = "id", email = "emails[primary=true].email",
                emailVerified = "\(verified)",
              },
            }
            """))
    }

    #expect(findings("emails[primary=true].verified") == [])
    #expect(findings("emails[verified=true].verified").map(\.code) == ["verified-of-another"])
    #expect(findings("emails[1].verified").first?.line == 8)
  }

  @Test func `the answer that lacks an element is explained`() throws {
    let shortfall = try #require(PathShortfall(of: "emails[rank=7].email", in: Self.answer))

    #expect(shortfall.reached == "emails")
    #expect(shortfall.unmet == "rank=7")
    #expect(PathShortfall(of: "emails[primary=true].email", in: Self.answer) == nil)
    #expect(PathShortfall(of: "emails[primary=true].phone", in: Self.answer)?.missing == "phone")
  }
}
