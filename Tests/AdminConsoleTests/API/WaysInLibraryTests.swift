import AuthCore
import LuaRuntime
import TerminalOutput
import Testing

@testable import AdminConsole

/// An admin sees the ways into an account, and what an undo after later changes would do.
@Suite struct `Ways in and undo in the console` {
  let home: ConsoleHome

  init() throws {
    home = try ConsoleHome()
    try home.run(
      """
      a = accounts.create { uid = "a", email = "a@example.com", emailVerified = true,
        password = "right-horse", displayName = "A" }
      a:link { providerID = "github.com", subject = "1" }
      b = accounts.create { uid = "b", displayName = "B" }
      b:link { providerID = "discord.com", subject = "2" }
      """)
  }

  private func shown(_ code: String, width: Int = 100) throws -> String {
    let receipt = try #require(try home.run(code).first?.objectValue?.value as? Receipt)
    return ReceiptText(receipt: receipt)
      .render(for: TerminalProfile(isTerminal: true, width: width))
  }

  @Test func `are listed and ended, by id, by kind and by provider`() throws {
    let listed = try home.run(
      """
      local kinds = {}
      for _, way in ipairs(a:waysIn()) do kinds[#kinds + 1] = way.kind end
      return table.concat(kinds, " "), a:waysIn()[1].label, a:waysIn()[2].provider,
        a:waysIn()[3].endable
      """)
    #expect(listed == ["password provider mailbox", "a@example.com", "github.com", false])
    let text = try shown("return a:endWaysIn({ a:waysIn()[2] }, { reason = 'not theirs' })")
    #expect(text.contains(": unlink of a\nways in that stay: password, mailbox"), "\(text)")
    #expect(try home.run("return #a.providerData").first == 1)
    for (code, error) in [
      ("a:endWaysIn { 'github.com' }", "has no way in \"github.com\""),
      ("a:endWaysIn {}", "Nothing is named to end."),
      ("a:endWaysIn { 'mailbox' }", "Change the account's address"),
      ("a:endWaysIn { 5 }", "A way in is a text"),
      ("a:endWaysIn { 'password', reason = 'x' }", "Write endWaysIn({"),
    ] {
      let line = ErrorText(try #require(home.failure(code), "\(code)")).line
      #expect(line.contains(error), "\(code): \(line)")
    }
    // An admin counts every linked identity, and the last one is the password.
    let last = ErrorText(try #require(home.failure("a:endWaysIn { 'password' }")))
    #expect(last.line.contains("last way to sign in"), "\(last.line)")
    let rehearsed = try shown("return a:endWaysIn({ 'password' }, { force = true, dryRun = true })")
    #expect(rehearsed.contains("No way to sign in would remain"), "\(rehearsed)")
    #expect(try home.run("return #a.providerData").first == 1)
  }

  @Test func `a new address shows those that stay, and a new name does not`() throws {
    let text = try shown("return a:update { email = 'new@example.com' }")
    #expect(text.contains("\nways in that stay: password, github.com, mailbox"), "\(text)")
    #expect(try !shown("return a:update { displayName = 'Ada' }").contains("ways in"))
    #expect(try home.run("return a:disable().waysIn").first?.isNil != false)
  }

  @Test func `a rehearsed undo shows both accounts, and each later change`() throws {
    try home.run(
      """
      merge.plan(a, b):commit {}
      merged = merge.list()[1]
      a:update { displayName = "Countess", customClaims = { role = "editor" } }
      """)
    let text = try shown(
      "return merge.undo(merged, { keep = { 'displayName' }, dryRun = true })")
    for part in [
      "rehearsal: undo-merge of a would lose later changes; nothing was written",
      "now", "a again", "b again", "≠ displayName", "Countess", "≠ identities", "later change",
      "after the merge", "kept", "lost", "undo-refused", "ways in that stay on a: password",
      "ways in that stay on b: discord.com",
    ] { #expect(text.contains(part), "\(part)\n\(text)") }
    #expect(try home.run("return accounts.count()").first == 1)
    let refused = ErrorText(
      try #require(home.failure("merge.undo(merged, { keep = { 'displayName' } })")))
    #expect(refused.line.contains("keep = { \"customClaims\" }"), "\(refused.line)")
    let wrong = ErrorText(try #require(home.failure("merge.undo(merged, { keep = { 'email' } })")))
    #expect(wrong.field == "keep" && wrong.line.contains("who can sign in"), "\(wrong.line)")
    let undone = try home.run(
      """
      local r = merge.undo(merged, { keep = { 'displayName', 'customClaims' } })
      return r.action, r.undo.needsForce, a.displayName, a.customClaims.role, accounts.count()
      """)
    #expect(undone == ["undo-merge", false, "Countess", "editor", 2])
  }
}
