import AuthCore
import LuaRuntime
import NIOConcurrencyHelpers
import TerminalOutput
import Testing

@testable import AdminConsole

/// Deleting accounts in the console, and restoring them.
@Suite struct `Deletions in the console` {
  let home: ConsoleHome

  init() throws {
    home = try ConsoleHome()
    try home.run("a = accounts.create { uid = 'ada', email = 'ada@example.com' }")
    try home.run("a:link { providerID = 'github.com', subject = '7' }")
  }

  private var count: Int64? { try? home.run("return accounts.count()").first?.integerValue }

  private func printed(_ code: String) throws -> String {
    let results = try home.admin.call(home.admin.compile(code, name: "console"))
    let text = ValueText(state: home.admin.state, session: home.admin.session)
    let profile = home.admin.session.output.profile
    return results.map { text.painted($0).text(for: profile) }.joined(separator: "\n")
  }

  /// Returns the error with which code ends, as one line; nil if it works.
  private func message(_ code: String) -> String? {
    home.failure(code).map { ErrorText($0).line }
  }

  /// Answers the questions of a terminal one after the other, and returns the questions.
  private func answering(_ answers: [String], _ body: () throws -> Void) rethrows -> [String] {
    let session = home.admin.session
    let host = AnsweringHost(answers)
    (session.host, session.output.look.isConversation) = (host, true)
    defer { (session.host, session.output.look.isConversation) = (LocalHost(), false) }
    try body()
    return host.state.withLockedValue { state in
      #expect(state.left.isEmpty)
      return state.questions
    }
  }

  @Test func `a script gives a reason, and is not asked`() throws {
    for options in ["()", " {}", " { reason = ' ' }", " { forever = true }"] {
      let message = self.message("a:delete\(options)")
      #expect(message?.contains("A deletion needs a reason") == true, "\(options)")
    }
    #expect(count == 1)
    try home.run("a:delete { reason = 'ticket 7' }")
    #expect(count == 0)
    try home.run("r = audit.tail(1)[1]")
    #expect(try home.run("return r.reason, r.action") == ["ticket 7", "delete"])
  }

  @Test func `a rehearsal says what would be lost`() throws {
    let losses = try home.run("return a:delete({ dryRun = true }).losses").first?.tableValue
    #expect(losses?["email"] == "ada@example.com" && losses?["waysIn"] == 0)
    #expect(losses?["identities"].tableValue?.array == ["github.com/7"])
    #expect(losses?["restorableUntil"].stringValue != nil)
    let unlink = "a:unlink('github.com', { force = true, dryRun = true })"
    let waysIn = try home.run("return \(unlink).losses.waysIn, \(unlink).losses.identities[1]")
    #expect(waysIn == [0, "github.com/7"])
    #expect(count == 1)
  }

  @Test func `a terminal is asked, with the name and the losses`() throws {
    let questions = try answering(["y", "asked for it"]) { try home.run("a:delete()") }
    #expect(questions.count == 2 && questions[1] == "Reason: ")
    for text in [
      "Delete account ada ada@example.com?", "identities: github.com/7", "address: ada@example.com",
      "accounts.restore \"ada\"", "[y/N, a for all]",
    ] {
      #expect(questions.first?.contains(text) == true, "\(text) is not in \(questions)")
    }
    #expect(try home.run("return audit.tail(1)[1].reason") == ["asked for it"])
  }

