import AuthCore
import Foundation
import LuaPlugins
import Testing

@Suite struct `Merge policies in Lua` {
  private static let scope = Scope(project: "test")

  private func account(_ id: String, createdAt: Int64 = 0) -> Account {
    var account = Account(
      id: AccountID(id), scope: Self.scope, createdAt: Timestamp(milliseconds: createdAt))
    account.identities = [
      Identity(
        key: IdentityKey(ProviderID("github.com"), subject: id), origin: .credential,
        linkedAt: account.createdAt)
    ]
    return account
  }

  private func conflict(both: Bool = true) -> MergeConflict {
    MergeConflict(
      code: .credentialAlreadyInUse, current: account("current", createdAt: 2),
      existing: account("existing", createdAt: 1), provider: ProviderID("github.com"),
      proof: MergeProof(current: true, existing: both))
  }

  /// A policy whose `decide` has this body.
  private func policy(_ body: String, before: String = "") throws -> LuaMergePolicy {
    try LuaMergePolicy(
      PolicySource(
        name: "test.lua",
        text: """
          \(before)
          return policy {
            name = "test", on = { "credential-already-in-use" },
            decide = function(conflict)
              \(body)
            end,
          }
          """))
  }

  private func refusal(
    _ code: AuthError.Code, _ body: () throws -> some Any,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> String {
    do {
      _ = try body()
      Issue.record("no error", sourceLocation: sourceLocation)
    } catch let error as AuthError {
      #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
      return error.description
    } catch {
      Issue.record("\(error)", sourceLocation: sourceLocation)
    }
    return ""
  }

  @Test func `a policy merges, with rules by name and by function`() throws {
    let policy = try policy(
      """
      local keep, absorb = oldest(conflict.current, conflict.existing)
      return merge { into = keep, from = absorb, fields = {
        photoURL = "newest", displayName = function(kept, other, keptAccount) return keptAccount.uid end } }
      """)
    #expect(policy.triggers == [.credentialAlreadyInUse])
    let rules = MergeRules(fields: [.photoURL: .newest, .displayName: .value("existing")])
    #expect(
      try policy.decide(conflict())
        == .merge(into: AccountID("existing"), from: AccountID("current"), rules))
  }

