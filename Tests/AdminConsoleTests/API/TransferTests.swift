import AuthCore
import AuthTesting
import LuaRuntime
import Testing

@testable import AdminConsole

/// Splits and moves in the console.
@Suite struct `Splits and moves in the console` {
  let home: ConsoleHome

  init() throws {
    home = try ConsoleHome()
    try home.run(
      """
      ada = accounts.create { uid = "ada", email = "ada@example.com", emailVerified = true,
        password = "right-horse", displayName = "Ada" }
      ada:link { providerID = "github.com", subject = "583231" }
      ada:link { providerID = "google.com", subject = "108" }
      bo = accounts.create { uid = "bo" }
      """)
  }

  @Test func `a split is planned as a table, committed, explained and undone`() throws {
    let text = try #require(
      try home.run(
        """
        plan = ada:split { identities = { "github.com" }, fields = { displayName = "move" },
          uid = "new" }
        return tostring(plan)
        """
      ).first?.stringValue)
    for word in ["ada", "new", "github.com/583231", "displayName", "Nothing is written yet"] {
      #expect(text.contains(word), "\(text)")
    }
    #expect(try home.run("return accounts.count()").first?.integerValue == 2)

    let values = try home.run(
      """
      receipt = plan:commit { reason = "two people" }
      local new = accounts.get "new"
      return receipt.action, #new.providerData, new.displayName, ada.displayName,
        why(receipt).outcome, #plan.movedIdentities
      """)
    #expect(values.first?.stringValue == "split")
    #expect(values.dropFirst().first?.integerValue == 1)
    #expect(values.dropFirst(2).first?.stringValue == "Ada")

    let undone = try home.run(
      """
      local undone = accounts.undo(receipt)
      return undone.action, accounts.get "new", #ada.providerData, ada.displayName
      """)
    #expect(undone.first?.stringValue == "undo-split")
    #expect(undone.dropFirst(2).first?.integerValue == 3)
    #expect(undone.last?.stringValue == "Ada")
  }

  @Test func `a move is planned, committed and undone`() throws {
    try home.run("plan = ada:move(\"google.com\", bo) receipt = plan:commit { reason = \"bo's\" }")
    #expect(
      try home.run("return bo.providerData[1].providerID").first?.stringValue == "google.com")
    try home.run("accounts.undo(receipt.id)")
    #expect(try home.run("return #bo.providerData").first?.integerValue == 0)
  }

  @Test func `a rehearsal tries both`() throws {
    try home.run(
      """
      begin()
      ada:split({ identities = { "github.com" }, uid = "new" }):commit { reason = "two people" }
      ada:move("google.com/108", bo):commit { reason = "bo's" }
      nevermind()
      """)
    #expect(try home.run("return accounts.count()").first?.integerValue == 2)
  }

  @Test(arguments: [
    ("ada:split {}", "invalid-argument"),
    ("ada:split { identities = { 'gitlab.com' } }", "no-such-provider"),
    ("ada:split { identities = { 'github.com' }, fields = { name = 'move' } }", "invalid-argument"),
    (
      "ada:split { identities = { 'github.com' }, fields = { email = 'copy' } }", "invalid-argument"
    ),
    (
      "ada:split { identities = { 'github.com' }, fields = { email = 'move' } }",
      "operation-not-allowed"
    ),
    ("ada:split { identities = { 'github.com' }, fields = { photoURL = 5 } }", "invalid-argument"),
    ("ada:split { identities = { 'github.com' }, uid = 'bo' }", "uid-already-exists"),
    ("ada:move('gitlab.com', bo)", "no-such-provider"),
    ("ada:move('github.com', ada)", "operation-not-allowed"),
    ("ada:move('github.com', 'nobody')", "user-not-found"),
    (
      "ada:split { identities = { 'password', 'github.com', 'google.com' } }:commit {}",
      "last-sign-in-method"
    ),
    ("accounts.undo 'none'", "event-not-found"),
  ])
  func `a mistake is named`(_ code: String, _ error: String) throws {
    let failure = ErrorText(try #require(home.failure(code), "\(code)"))
    #expect(failure.code == error, "\(code): \(failure.line)")
    #expect(try home.run("return accounts.count()").first?.integerValue == 2)
  }
}
