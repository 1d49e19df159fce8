import AuthCore
import LuaRuntime
import Testing

@testable import LuaPlugins

@Suite struct `Policies of several files` {
  /// A source of files by name; the first one is the policy.
  private static func source(_ files: (name: String, text: String)...) throws -> PolicySource {
    let texts = Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.text) })
    return try PolicySource(name: "folder/\(files[0].name)", text: files[0].text).bundled {
      name throws(AuthError) in
      guard let text = texts[name] else {
        throw AuthError(.invalidPolicy, "There is no file \(name).")
      }
      return text
    }
  }

  private static func policy(_ decide: String, before: String = "") -> String {
    """
    \(before)
    return policy { name = "main", on = { "credential-already-in-use" }, decide = \(decide) }
    """
  }

  private static func failure(
    _ files: (name: String, text: String)...
  ) throws -> AuthError {
    try #require(throws: AuthError.self) {
      let texts = Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.text) })
      let source = try PolicySource(name: "folder/\(files[0].name)", text: files[0].text).bundled {
        name throws(AuthError) in
        guard let text = texts[name] else {
          throw AuthError(.invalidPolicy, "There is no file \(name).")
        }
        return text
      }
      _ = try LuaMergePolicy(source).decide(PolicyBench.conflict())
    }
  }

  private static let refusing =
    "function(conflict) return refuse(include('shared/why.lua').why) end"

  @Test func `one text has all files, and a policy without includes is its own text`() throws {
    let single = try Self.source(("main.lua", Self.policy("function() return refuse 'no' end")))
    #expect(!single.text.contains("--@file"))
    let source = try Self.source(
      ("main.lua", Self.policy(Self.refusing)), ("shared/why.lua", "return { why = 'shared' }"))
    #expect(source.name == "folder/main.lua")
    let parts = PolicyBundle(source).parts
    #expect(parts.map(\.name) == ["main.lua", "shared/why.lua"])
    #expect(parts[0].text == Self.policy(Self.refusing))
    #expect(parts[1].text == "return { why = 'shared' }")
    // A bundle that is read once more stays as it is.
    let again = try source.bundled { _ throws(AuthError) in throw AuthError(.invalidPolicy, "read")
    }
    #expect(again == source)
    #expect(try LuaMergePolicy(source).decide(PolicyBench.conflict()) == .refuse("shared"))
  }

  @Test func `the policy itself can be replaced, and its files stay`() throws {
    let source = try Self.source(
      ("main.lua", Self.policy(Self.refusing)), ("shared/why.lua", "return { why = 'shared' }"))
    #expect(source.mainText == Self.policy(Self.refusing))
    #expect(source.replacingMain(with: source.mainText) == source)
    let other = source.replacingMain(with: Self.policy("function() return refuse 'other' end"))
    #expect(PolicyBundle(other).parts.last == PolicyBundle(source).parts.last)
    #expect(try LuaMergePolicy(other).decide(PolicyBench.conflict()) == .refuse("other"))
    let single = PolicySource(name: "a.lua", text: "return 1")
    #expect(
      single.mainText == "return 1" && single.replacingMain(with: "return 2").text == "return 2")
  }

  @Test func `a file that two others include is there once`() throws {
    let source = try Self.source(
      ("a.lua", Self.policy("function() return refuse(include 'b.lua' .. include 'c.lua') end")),
      ("b.lua", "return 'b' .. include 'c.lua'"), ("c.lua", "return 'c'"))
    #expect(PolicyBundle(source).parts.map(\.name) == ["a.lua", "b.lua", "c.lua"])
    #expect(try LuaMergePolicy(source).decide(PolicyBench.conflict()) == .refuse("bcc"))
  }

  @Test func `a place is that of the file in which it is`() throws {
    let source = try Self.source(
      ("main.lua", Self.policy("include('no.lua')")),
      ("no.lua", "\n\nreturn function()\n  return refuse 'no'\nend"))
    guard case .refuse(let refusal) = try LuaMergePolicy(source).decide(PolicyBench.conflict())
    else {
      Issue.record("It merged.")
      return
    }
    #expect(refusal.place == "no.lua:4")
    let broken = try Self.failure(
      ("main.lua", Self.policy("include('no.lua')")),
      ("no.lua", "return function(conflict)\n  return conflict.curent\nend"))
    #expect(broken.message.hasPrefix("no.lua:2: a conflict has no \"curent\""), "\(broken)")
    let syntax = try Self.failure(
      ("main.lua", Self.policy("include('no.lua')")), ("no.lua", "\nreturn function("))
    #expect(syntax.message.hasPrefix("no.lua:2: "), "\(syntax)")
    let own = try Self.failure(
      ("main.lua", Self.policy("function(conflict) return conflict.curent end", before: "\n")),
      ("x.lua", ""))
    #expect(own.message.hasPrefix("folder/main.lua:3: "), "\(own)")
  }

  @Test(arguments: [
    ("include(name)", "main.lua:1: include takes the name of a file between quotes"),
    ("include '/etc/passwd'", "is no file below the policy's folder"),
    ("include '../secret.lua'", "is no file below the policy's folder"),
    ("include 'a/../b.lua'", "is no file below the policy's folder"),
    ("include 'a\\nb.lua'", "is no file below the policy's folder"),
    ("include ''", "is no file below the policy's folder"),
    ("include 'none.lua'", "There is no file none.lua."),
    ("include 'main.lua'", "main.lua includes main.lua, which includes main.lua."),
  ])
  func `a name that leads elsewhere is refused`(call: String, problem: String) throws {
    let error = try Self.failure(("main.lua", "local x = \(call) \(Self.policy("x"))"))
    #expect(error.code == .invalidPolicy && error.message.contains(problem), "\(error)")
  }

  @Test func `files in a circle, and a file with the mark, are refused`() throws {
    let circle = try Self.failure(
      ("main.lua", "return include 'b.lua'"), ("b.lua", "return include 'c.lua'"),
      ("c.lua", "return include 'b.lua'"))
    #expect(circle.message == "c.lua includes b.lua, which includes c.lua.")
    let mark = try Self.failure(
      ("main.lua", "return include 'b.lua'"), ("b.lua", "--@file c.lua\nreturn 1"))
    #expect(mark.message.contains("has a line that begins with"))
  }

  @Test func `attack: a stored text whose files include each other ends`() throws {
    let source = PolicySource(
      name: "stored",
      text: """
        --@file main.lua
        return policy { name = "m", on = { "credential-already-in-use" },
          decide = function() return include 'b.lua' end }
        --@file b.lua
        return include 'b.lua'
        """)
    let policy = try LuaMergePolicy(source)
    for _ in 0..<3 {
      let error = try #require(throws: AuthError.self) { try policy.decide(PolicyBench.conflict()) }
      #expect(error.code == .invalidPolicy && error.message.contains("in a circle"), "\(error)")
    }
  }

  @Test func `a field of that name is no include`() throws {
    let source = try Self.source(
      (
        "main.lua",
        "local t = {} function t.include() return 'mine' end "
          + Self.policy("function() return refuse(t.include()) end")
      ))
    #expect(try LuaMergePolicy(source).decide(PolicyBench.conflict()) == .refuse("mine"))
  }

  @Test func `an included policy is not the one that the file declares`() throws {
    let other = """
      return policy { name = "other", on = { "email-already-in-use" },
        decide = function() return refuse "other" end }
      """
    let source = try Self.source(
      ("main.lua", Self.policy("include('other.lua').decide")), ("other.lua", other))
    let policy = try LuaMergePolicy(source)
    #expect(policy.name == "main" && policy.triggers == [.credentialAlreadyInUse])
    for _ in 0..<3 {
      #expect(try policy.decide(PolicyBench.conflict()) == .refuse("other"))
      #expect(try policy.decideAtOnce(PolicyBench.conflict()) == .refuse("other"))
    }
  }
}