  @Test func `a policy refuses with a reason`() throws {
    let policy = try policy(#"return refuse "needs proof""#)
    #expect(try policy.decide(conflict()) == .refuse("needs proof"))
  }

  @Test func `a mistake is reported with its line`() throws {
    #expect(
      refusal(.invalidPolicy) { try self.policy("return conflict.curent.uid").decide(conflict()) }
        .contains("test.lua:5:"))
    #expect(
      refusal(.invalidPolicy) { try self.policy("return true").decide(conflict()) }
        .contains("returned boolean"))
    #expect(
      refusal(.invalidPolicy) {
        try self.policy(
          "return merge { into = conflict.current, from = conflict.existing, feilds = {} }"
        ).decide(conflict())
      }.contains("Did you mean \"fields\"?"))
    #expect(
      refusal(.invalidPolicy) {
        try self.policy(
          """
          return merge { into = conflict.current, from = conflict.existing,
            fields = { displayName = "newset" } }
          """
        ).decide(conflict())
      }.contains("Did you mean \"newest\"?"))
  }

  @Test(arguments: [
    ("merge()", "table expected, got no value"),
    ("merge { into = a, from = b, fields = 5 }", "fields) to 'merge' (table expected, got number"),
    ("merge { into = a, from = b, fields = { 'newest' } }", "fields must be a table of names"),
    ("merge { into = a, from = b, fields = { [true] = 'newest' } }", "a key of it is no name"),
    ("merge { into = a, from = b, fields = { email = 5 } }", "fields.email is number, not"),
    ("merge { into = a, from = b, [true] = 1 }", "a key of it is no name"),
    ("merge { into = a, from = b, dropIdentities = { x = 1 } }", "dropIdentities must be a list"),
    ("merge { into = a, from = 'b' }", "from must be one of the two accounts"),
    ("changed(merge { into = a, from = b }, 'email', 5)", "fields.email is number, not"),
    ("changed(merge { into = a, from = b }, 'email', 'newset')", "Did you mean \"newest\"?"),
    ("changed(merge { into = a, from = b }, 'emial', 'newest')", "Did you mean \"email\"?"),
  ])
  func `a result that is no plan is reported`(plan: String, problem: String) throws {
    let policy = try policy(
      "local a, b = conflict.current, conflict.existing return \(plan)",
      before: """
        local function changed(answer, field, rule) answer.fields[field] = rule return answer end
        """)
    let text = refusal(.invalidPolicy) { try policy.decide(conflict()) }
    #expect(text.contains(problem), "\(text)")
  }

  @Test func `a policy has no way out of its sandbox`() throws {
    for name in [
      "io", "os", "load", "loadfile", "dofile", "debug", "package", "print",
      "setmetatable", "coroutine", "collectgarbage",
    ] {
      let policy = try policy(#"return refuse(tostring(\#(name)))"#)
      let text = refusal(.invalidPolicy) { try policy.decide(conflict()) }
      #expect(text.contains("'\(name)' is not defined"), "\(text)")
    }
  }

  /// Row 32: a policy that tries to starve its host is stopped, and the next decision is unaffected.
  @Test(arguments: [
    "while true do end",
    "while true do pcall(error, 'x') end",
    "local s = 'x' while true do s = s .. s end",
    "local t = {} for i = 1, 1e12 do t[i] = i end",
    "return refuse(('x'):rep(1e10))",
    "return refuse(('a'):rep(5000):gsub(('a*'):rep(50) .. 'b', ''))",
    "local function f() return f() + 1 end return f()",
    "local kept, s = {}, ('x'):rep(1 << 18) while true do kept[#kept + 1] = refuse(s) end",
    "local s = ('é'):rep(100000) while true do local _ = conflict.current[s] end",
  ])
  func `32: script starvation is stopped, and others go on`(body: String) throws {
    let starving = try policy(body)
    let sound = try policy(#"return refuse "sound""#)
    for _ in 0..<3 {
      _ = refusal(.invalidPolicy) { try starving.decide(conflict()) }
      #expect(try sound.decide(conflict()) == .refuse("sound"))
    }
  }

  @Test(arguments: ["keep-oldest", "keep-current"])
  func `a policy of named rules answers at once`(name: String) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Scripts/policies/\(name).lua")
    let policy = try LuaMergePolicy(
      PolicySource(name: name, text: String(contentsOf: file, encoding: .utf8)))
    for both in [true, false, true] {
      let conflict = conflict(both: both)
      let answer = try policy.decideAtOnce(conflict)
      #expect(try answer != nil && answer == policy.decide(conflict))
    }
  }

  /// Slow policies, and answers that have to be copied out of Lua: a small script can make a table of a million
  /// values too.
  @Test(arguments: [
    #"for _ = 1, 20000 do end return refuse "late""#,
    """
    return merge { into = conflict.current, from = conflict.existing,
      fields = { displayName = function(kept) return kept end } }
    """,
    """
    local list = {} for _ = 1, 20 do list = { list, list } end
    return merge { into = conflict.current, from = conflict.existing, dropIdentities = list }
    """,
    """
    local list = {} for _ = 1, 20 do list = { list, list } end
    return { answer = "merge", into = "current", from = "existing", fields = list }
    """,
    """
    local list = { { [("x"):rep(1e6)] = 1 } } for _ = 1, 14 do list = { list, list } end
    return { answer = "merge", into = "current", from = "existing", fields = { list = list } }
    """,
    "return merge { into = conflict.current, from = conflict.existing, dropIdentities = {} }",
    "return { answer = 'merge', into = 'current', from = 'existing' }",
    "local s = 'x' while true do s = s .. s end",
    "while true do end",
  ])
  func `32: a slow policy gets no time while other callers wait`(body: String) throws {
    let policy = try policy(body)
    for _ in 0..<3 {
      #expect(try policy.decideAtOnce(conflict()) == nil)
      // Any result is allowed in a decision that no other caller waits for.
      _ = try? policy.decide(conflict())
    }
  }

  @Test func `a stopped decision is not resumed`() throws {
    let policy = try policy(
      """
      if not known then
        known = {}
        for number = 1, 3000 do known[number] = "n" .. number end
      end
      return refuse("knows " .. #known)
      """, before: "local known")
    #expect(try policy.decideAtOnce(conflict()) == nil)
    #expect(try policy.decide(conflict()) == .refuse("knows 3000"))
    #expect(try policy.decideAtOnce(conflict()) == nil, "It is known to be slow.")
  }

  @Test func `a policy that was slow about one conflict is asked at once again later`() throws {
    let policy = try policy(
      #"if not conflict.proof.both then for _ = 1, 20000 do end end return refuse "both""#)
    #expect(try policy.decideAtOnce(conflict(both: false)) == nil)
    for _ in 0..<LuaMergePolicy.conflictsSkipped {
      #expect(try policy.decideAtOnce(conflict()) == nil)
      #expect(try policy.decide(conflict()) == .refuse("both"))
    }
    #expect(try policy.decideAtOnce(conflict()) == .refuse("both"))
  }

  @Test func `a policy that fails fails at once`() throws {
    let policy = try policy("error('no')")
    #expect(refusal(.invalidPolicy) { try policy.decideAtOnce(conflict()) }.contains("no"))
  }

  @Test func `a compiled policy is cached, up to a bound`() throws {
    let compiler = LuaPolicyCompiler()
    func source(_ number: Int) -> PolicySource {
      PolicySource(
        name: "test.lua",
        text: """
          return policy { name = "\(number)", on = { "credential-already-in-use" },
            decide = function() return refuse "no" end }
          """)
    }
    #expect(compiler.known(source(0)) == nil)
    _ = try compiler.policy(source(0))
    #expect(compiler.known(source(0))?.name == "0")
    for number in 1...16 { _ = try compiler.policy(source(number)) }
    #expect(compiler.known(source(0)) == nil && compiler.known(source(16)) != nil)
  }

  @Test func `changes of a decision are gone with it`() throws {
    let policy = try policy(
      """
      conflict.current.uid = "changed"
      count = (count or 0) + 1
      return refuse(tostring(count))
      """)
    #expect(
      refusal(.invalidPolicy) { try policy.decide(conflict()) }.contains("count"))
  }

  @Test func `an answer is a table until it is returned`() throws {
    let policy = try policy(
      """
      local answer = merge { into = conflict.current, from = conflict.existing,
        fields = { photoURL = "newest", displayName = "keep" } }
      answer.fields.photoURL = "oldest"
      answer.into, answer.from = answer.from, answer.into
      return answer
      """)
    let rules = MergeRules(fields: [.photoURL: .oldest, .displayName: .keep])
    #expect(
      try policy.decide(conflict())
        == .merge(into: AccountID("existing"), from: AccountID("current"), rules))
    let made = try self.policy(#"return { answer = "refuse", reason = "by hand" }"#)
    #expect(try made.decide(conflict()) == .refuse("by hand"))
    let none = try self.policy("return conflict.current")
    #expect(refusal(.invalidPolicy) { try none.decide(conflict()) }.contains("returned table"))
  }

  @Test func `memory of a decision is released, even if its answer refers to itself`() throws {
    let policy = try policy(
      """
      local answer
      answer = merge { into = conflict.current, from = conflict.existing,
        fields = { displayName = function(kept) return answer and kept end } }
      return answer
      """)
    for _ in 0..<5000 { _ = try policy.decide(conflict()) }
  }

  @Test func `concurrent decisions are independent`() async throws {
    let policy = try policy("return refuse(conflict.current.uid)")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<64 {
        let conflict = MergeConflict(
          code: .credentialAlreadyInUse, current: account("c\(number)"), existing: account("e"),
          provider: ProviderID("github.com"), proof: MergeProof(current: true, existing: true))
        group.addTask {
          let answer = try policy.decide(conflict)
          #expect(answer == .refuse("c\(number)"))
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `failing examples are named`() throws {
    let results = try LuaMergePolicy.runExamples(
      of: PolicySource(
        name: "test.lua",
        text: """
          return policy {
            name = "test", on = { "email-already-in-use" },
            decide = function(c) return merge { into = c.current, from = c.existing } end,
            examples = {
              { name = "right", current = { displayName = "A" }, existing = {}, expect = { into = "current", displayName = "A" } },
              { name = "wrong", current = {}, existing = {}, expect = { into = "existing" } },
              { name = "misspelled", current = { displayname = "A" }, existing = {}, expect = { into = "current" } },
              { expect = { refuse = true } },
            },
          }
          """))
    #expect(results.map(\.passed) == [true, false, false, false])
    #expect(results[1].failure == "merged into current, not existing")
    #expect(results[2].failure?.contains("Did you mean \"displayName\"?") == true)
    #expect(results[3].name == "example 4")
  }
}