  @Test func `any other answer deletes nothing, and neither does an empty reason`() throws {
    for answers in [[""], ["n"], ["yess"], ["y", ""], ["y", "  "]] {
      _ = answering(answers) { #expect(home.failure("a:delete()") != nil) }
    }
    #expect(count == 1)
    let asked = answering([]) { #expect(home.failure("a:delete({ dryRun = true }):x()") != nil) }
    #expect(asked.isEmpty)
  }

  @Test func `all of one input are agreed to, and those of the next are asked again`() throws {
    for uid in ["b", "c", "d"] { try home.run("accounts.create { uid = '\(uid)' }") }
    let questions = try answering(["a"]) {
      try home.run("for _, u in ipairs { 'b', 'c' } do accounts.get(u):delete { reason = 'x' } end")
    }
    #expect(questions.count == 1 && count == 2)
    let again = answering(["n"]) {
      #expect(home.failure("accounts.get 'd':delete { reason = 'x' }") != nil)
    }
    #expect(again.count == 1 && count == 2)
  }

  @Test func `a question cannot be drawn over by a name`() throws {
    try home.run("a:update { displayName = '\\27[2Jx', email = json.null, force = true }")
    let questions = answering(["n"]) { #expect(home.failure("a:delete()") != nil) }
    #expect(questions.first?.contains("\u{1B}") == false)
  }

  @Test func `a deleted account is printed with its deletion, and comes back`() throws {
    try home.run("a:delete { reason = 'ticket 7' }")
    let text = try printed("return a")
    for part in ["deleted", "admin:ada", "ticket 7", "accounts.restore \"ada\", until "] {
      #expect(text.contains(part), "\(part) is not in \(text)")
    }
    #expect(try home.run("return #a:history() > 1, a:history()[1].action") == [true, "delete"])
    #expect(try home.run("return a:restore({ dryRun = true }).dryRun") == [true])
    try home.run("a:restore { reason = 'a mistake' }")
    #expect(try home.run("return accounts.get('ada').email") == ["ada@example.com"])
    #expect(message("a:restore {}")?.contains("exists") == true)
    #expect(home.failure("a:update { displayName = 'x' }") != nil)

    try home.run("accounts.get('ada'):delete { reason = 'x', forever = true }")
    #expect(try printed("return a").contains("cannot be restored"))
    #expect(message("accounts.restore 'ada'")?.contains("is kept") == true)
  }

  @Test func `a restore by uid leaves out what others have, and a purge frees the uid`() throws {
    try home.run("a:delete { reason = 'x' }")
    try home.run("accounts.create { uid = 'bo', email = 'ada@example.com' }")
    #expect(message("accounts.restore 'ada'")?.contains("the address ada@example.com") == true)
    try home.run("accounts.restore('ada', { force = true, reason = 'x' })")
    let left = try home.run("ada = accounts.get 'ada' return ada.email, #ada.providerData")
    #expect(left == [.nil, 1])
    try home.run("accounts.get('ada'):delete { reason = 'x' }")
    #expect(home.failure("accounts.create { uid = 'ada' }") != nil)
    try home.run("accounts.purge('ada', { reason = 'x' })")
    try home.run("accounts.create { uid = 'ada' }")
    #expect(count == 2)
  }

  @Test func `history and why show the values before and after`() throws {
    try home.run("r = a:update { email = 'b@example.com', password = 'opensesame' }")
    let why = try printed("return why(r)")
    for part in ["email", "ada@example.com", "b@example.com", "password", "before", "after"] {
      #expect(why.contains(part), "\(part) is not in \(why)")
    }
    #expect(!why.contains("opensesame"))
    let history = try printed("return a:history(1)")
    #expect(history.contains("what"), "\(history)")
    let changes = try home.run("return a:history(1)[1].changes").first?.tableValue?.array
    let email = changes?.compactMap(\.tableValue).first { $0["name"] == "email" }
    #expect(email?["from"] == "ada@example.com" && email?["to"] == "b@example.com")
  }
}

/// A terminal at which somebody gives answers, one after the other.
private final class AnsweringHost: ConsoleHost {
  let state: NIOLockedValueBox<(left: ArraySlice<String>, questions: [String])>

  init(_ answers: [String]) {
    state = NIOLockedValueBox((answers[...], []))
  }

  func answer(_ question: String, unless isInterrupted: () -> Bool) throws -> String {
    state.withLockedValue { state in
      state.questions.append(question)
      return state.left.popFirst() ?? ""
    }
  }

  func contents(of path: String, atMost limit: Int) throws(InputFile.Unreadable) -> [UInt8] {
    throw InputFile.Unreadable(reason: "there are no files")
  }

  func create(_ path: String, _ bytes: [UInt8]) throws(AuthError) {
    throw AuthError(.operationNotAllowed, "there are no files")
  }

  func write(_ bytes: [UInt8], to path: String, overwrite: Bool) throws(AuthError) {
    throw AuthError(.operationNotAllowed, "there are no files")
  }

  func secret(_ question: String, unless isInterrupted: () -> Bool) throws -> Secret<String> {
    throw AuthError(.operationNotAllowed, "there is no keyboard")
  }

  func interruptible<Value>(_ interrupt: LuaInterrupt, _ body: () -> Value) -> Value { body() }
}
