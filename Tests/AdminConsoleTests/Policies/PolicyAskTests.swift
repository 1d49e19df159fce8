import AuthCore
import LuaRuntime
import Testing

@testable import AdminConsole

/// A policy is asked about real accounts, as a client would have shown them.
@Suite struct `policy.ask` {
  let home: ConsoleHome
  private let file: String

  init() throws {
    home = try ConsoleHome()
    file = try home.file(
      "ask.lua",
      """
      local shared = include "shared.lua"
      return policy { name = "ask", on = { "credential-already-in-use" },
        decide = function(conflict)
          log.info("asked about " .. conflict.provider)
          if claim(conflict.current, "role") == "admin" then
            return refuse(shared.why, { code = "staff" })
          end
          if conflict.operation == "merge" then return review "own merges" end
          return require "second factor" or merge { into = conflict.existing, from = conflict.current,
            fields = { displayName = "theirs" } }
        end }
      """)
    _ = try home.file("shared.lua", "return { why = 'staff are merged by hand' }")
    try home.run(
      """
      file = "\(file)"
      a = accounts.create { uid = "a", email = "a@example.com", displayName = "A" }
      b = accounts.create { uid = "b", email = "b@example.com", displayName = "B" }
      staff = accounts.create { uid = "s", customClaims = { role = "admin" } }
      """)
  }

  private func answer(_ arguments: String) throws -> [LuaValue] {
    try home.run("return policy.ask(file, \(arguments))")
  }

  @Test func `a merge has its plan, and nothing is written`() throws {
    let values = try answer(
      "a, 'b', { session = { secondFactor = true }, provider = 'github.com' }")
    let table = try #require(values.first?.tableValue)
    #expect(table["answer"] == "merge" && table["into"] == "existing")
    #expect(table["log"].tableValue?.array.first?.stringValue?.contains("github.com") == true)
    let plan = try #require(values.last?.objectValue?.value as? MergePlan)
    #expect(plan.survivor.id == AccountID("b") && plan.result.displayName == "A")
    #expect(try home.run("return #merge.list(), accounts.get('a').uid") == [0, "a"])
  }

  @Test func `the other answers say what a client would have met`() throws {
    let required = try #require(try answer("a, b").first?.tableValue)
    #expect(required["answer"] == "require" && required["requirement"] == "second factor")
    let refused = try #require(try answer("staff, b").first?.tableValue)
    #expect(refused["answer"] == "refuse" && refused["code"] == "staff")
    #expect(refused["reason"] == "staff are merged by hand")
    #expect(refused["at"].stringValue?.hasSuffix("ask.lua:6") == true)
    let reviewed = try #require(try answer("a, b, { operation = 'merge' }").first?.tableValue)
    #expect(reviewed["answer"] == "review" && reviewed["reason"] == "own merges")
    #expect(reviewed["plan"].isNil)
  }

  @Test(arguments: [
    ("{ proof = { existing = false } }", "an account was not shown"),
    ("{ code = 'email-already-in-use' }", "does not answer"),
  ])
  func `what would not ask the policy is told`(options: String, reason: String) throws {
    let table = try #require(try answer("a, b, \(options)").first?.tableValue)
    #expect(table["answer"] == "not asked")
    #expect(table["reason"].stringValue?.contains(reason) == true)
  }

  @Test func `without a file the policy in use is asked, as a bundle`() throws {
    let none = try #require(home.failure("policy.ask(nil, a, b)"))
    #expect(ErrorText(none).line.contains("No policy is in use"))
    try home.run("policy.use(file)")
    let values = try home.run("return policy.ask(nil, staff, b).reason, policy.current().text")
    #expect(values.first == "staff are merged by hand")
    #expect(values.last?.stringValue?.hasPrefix("--@file ask.lua\n") == true)
    #expect(values.last?.stringValue?.contains("\n--@file shared.lua\nreturn { why") == true)
  }

  @Test(arguments: [
    ("a, a", "Both are the same account."), ("a, b, { poof = {} }", "poof"),
    ("a, b, { session = { secondfactor = true } }", "secondfactor"),
    ("a, b, { now = 'yesterday' }", "is no time"),
  ])
  func `what is wrong is refused`(arguments: String, problem: String) throws {
    let failure = try #require(home.failure("policy.ask(file, \(arguments))"))
    #expect(ErrorText(failure).line.contains(problem), "\(ErrorText(failure).line)")
  }

  @Test func `PF4: rules by claim and functions see both accounts in merge.plan`() throws {
    try home.run(
      """
      a:update { customClaims = { plan = "pro", seats = 1 } }
      b:update { customClaims = { plan = "free", seats = 4 } }
      """)
    let values = try home.run(
      """
      local plan = merge.plan("a", "b", { fields = {
        customClaims = { plan = { "free", "pro" }, seats = "highest",
          by = "keep", default = "union" },
        displayName = function(kept, other, keptAccount, otherAccount)
          return keptAccount.uid .. otherAccount.uid end } })
      return plan.result.customClaims, plan.result.displayName
      """)
    #expect(values.first?.tableValue == LuaTable(fields: ["plan": "pro", "seats": 4]))
    #expect(values.last == "ab")
    for rule in ["'union-or-refuse'", "{}", "{ plan = 'highest' }"] {
      let failure = try #require(
        home.failure("merge.plan('a', 'b', { fields = { customClaims = \(rule) } })"))
      #expect(ErrorText(failure).code == "merge-refused", "\(ErrorText(failure).line)")
    }
  }
}