@Suite struct `A chain of policies` {
  private static let merges = "function(c) return merge { into = c.existing, from = c.current } end"
  private static let turns = "function(c) return merge { into = c.current, from = c.existing } end"
  private static let refuses = "function() return refuse 'no' end"
  private static let waits = "function() return require 'second factor' end"
  private static let asks = "function() return review 'why' end"
  private static let nothing = "function() end"

  private static func answer(_ rules: [String]) throws -> MergeAnswer {
    try LuaMergePolicy(
      PolicySource(
        name: "chain.lua",
        text: """
          return policy { name = "c", on = { "credential-already-in-use" },
            decide = chain { \(rules.joined(separator: ", ")) } }
          """)
    ).decide(PolicyBench.conflict())
  }

  @Test func `a refusal wins, then a requirement, then a review, and the last merge decides`()
    throws
  {
    #expect(try Self.answer([Self.merges, Self.asks, Self.waits, Self.refuses]) == .refuse("no"))
    #expect(try Self.answer([Self.refuses, Self.waits, Self.asks, Self.merges]) == .refuse("no"))
    #expect(try Self.answer([Self.merges, Self.asks, Self.waits]) == .require(.secondFactor))
    #expect(try Self.answer([Self.asks, Self.nothing, Self.merges]) == .review("why"))
    guard case .merge(let into, _, _) = try Self.answer([Self.merges, Self.turns, Self.nothing])
    else {
      Issue.record("It did not merge.")
      return
    }
    #expect(into == AccountID("current"))
  }

  @Test(arguments: [
    ("chain {}", "chain.lua:2: chain takes a list of policies and functions"),
    ("chain { 7 }", "chain.lua:2: entry 1 of chain is neither a policy nor a function"),
    ("chain { function() return 7 end }", "returned number"),
    ("chain { function() end }", "returned nil"),
  ])
  func `what is no answer is an error`(decide: String, problem: String) throws {
    let error = try #require(throws: AuthError.self) {
      try LuaMergePolicy(
        PolicySource(
          name: "chain.lua",
          text: """
            return policy { name = "c", on = { "credential-already-in-use" },
              decide = \(decide) }
            """)
      ).decide(PolicyBench.conflict())
    }
    #expect(error.message.contains(problem), "\(error)")
  }
}
