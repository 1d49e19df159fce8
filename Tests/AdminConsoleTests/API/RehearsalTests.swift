import AuthCore
import LuaRuntime
import TerminalOutput
import Testing

@testable import AdminConsole

/// The receipt of a dry run shows each field before and after, and the way in that would go.
@Suite struct `Rehearsals` {
  let home: ConsoleHome

  init() throws {
    home = try ConsoleHome()
    try home.run(
      """
      a = accounts.create { uid = "a", email = "a@example.com", displayName = "A" }
      b = accounts.create { uid = "b", email = "b@example.com" }
      a:link { providerID = "github.com", subject = "1" }
      """)
  }

  private func shown(_ code: String, width: Int = 100) throws -> String {
    let value = try #require(try home.run(code).first?.objectValue?.value as? Receipt)
    return ReceiptText(receipt: value)
      .render(for: TerminalProfile(isTerminal: true, width: width))
  }

  private func fields(_ code: String) throws -> [String] {
    try home.run(
      """
      local t = {}
      for _, c in ipairs((\(code)).changes) do t[#t + 1] = (c.account or '') .. ' ' .. c.name end
      return table.concat(t, ';')
      """
    ).first?.stringValue?.split(separator: ";").map(String.init) ?? []
  }

  @Test func `an update has its fields before and after`() throws {
    let text = try shown("return a:update { displayName = 'Ada', dryRun = true }")
    #expect(text.contains("rehearsal: update of a would work; nothing was written"))
    #expect(text.contains("≠ displayName  A"))
    #expect(text.contains("Ada"))
    #expect(!text.contains("email"))
    #expect(try home.run("return a.displayName").first == "A")
    #expect(try fields("a:update { displayName = 'Ada', dryRun = true }") == [" displayName"])
  }

  @Test func `a link and an assertion show the identities`() throws {
    let text = try shown(
      "return a:link { providerID = 'discord.com', subject = '7', dryRun = true }")
    #expect(text.contains("≠ identity discord.com/7  none    linked"))
  }

  @Test func `an unlink of the last way in says so`() throws {
    let text = try shown("return a:unlink('github.com', { force = true, dryRun = true })")
    #expect(text.contains("≠ identity github.com/1"))
    #expect(text.contains("No way to sign in would remain"))
    try home.run("a:link { providerID = 'discord.com', subject = '7' }")
    let other = try shown("return a:unlink('github.com', { dryRun = true })")
    #expect(!other.contains("No way to sign in"))
  }

  @Test func `a deletion shows what would go`() throws {
    let text = try shown("return a:delete { reason = 'asked', dryRun = true }")
    #expect(text.contains("The account would be gone."))
    #expect(text.contains("address     a@example.com"))
    #expect(text.contains("identities  github.com/1"))
    #expect(text.contains("It could be restored until "))
    let final = try shown("return a:delete { forever = true, dryRun = true }")
    #expect(final.contains("It could not be restored."))
  }

  @Test func `a merge shows both accounts`() throws {
    let text = try shown("return merge.plan(b, a):commit { dryRun = true }")
    #expect(text.contains("account b\n"))
    #expect(text.contains("account a\n"))
    #expect(text.contains("≠ mergedInto  none    b"))
    #expect(text.contains("≠ identity github.com/1"))
    let names = try fields("merge.plan(b, a):commit { dryRun = true }")
    #expect(names.contains("a mergedInto"), "\(names)")
  }

  @Test func `a password is not shown`() throws {
    let text = try shown("return a:update { password = 'right-horse', dryRun = true }")
    #expect(!text.contains("right-horse") && !text.contains("argon2"))
    #expect(text.contains("≠ password"))
  }

  @Test func `a creation shows the fields of the account`() throws {
    let text = try shown("return accounts.create { email = 'c@example.com', dryRun = true }")
    #expect(text.contains("≠ email"))
    #expect(text.contains("c@example.com"))
    #expect(!text.contains("createdAt"))
  }

  @Test func `an end of sessions is shown`() throws {
    let text = try shown("return a:revokeSessions { dryRun = true }")
    #expect(text.contains("≠ sessions"))
    #expect(text.contains("ended"))
  }

  @Test func `a change that was made is printed in one line, with its values as data`() throws {
    let receipt = try #require(
      try home.run("return a:disable()").first?.objectValue?.value as? Receipt)
    #expect(receipt.changes.map(\.description) == ["disabled: false → true"])
    #expect(home.admin.session.output.drawn(receipt) == nil)
    #expect(try home.run("return (a:revokeSessions()).changes").first?.isNil != false)
  }

  @Test func `the graph says who shares the address`() throws {
    try home.run("settings.set { oneAccountPerEmail = false }")
    try home.run("c = accounts.create { uid = 'c', email = 'A@example.com', disabled = true }")
    let graph = try #require(try home.run("return a:graph()").first?.objectValue)
    let drawing = try #require(home.admin.session.output.drawn(graph.value))
    #expect(drawing.contains("e-mail a@example.com (unverified)"))
    #expect(drawing.contains("shared with account c (unverified, disabled)"))
    #expect(try home.run("return table.concat(a:graph().sharedWith, ',')").first == "c")
    #expect(try home.run("return #b:graph().sharedWith").first == 0)
    let dot = try home.run("return graph.dot(a)").first?.stringValue
    #expect(dot?.contains("\"c\" -> \"a@example.com\"") == true)
  }

  @Test func `a policy is shown when it is put to use, and its tests show their plans`() throws {
    let file = "\(ConsoleHome.root)/Scripts/policies/keep-oldest.lua"
    let used = try #require(try home.run("return policy.use '\(file)'").first?.objectValue?.value)
    let text = try #require(home.admin.session.output.drawn(used))
    #expect(text.contains("keep-oldest") && text.contains(file))
    #expect(!text.contains("decide = function"))
    let current = try #require(try home.run("return policy.current()").first?.objectValue?.value)
    let whole = try #require(home.admin.session.output.drawn(current))
    #expect(whole.contains("\n  decide = function(conflict)\n"))
    #expect(try home.run("return policy.current().name").first == "keep-oldest")
    let plan = try home.run("return policy.test('\(file)')[3].plan").first?.stringValue
    #expect(plan?.hasPrefix("existing absorbs current; displayName = Ada; photoURL = ") == true)
    #expect(
      try home.run("return policy.remove()").first?.stringValue?.contains("No policy") == true)
    #expect(try home.run("return policy.current()").first?.isNil == true)
  }
}
