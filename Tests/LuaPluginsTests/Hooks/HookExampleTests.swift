import AuthCore
import Foundation
import LuaPlugins
import Testing

@Suite struct `Examples of a hook file` {
  private static let house = """
    return hooks {
      before_link = function(event)
        if event.identity.claims.hd == "corp.example" then return require "second factor" end
        if event.session and event.time - event.session.signedInAt > 120000 then
          return require("recent login", { seconds = 120 })
        end
        if event.identity.providerID == "facebook.com" then
          return refuse("not with Facebook", { code = "no-facebook" })
        end
        return allow { fill = { "displayName" } }
      end,
      before_merge = function(event)
        if event.other.customClaims and event.other.customClaims.role == "admin" then
          return require "approval"
        end
      end,
      on_conflict = function(event)
        if event.proof.both then return merge() end
        return ask()
      end,
      examples = { EXAMPLES },
    }
    """

  private func results(_ examples: String) throws -> [PolicyExampleResult] {
    try LuaChangeHook.runExamples(
      of: PolicySource(
        name: "house.lua", text: Self.house.replacing("EXAMPLES", with: examples)))
  }

  @Test(arguments: [
    #"event = "before_link", expect = { fill = { "displayName" } }"#,
    #"event = "before_link", expect = "allow""#,
    #"event = "before_link", identity = { providerID = "facebook.com" }, expect = { refuse = "Facebook" }"#,
    #"event = "before_link", identity = { claims = { hd = "corp.example" } }, expect = { require = "second factor" }"#,
    #"event = "before_link", now = "2026-05-01", session = { signedInAt = "2026-04-30" }, expect = { require = "recent login" }"#,
    #"event = "before_link", caller = "admin", expect = "allow""#,
    #"event = "before_merge", other = { customClaims = { role = "admin" } }, expect = { require = "approval" }"#,
    #"event = "before_merge", other = {}, expect = "allow""#,
    #"event = "on_conflict", proof = { existing = true }, expect = "merge""#,
    #"event = "on_conflict", expect = "ask""#,
  ])
  func `pass if the answer is the expected one`(example: String) throws {
    let result = try #require(try results("{ \(example) }").first)
    #expect(result.passed, "\(result.failure ?? "")")
    #expect(result.answer != nil && result.name == "example 1")
  }

  @Test(arguments: [
    (#"event = "before_link", expect = { refuse = true }"#, "allowed instead of refuse"),
    (#"event = "on_conflict", expect = "merge""#, "asked instead of merge"),
    (
      #"event = "before_link", identity = { providerID = "facebook.com" }, expect = "allow""#,
      "refused: not with Facebook"
    ),
    (
      #"event = "before_merge", other = { customClaims = { role = "admin" } }, expect = { require = "second factor" }"#,
      "required an admin's approval, not second factor"
    ),
    (#"event = "before_merge", expect = "allow""#, "house.lua:"),
    (#"event = "before_undo", expect = "allow""#, "the file has no before_undo"),
    (#"event = "before_lnk", expect = "allow""#, "Did you mean \"before_link\"?"),
    (#"event = "before_link""#, "the example expects nothing"),
    (#"event = "before_link", expect = {}"#, "the example expects nothing"),
    (#"event = "before_link", expect = "alow""#, "Did you mean \"allow\"?"),
    (#"event = "before_link", expect = { require = "aproval" }"#, "Did you mean \"approval\"?"),
    (#"event = "before_link", expect = { refuse = "a", fill = {} }"#, "more than one answer"),
    (#"event = "before_link", acount = {}, expect = "allow""#, "Did you mean \"account\"?"),
    (
      #"event = "before_link", identity = { mail = "a" }, expect = "allow""#,
      "identity has no \"mail\""
    ),
    (
      #"event = "before_link", account = { emailVerified = true }, expect = "allow""#,
      "account has emailVerified without an email"
    ),
    (#"event = "before_link", caller = "boss", expect = "allow""#, "an example.caller is \"boss\""),
    (#"event = "before_link", now = "today", expect = "allow""#, "an example.now is no time"),
  ])
  func `fail with the difference, or with their own mistake`(
    example: String, problem: String
  ) throws {
    let result = try #require(try results("{ \(example) }").first)
    #expect(result.failure?.contains(problem) == true, "\(result.failure ?? "it passed")")
  }

  @Test func `of the article on blocking functions pass`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let article = try String(
      contentsOf: root.appending(
        path: "Sources/AuthServer/AuthServer.docc/BlockingFunctions.md"), encoding: .utf8)
    let snippets = article.components(separatedBy: "```lua\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
    #expect(snippets.count == 2)
    var examples = 0
    for text in snippets {
      let results = try LuaChangeHook.runExamples(of: PolicySource(name: "a.lua", text: text))
      for result in results { #expect(result.passed, "\(result.failure ?? "")") }
      examples += results.count
    }
    #expect(examples == 6)
  }

  @Test func `are a list of tables`() {
    for examples in ["7", "\"a\"", "a = 1"] {
      #expect(throws: AuthError.self, "\(examples)") { try results(examples) }
    }
  }

  @Test func `refuse a file by the first that fails`() throws {
    let source = PolicySource(
      name: "house.lua",
      text: Self.house.replacing(
        "EXAMPLES",
        with: #"{ name = "a stranger", event = "before_link", expect = { refuse = true } }"#))
    let results = try LuaChangeHook.runExamples(of: source)
    let error = #expect(throws: AuthError.self) {
      try PolicyExampleResult.requireAll(results, of: source)
    }
    #expect(error?.code == .invalidPolicy && error?.message.contains("a stranger") == true)
    #expect(error?.remedy?.contains("hooks.test \"house.lua\"") == true)
  }
}
