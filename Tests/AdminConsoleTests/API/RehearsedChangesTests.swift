import AuthCore
import AuthTesting
import LuaRuntime
import Testing

@testable import AdminConsole

/// Changes between `begin()` and `commit()` are decided one after the other and written together.
@Suite struct RehearsedChangesTests {
  let home: ConsoleHome

  init() throws {
    home = try ConsoleHome()
    try home.run(
      """
      ada = accounts.create { uid = "ada", email = "ada@example.com", displayName = "Ada" }
      bo = accounts.create { uid = "bo", email = "bo@example.com", displayName = "Bo" }
      """)
  }

  private func stored(_ uid: String) async throws -> Account? {
    try await home.graph.account(AccountID(uid), in: home.scope)
  }

  private func eventCount() async throws -> Int {
    try await home.graph.events(limit: 1000, in: home.scope).count
  }

  @Test func `nothing is written before the commit, and reads see the changes`() async throws {
    let events = try await eventCount()
    try home.run(
      """
      begin()
      ada:update { displayName = "Ada L." }
      cy = accounts.create { uid = "cy", email = "cy@example.com" }
      bo:disable()
      """)
    #expect(
      try home.run("return ada.displayName, bo.disabled, accounts.count()") == ["Ada L.", true, 3])
    #expect(try home.run("return #rehearsal()").first == 3)
    #expect(try home.run("return #ada:history()").first == 2)
    #expect(try await stored("ada")?.displayName == "Ada")
    #expect(try await stored("cy") == nil)
    #expect(try await eventCount() == events)

    #expect(try home.run("receipts = commit { reason = 'ticket 7' } return #receipts").first == 3)

