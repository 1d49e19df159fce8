import AuthCore
import AuthTesting
import LuaRuntime
import TerminalOutput
import Testing

@testable import AdminConsole

@Suite struct `Versions of policies in the console` {
  let home: ConsoleHome
  private let old: String
  private let new: String

  init() throws {
    home = try ConsoleHome()
    old = try home.file("old.lua", Self.policy("old", "return refuse 'no'", "refuse = 'no'"))
    new = try home.file(
      "new.lua",
      Self.policy(
        "new", "return merge { into = conflict.current, from = conflict.existing }",
        "into = 'current'"))
  }

  private static func policy(_ name: String, _ body: String, _ expected: String) -> String {
    """
    return policy {
      name = "\(name)",
      on = { "credential-already-in-use" },
      decide = function(conflict)
        if not conflict.proof.both then return refuse "no proof" end
        \(body)
      end,
      examples = { { expect = { \(expected) } } },
    }

    """
  }

  private func drawn(_ code: String) throws -> String {
    let value = try #require(try home.run("return \(code)").first?.objectValue?.value)
    return try #require(home.admin.session.output.drawn(value))
  }

  @Test func `history tells who, when, why and the examples`() throws {
    try home.run("policy.use('\(old)', { reason = 'ticket 7' }) policy.use '\(new)'")
    #expect(try home.run("return #policy.history()").first == 2)
    let rows = try home.run(
      """
      local h = policy.history()
      return h[1].version, h[1].now, h[2].version, h[2].now, h[2].reason, h[2].actor, h[2].passed,
        h[2].failed, h[2].level, #h[2].digest, h[2].text, #policy.history { before = 2 }
      """)
    #expect(
      rows == [
        2, "in use", 1, .nil, "ticket 7", "admin:ada", 1, 0, "decide", 12, .nil, 1,
      ])
    let limited = try home.run("return #policy.history { limit = 1 }")
    #expect(limited.first == 1)
  }

  @Test func `a file is tried in the shadow, promoted and rolled back`() throws {
    try home.run("policy.use '\(old)'")
    let trial = try drawn("policy.use('\(new)', { level = 'shadow' })")
    #expect(trial.contains("policy on trial") && trial.contains("shadow"))
    let current = try drawn("policy.current()")
    #expect(current.contains("on trial") && current.contains("new, version 2, shadow"))
    #expect(try home.run("return policy.current().trial.name").first == "new")
    #expect(try home.run("return policy.promote().version").first == 2)
    #expect(try home.run("return policy.current().trial").first?.isNil == true)
    #expect(
      try home.run("return policy.rollback(1, { reason = 'too many' }).version").first == 3)
    #expect(try home.run("return policy.history()[1].goesBackTo").first == 1)
    #expect(try home.run("return policy.current().name").first == "old")
    #expect(try home.run("return policy.version(2).name").first == "new")
  }

  @Test func `a canary and an adviser show their place`() throws {
    #expect(try drawn("policy.use('\(new)', { level = 'advise' })").contains("advise"))
    #expect(try home.run("return policy.current().level").first == "advise")
    let canary = try home.run("return policy.use('\(old)', { canary = 0.25 })").first
    let view = try #require(canary?.objectValue?.value as? PolicyView)
    #expect(view.lua["level"] == "canary" && view.lua["canary"] == .number(0.25))
    #expect(try home.run("return settings.get().policyLevel").first == "advise")
    let text = try home.run("return settings.get().policyTrial").first?.stringValue
    #expect(text?.contains("version 2, canary of 0.25") == true)
    #expect(
      try home.run("return policy.remove { trial = true }").first?.stringValue
        == "No policy is on trial.")
    #expect(try home.run("return policy.current().name").first == "new")
  }

  @Test func `two versions, or a version and a file, are compared by lines`() throws {
    try home.run("policy.use '\(old)' policy.use '\(new)'")
    let diff = try drawn("policy.diff(1, 2)")
    #expect(diff.hasPrefix("--- version 1 of \(old)\n+++ version 2 of \(new)\n"))
    #expect(diff.contains("\n-  name = \"old\",\n+  name = \"new\",\n"))
    #expect(diff.contains("\n   on = { \"credential-already-in-use\" },\n"))
    #expect(try drawn("policy.diff(1)").contains("+++ \(new), in use"))
    #expect(try drawn("policy.diff(2, '\(new)')").hasSuffix("The texts are equal."))
    #expect(try home.run("local d = policy.diff(1, 2) return d.added, d.removed") == [3, 3])
  }

  @Test func `a difference is painted`() throws {
    let diff = PolicyDiff(
      from: PolicyDiff.Side(title: "a", text: "1\n2\n3\n4\n5\n6\n7\n8\nx\n"),
      to: PolicyDiff.Side(title: "b", text: "1\n2\n3\n4\n5\n6\n7\n8\ny\u{1B}[2J\n"))
    let colors = TerminalProfile(isTerminal: true, supportsColor: true)
    let text = diff.painted(for: colors).text(for: colors)
    #expect(text.contains("\u{1B}[31m-x") && text.contains("\u{1B}[32m+y"))
    #expect(!text.contains("\u{1B}[2J"), "A text of a file does not control the terminal.")
    #expect(text.contains("…") && !text.contains("\n 5\n") && text.contains("\n 6\n"))
  }

  @Test func `a policy that a check refuses is forced only with a reason`() throws {
    let wrong = try home.file(
      "wrong.lua", Self.policy("wrong", "return refuse 'no'", "into = 'current'"))
    let refused = try #require(home.failure("policy.use '\(wrong)'"))
    #expect(ErrorText(refused).line.contains("does not pass"))
    #expect(try home.run("return #policy.history()").first == 0)
    // The session has a reason of its own.
    try home.run("policy.use('\(wrong)', { force = true, reason = 'ticket 9' })")
    let row = try home.run("local v = policy.history()[1] return v.failed, v.reason")
    #expect(row == [1, "ticket 9"])
  }

  @Test(arguments: [
    ("policy.use(FILE, { level = 'shade' })", "level"),
    ("policy.use(FILE, { canary = 2 })", "canary"),
    ("policy.use(FILE, { canary = 'a' })", "canary"),
    ("policy.use(FILE, { canary = 0.5, level = 'shadow' })", "level"),
    ("policy.rollback(9)", "version"), ("policy.rollback(0)", "number"),
    ("policy.version(9)", "version"), ("policy.diff(1, 9)", "version"),
  ])
  func `a wrong argument is named`(code: String, field: String) throws {
    try home.run("policy.use '\(old)'")
    let error = try #require(home.failure(code.replacing("FILE", with: "'\(new)'")))
    #expect(ErrorText(error).field == field, "\(ErrorText(error).line)")
    #expect(try home.run("return #policy.history()").first == 1)
  }

  @Test func `why names the version`() throws {
    let output = try home.run(
      """
      policy.use '\(new)'
      local fake = providers["fake.example"].credential
      local ada = accounts.create { uid = "ada" }
      accounts.create { uid = "b" }:link(fake { subject = "9" })
      local receipt = ada:link(fake { subject = "9" })
      local found
      for _, step in ipairs(why(receipt).steps) do
        if step.rule == "merge policy" then found = step.inputs.version end
      end
      local event = audit.tail(1)[1]
      return found, event.details.policyVersion.number, #event.details.policyVersion.digest
      """)
    #expect(output == ["1", 1, 12])
  }
}
