import AuthCore
import AuthTesting
import LuaRuntime
import Testing

@testable import AdminConsole

/// The answers to what newcomers to Lua and to the console write.
@Suite struct `A newcomer's mistake` {
  let home: ConsoleHome

  init() throws {
    home = try ConsoleHome()
    try home.run("ada = accounts.create { uid = 'ada', email = 'ada@example.com' }")
  }

  @Test(arguments: [
    ("acounts.get 'x'", "did you mean 'accounts'?"),
    ("accounts.get('nobody').uid", "as accounts.get returns for an unknown account."),
    ("accounts.get('nobody'):disable()", "as accounts.get returns for an unknown account."),
    ("accounts.get ada@x.example", "in quotes: \"ada"),
    ("accounts.get alan", "If alan is a text, write it in quotes: \"alan\"."),
    ("accounts.get(alan)", "If alan is a text, write it in quotes: \"alan\"."),
    ("accounts:get 'ada'", "Write accounts.get(key)."),
    ("ada.unlink('github.com')", "Call it with a colon: account:unlink(providerID, options)."),
    ("ada:disable 'abuse'", "Write { reason = \"…\" }."),
    ("providers.google", "Write providers[\"google.com\"]."),
    ("merge.plan(ada, ada, { customClaims = 'union' })", "Write it inside fields:"),
    ("accounts.create()", "Name a field, such as email, or uid for an account without a way in."),
    ("accounts.create {}", "Name a field, such as email, or uid for an account without a way in."),
  ])
  func `is answered with a remedy`(_ code: String, _ remedy: String) throws {
    let error = ErrorText(try #require(home.failure(code), "\(code)"))
    #expect(error.line.contains(remedy), "\(code): \(error.line)")
  }

  @Test func `names its line and its account in a script of several lines`() throws {
    let error = ErrorText(
      try #require(home.failure("for account in accounts.each() do\n  account:unlink 'x'\nend")))
    #expect(error.line.hasSuffix("(console:2, account ada)"), "\(error.line)")
    let short = ErrorText(try #require(home.failure("ada:unlink 'x'")))
    #expect(!short.line.contains("console"), "\(short.line)")
  }

  @Test func `a name of the console that was replaced is restored`() throws {
    try home.run("accounts = accounts.find(); exit = 5; print = nil; mine = 7")
    #expect(home.admin.restoreOwnNames() == ["accounts", "exit", "print"])
    #expect(try home.run("return accounts.get('ada').uid, mine") == ["ada", 7])
    #expect(try home.run("return type(print), type(exit)") == ["function", "function"])
    #expect(home.admin.restoreOwnNames().isEmpty)
  }

  @Test func `a message without a full stop gets one before its remedy`() throws {
    let error = ErrorText(
      AuthError(.weakPassword, "At least 6 characters", remedy: "Choose a longer one."))
    #expect(error.line == "weak-password: At least 6 characters. Choose a longer one.")
  }

  @Test func `an address in use is told to an admin with its account`() throws {
    try home.run("accounts.create { uid = 'alan', email = 'alan@example.com' }")
    let error = ErrorText(
      try #require(home.failure("ada:update { email = 'alan@example.com' }")))
    #expect(error.code == "email-already-in-use")
    #expect(error.line.contains("is in use by the account alan."), "\(error.line)")
  }
}