    #expect(try await stored("ada")?.displayName == "Ada L.")
    #expect(try await stored("bo")?.disabled == true)
    #expect(try await stored("cy") != nil)
    let written = try await home.graph.events(limit: 3, in: home.scope)
    #expect(written.map(\.action) == [.disable, .create, .update])
    #expect(written.allSatisfy { $0.reason == "ticket 7" })
    #expect(home.failure("rehearsal()") != nil)
  }

  @Test func `a change sees the earlier ones, also of keys`() async throws {
    try home.run(
      """
      begin()
      ada:update { email = "ada@new.example" }
      bo:update { email = "ada@example.com", emailVerified = true }
      ada:link { providerID = "github.com", subject = "1" }
      """)
    #expect(home.failure("bo:link { providerID = 'github.com', subject = '1' }") != nil)
    #expect(try home.run("return #rehearsal()").first == 3)
    try home.run("commit()")
    #expect(try await stored("bo")?.email?.text == "ada@example.com")
    #expect(try await stored("ada")?.identities.count == 1)
  }

  @Test func `receipts of the rehearsal are those of the commit`() async throws {
    try home.run("begin() plan = merge.plan(ada, bo) receipt = plan:commit { reason = 'same' }")
    #expect(try home.run("return accounts.get('bo').uid").first == "ada")
    let before = try home.run("return tostring(receipt)").first?.stringValue
    #expect(
      before?.hasPrefix("rehearsed ") == true && before?.hasSuffix("commit() writes it") == true)
    try home.run("commit { reason = 'all' }")
    #expect(
      try home.run("return tostring(receipt)").first?.stringValue?.hasPrefix("receipt ") == true)
    #expect(try home.run("return why(receipt).reason").first == "same")
    try home.run("merge.undo(receipt)")
    #expect(try await stored("bo")?.displayName == "Bo")
  }

  @Test func `nevermind forgets everything`() async throws {
    let events = try await eventCount()
    try home.run("begin() ada:delete { reason = 'x' } bo:update { displayName = 'B' } nevermind()")
    #expect(try await stored("ada") != nil)
    #expect(try home.run("return ada.displayName, bo.displayName") == ["Ada", "Bo"])
    #expect(try await eventCount() == events)
  }

  @Test func `a refused change is not part of it, and leaves no event`() async throws {
    let events = try await eventCount()
    try home.run("begin() ada:update { displayName = 'A' }")
    #expect(home.failure("bo:unlink 'github.com'") != nil)
    try home.run("bo:disable { dryRun = true }")
    #expect(try home.run("return #rehearsal()").first == 1)
    try home.run("commit()")
    #expect(try await eventCount() == events + 1)
  }

  @Test func `what others changed stops the commit once, and is shown`() async throws {
    try home.run("begin() ada:update { displayName = 'Mine' } bo:disable()")
    let other = Caller(scope: home.scope, authority: .admin("other"))
    var changes = ProfileChanges()
    changes.photoURL = .set("https://example.com/a.png")
    _ = try await home.graph.update(AccountID("ada"), changes, by: other)

    let error = ErrorText(try #require(home.failure("commit()")))
    #expect(error.code == "too-much-contention" && error.line.contains("ada (1)"), "\(error.line)")
    #expect(try await stored("bo")?.disabled == false)
    #expect(try home.run("return ada.photoURL").first == "https://example.com/a.png")

    try home.run("commit()")
    let ada = try await stored("ada")
    #expect(ada?.displayName == "Mine" && ada?.photoURL == "https://example.com/a.png")
    #expect(try await stored("bo")?.disabled == true)
  }

  @Test func `a change that cannot be done any more is named, and nothing is written`() async throws
  {
    try home.run("begin() bo:disable() ada:update { displayName = 'Mine' }")
    let other = Caller(scope: home.scope, authority: .admin("other"))
    _ = try await home.graph.delete(AccountID("ada"), by: other)
    let error = ErrorText(try #require(home.failure("commit()")))
    #expect(error.line.contains("Change 2 of the rehearsal"), "\(error.line)")
    #expect(try await stored("bo")?.disabled == false)
    try home.run("nevermind()")
    #expect(home.failure("ada:update { displayName = 'x' }") != nil)
  }

  @Test func `the times are those of the commit`() async throws {
    let begun = home.clock.now
    try home.run("begin() receipt = ada:revokeSessions()")
    home.clock.advance(seconds: 3600)
    try home.run("commit()")
    let event = try #require(try await home.graph.events(limit: 1, in: home.scope).first)
    #expect(event.at == home.clock.now)
    #expect(try #require(try await stored("ada")?.validSince) > begun.adding(seconds: 3000))
    #expect(try home.run("return receipt.id").first == .string(event.id))
  }

  @Test func `settings are rehearsed too`() async throws {
    try home.run(
      "begin() settings.set { identitiesPerProvider = 'many' } settings.trust('github.com', 'always')"
    )
    #expect(try home.run("return settings.get().identitiesPerProvider").first == "many")
    #expect(try await home.graph.settings(of: home.scope).identitiesPerProvider == .one)
    try home.run("commit()")
    #expect(try await home.graph.settings(of: home.scope).identitiesPerProvider == .many)
  }

  @Test(arguments: [
    "auth.signIn(providers['fake.example'].credential { subject = '7' })",
    "ada:link(providers['fake.example'].credential { subject = '7' })",
    "auth.sendCode('phone', '+15555550123')",
    "auth.authorize('google.com', { redirectURI = 'https://app.example/' })",
    "ada.multiFactor:enroll 'totp'",
    "rekey:commit()", "rekey:finish()", "rekey:rollback()",
  ])
  func `what reaches beyond the store is refused by name`(_ code: String) throws {
    try home.run(
      """
      ada:link { providerID = "github.com", subject = "1" }
      rekey = providers["github.com"].rekey { map = { ["1"] = "2" } }
      begin()
      """)
    let error = ErrorText(try #require(home.failure(code)))
    #expect(error.line.contains("cannot be rehearsed"), "\(error.line)")
    #expect(error.line.contains("nevermind()"), "\(error.line)")
    #expect(try home.run("return #rehearsal()").first == 0)
  }

  @Test func `receipts have the values and what would be lost`() async throws {
    try home.run("begin() receipt = ada:update { displayName = 'A' }")
    let change = try home.run(
      "return receipt.changes[1].from, rehearsal().changes[1].changes[1].to")
    #expect(change == ["Ada", "A"])
    #expect(try home.run("return rehearsal().changes[1].what").first == "displayName: Ada → A")
    try home.run("receipt = bo:delete { reason = 'asked' }")
    #expect(try home.run("return receipt.losses.email").first?.isNil == false)
    #expect(try home.run("return commit()[2].losses.email").first?.isNil == false)
    #expect(try await stored("bo") == nil)
  }

  @Test func `what changes nothing is no part of it`() async throws {
    let events = try await eventCount()
    try home.run("begin() receipt = ada:enable()")
    #expect(try home.run("return receipt.changed, #rehearsal()") == [false, 0])
    try home.run("ada:disable() ada:disable() receipts = commit()")
    #expect(try home.run("return #receipts").first == 1)
    #expect(try await eventCount() == events + 1)
  }

  @Test func `deletions, restores and purges are rehearsed`() async throws {
    try home.run("begin() ada:delete { reason = 'asked' } accounts.restore 'ada'")
    #expect(try home.run("return accounts.get('ada').displayName").first == "Ada")
    try home.run("bo:delete { reason = 'asked' } accounts.purge 'bo' commit { reason = 'all' }")
    #expect(try await stored("ada")?.displayName == "Ada")
    #expect(try await stored("bo") == nil)
    #expect(home.failure("accounts.restore 'bo'") != nil)
  }

  @Test func `the session's own reason is that of a deletion, and commit replaces it`() async throws
  {
    #expect(home.failure("bo:delete()") != nil)
    try home.admin.session.setReason("ticket 7")
    try home.run("bo:delete()")
    #expect(
      try await home.graph.deletion(of: AccountID("bo"), in: home.scope)?.reason == "ticket 7")
    try home.run("begin() ada:delete() commit { reason = 'ticket 8' }")
    let deletion = try await home.graph.deletion(of: AccountID("ada"), in: home.scope)
    #expect(deletion?.reason == "ticket 8")
  }

  @Test(arguments: [
    "commit()", "rehearsal()", "nevermind()", "begin() begin()", "begin(1)", "begin() commit('x')",
    "begin() commit { raeson = 'x' }", "begin() nevermind(1)", "begin() rehearsal(1)",
  ])
  func `a wrong call is refused`(_ code: String) {
    #expect(home.failure(code) != nil)
  }

  @Test func `a session that always rehearses begins again`() async throws {
    home.admin.session.rehearseAlways()
    try home.run("ada:disable()")
    #expect(try await stored("ada")?.disabled == false)
    try home.run("commit() bo:disable()")
    #expect(try await stored("ada")?.disabled == true)
    #expect(try await stored("bo")?.disabled == false)
    try home.run("nevermind()")
    #expect(try home.run("return #rehearsal()").first == 0)
  }

  @Test func `it is a table on a screen, and data for programs`() throws {
    try home.run("begin() ada:update { displayName = 'A', reason = 'ticket 9' }")
    let text = try #require(try home.run("return tostring(rehearsal())").first?.stringValue)
    for part in ["update", "ada@example.com", "displayName", "ticket 9", "commit { reason = … }"] {
      #expect(text.contains(part), "\(text)")
    }
    #expect(try home.run("return rehearsal().changes[1].accountID").first == "ada")
    #expect(
      try home.run("return json.decode(json.encode(rehearsal())).changes[1].reason").first
        == "ticket 9")
  }

  @Test func `it has a bound`() async throws {
    let rehearsal = Rehearsal(of: home.graph, mostSteps: 2)
    let graph = home.graph.rehearsing(in: rehearsal)
    let caller = Caller(scope: home.scope, authority: .admin("ada"))
    _ = try await graph.setDisabled(true, AccountID("ada"), by: caller)
    _ = try await graph.setDisabled(true, AccountID("bo"), by: caller)
    let error = await #expect(throws: AuthError.self) {
      try await graph.setDisabled(false, AccountID("bo"), by: caller)
    }
    #expect(error?.message == "A rehearsal has at most 2 changes.")
    #expect(try await rehearsal.commit().count == 2)
  }
}

/// A session that only reads refuses every write, whichever function asks for it.
@Suite struct ReadOnlyTests {
  @Test func `every function that writes is refused, and dry runs work`() async throws {
    let home = try ConsoleHome()
    try home.run("accounts.create { uid = 'ada', email = 'ada@example.com' }")
    let state = try home.readOnly()
    func failure(_ code: String) -> LuaError? {
      do throws(LuaError) {
        _ = try state.call(state.compile(code, name: "console"))
        return nil
      } catch {
        return error
      }
    }
    let before = try await home.graph.events(limit: 100, in: home.scope)
    for code in [
      "accounts.create { uid = 'bo' }", "ada:update { displayName = 'A' }", "ada:disable()",
      "ada:delete()", "ada:revokeSessions()",
      "ada:link { providerID = 'github.com', subject = '1' }",
      "settings.set { totpDriftSteps = 2 }", "settings.trust('github.com', 'never')",
      "auth.signUp(providers.password.credential { email = 'c@example.com', password = 'right-horse' })",
      "auth.sendCode('phone', '+15555550123')", "ada.multiFactor:enroll 'totp'", "begin()",
    ] {
      let error = ErrorText(try #require(failure("ada = accounts.get 'ada' " + code), "\(code)"))
      #expect(error.line.contains("--read-only"), "\(code): \(error.line)")
    }
    #expect(failure("accounts.get('ada'):update { displayName = 'A', dryRun = true }") == nil)
    #expect(failure("assert(accounts.get('ada').displayName == nil)") == nil)
    #expect(try await home.graph.events(limit: 100, in: home.scope) == before)
  }

  @Test func `a store that is only read refuses what reaches it`() async throws {
    let home = try ConsoleHome()
    let graph = home.graph.on(ReadOnlyStore(home.graph.store))
    var caller = Caller(scope: home.scope, authority: .admin("ada"))
    await #expect(throws: AuthError.self) {
      try await graph.create(ProfileChanges(), uid: AccountID("bo"), by: caller)
    }
    await #expect(throws: AuthError.self) { try await graph.sweep() }
    caller.dryRun = true
    #expect(try await graph.create(ProfileChanges(), uid: AccountID("bo"), by: caller).dryRun)
    #expect(try await graph.accountCount(in: home.scope) == 0)
  }
}
