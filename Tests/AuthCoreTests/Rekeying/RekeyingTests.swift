import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct `Rekeying subjects` {
  let home = TestHome()

  @Test func `both subjects sign in to the same account inside the window`() async throws {
    let ada = try await home.signIn(home.credential("old", email: "ada@example.com")).account
    let rekey = try await home.rekey()
    try await home.commit(rekey, ["old": "new"])

    let byNew = try await home.signIn(home.credential("new", name: "Ada"))
    let byOld = try await home.signIn(home.credential("old", name: "Ada L."))

    #expect(byNew.account.id == ada.id && byOld.account.id == ada.id && !byOld.isNewUser)
    let identities = try await home.account(ada.id).identities
    #expect(identities.map(\.key.subject) == ["new"])
    #expect(identities[0].profile.displayName == "Ada L.")
    #expect(identities[0].lastSignInAt == home.clock.now)
    #expect(byOld.receipt.trace.steps.contains { $0.rule == "replaced key" })
    #expect(!byNew.receipt.trace.steps.contains { $0.rule == "replaced key" })
  }

  @Test func `a preview counts and writes nothing`() async throws {
    for name in ["a", "b", "c", "d"] { _ = try await home.signIn(home.credential(name)) }
    _ = try await home.signIn(home.credential("n-d"))
    let before = try await home.everything()
    let rekey = try await home.rekey()

    let outcome = try await home.preview(rekey, ["a": "n-a", "b": "b", "d": "n-d"])

    #expect(outcome.rekeyed == 1 && outcome.already == 1)
    #expect(outcome.unmapped.map(\.subject).sorted() == ["c", "n-d"])
    let other = try await home.graph.account(matching: before[0].id.rawValue, in: home.scope)
    #expect(other != nil && outcome.conflicts.count == 1 && outcome.found == 5)
    #expect(try await home.everything() == before)
    #expect(try await home.graph.rekeys(in: home.scope) == [])
  }

  @Test func `after the window the old subject does not sign in and opens nothing`() async throws {
    let ada = try await home.signIn(home.credential("old")).account
    try await home.commit(home.rekey(window: 60), ["old": "new"])
    home.clock.advance(seconds: 59)
    #expect(try await home.signIn(home.credential("old")).account.id == ada.id)
    home.clock.advance(seconds: 1)
    let count = try await home.everything().count

    let error = await expectError(.subjectReplaced) {
      try await home.signIn(home.credential("old"))
    }

    #expect(try await home.everything().count == count)
    let event = try await home.graph.event(error?.eventID ?? "none", in: home.scope)
    #expect(event.errorCode == "subject-replaced" && event.accountID == ada.id)
    #expect(try await home.signIn(home.credential("new")).account.id == ada.id)
    await expectError(.subjectReplaced) {
      let other = try await home.signIn(home.credential("x", provider: TestHome.other)).account
      return try await home.graph.link(
        home.credential("old"), to: other.id, by: home.session(other.id))
    }
  }

  @Test func `rolling back restores every identity, in spite of later links`() async throws {
    let ada = try await home.signIn(home.credential("old", email: "a@example.com", name: "A"))
    _ = try await home.signIn(home.credential("kept"))
    let before = try await home.contents()
    let rekey = try await home.rekey()
    try await home.commit(rekey, ["old": "new"])
    #expect(try await home.contents() != before)

    #expect(try await home.rollBack(rekey) == 1)
    #expect(try await home.contents() == before)
    #expect(try await home.graph.rekeys(in: home.scope) == [])

    let again = try await home.rekey()
    #expect(again.id != rekey.id)
    try await home.commit(again, ["old": "new"])
    _ = try await home.signIn(home.credential("new", name: "B"))
    _ = try await home.graph.link(
      home.credential("o", provider: TestHome.other), to: ada.account.id,
      by: home.session(ada.account.id))
    try await home.rollBack(again)
    let account = try await home.account(ada.account.id)
    #expect(account.identities.map(\.key.subject) == ["old", "o"])
    #expect(account.identities[0] == ada.account.identities[0])
    await expectError(.operationNotAllowed) { try await home.finish(again) }
    // The new subject belongs to a stranger again.
    #expect(try await home.signIn(home.credential("new")).isNewUser)
  }

  @Test func `finishing forgets the old subjects, and needs force inside the window`() async throws
  {
    let ada = try await home.signIn(home.credential("old")).account
    let rekey = try await home.rekey(window: 100)
    try await home.commit(rekey, ["old": "new"])
    await expectError(.operationNotAllowed) { try await home.finish(rekey) }
    home.clock.advance(seconds: 100)

    #expect(try await home.finish(rekey) == 1)

    #expect(try await home.account(ada.id).identities[0].predecessors == [])
    #expect(try await home.graph.rekeys(in: home.scope) == [])
    await expectError(.operationNotAllowed) { try await home.rollBack(rekey) }
    #expect(try await home.signIn(home.credential("old")).isNewUser)
    #expect(try await home.signIn(home.credential("new")).account.id == ada.id)
  }

  @Test func `a renamed provider's old name goes on signing in, and vouches for nothing more`()
    async throws
  {
    try await home.trust(TestHome.other)
    let ada = try await home.signIn(
      home.credential("7", email: "ada@example.com", verified: "true")
    ).account
    let rekey = try await home.rekey(to: IdentitySource(TestHome.other), keepsSubjects: true)
    try await home.commit(rekey, ["7": "7"])
    #expect(try await home.account(ada.id).identities[0].emailVerified == false)

    let byOld = try await home.signIn(
      home.credential("7", email: "evil@example.com", verified: "true"))

    #expect(byOld.account.id == ada.id && byOld.session?.provider == TestHome.fake)
    let identity = try await home.account(ada.id).identities[0]
    #expect(identity.provider == TestHome.other && !identity.emailVerified)
    #expect(identity.profile.email == "ada@example.com")
    #expect(identity.predecessors[0].identity.profile.email == "evil@example.com")
    let byNew = try await home.signIn(
      home.credential("7", email: "a2@example.com", verified: "true", provider: TestHome.other))
    #expect(byNew.account.id == ada.id)
    #expect(try await home.account(ada.id).identities[0].emailVerified)
    _ = try await home.graph.unlink(
      TestHome.fake, from: ada.id, force: true, by: home.admin)
    #expect(try await home.account(ada.id).identities == [])
    #expect(try await home.signIn(home.credential("7")).isNewUser)
  }

  @Test func `an issuer changes for its own subjects alone`() async throws {
    let graph = home.graph
    for issuer in ["https://a.example", "https://b.example"] {
      _ = try await home.signIn(
        graph.providers.credential(TestHome.fake, ["subject": "1", "issuer": issuer]))
    }
    let rekey = try await home.rekey(
      from: IdentitySource(TestHome.fake, issuer: "https://a.example"),
      to: IdentitySource(TestHome.fake, issuer: "https://c.example"), keepsSubjects: true)
    try await home.commit(rekey, ["1": "1"])
    let issuers = try await home.everything().flatMap(\.identities).map(\.key.issuer).sorted()
    #expect(issuers == ["https://b.example", "https://c.example"])
    #expect(
      try await !home.signIn(
        graph.providers.credential(
          TestHome.fake, ["subject": "1", "issuer": "https://a.example"])
      ).isNewUser)
  }

  @Test func `an interrupted commit goes on where it was, and nothing happens twice`() async throws
  {
    for number in 0..<20 { _ = try await home.signIn(home.credential("s\(number)")) }
    let map = Dictionary(uniqueKeysWithValues: (0..<20).map { ("s\($0)", "n\($0)") })
    let rekey = try await home.rekey()
    let first = try await home.commit(rekey, map, batch: 3, batches: 2)
    #expect(first.rekeyed == 6 && !first.isComplete)

    let again = try await home.rekey(window: 5)
    #expect(again.id == rekey.id && again.window == 1000)
    let last = try await home.commit(again, map, batch: 3)
    #expect(last.rekeyed == 20 && last.isComplete && last.unmapped == 0)

    let before = try await home.everything()
    let third = try await home.commit(home.rekey(), map)
    #expect(third.rekeyed == 20 && third.conflicts == 0)
    #expect(try await home.everything() == before)
    let events = try await home.graph.events(limit: 100, in: home.scope)
      .filter { $0.action == .rekey }
    #expect(events.flatMap(\.relatedIDs).count == 20)
    let history = try await home.graph.history(of: before[0].id, limit: 10, in: home.scope)
    #expect(history.contains { $0.action == .rekey })
  }

  @Test func `a rehearsal fails if the change would, and writes nothing`() async throws {
    _ = try await home.signIn(home.credential("old"))
    var rehearsal = home.admin
    rehearsal.dryRun = true
    let rekey = try await home.rekey()
    let before = try await home.everything()
    #expect(try await home.commit(rekey, ["old": "new"], by: rehearsal).rekeyed == 1)
    #expect(try await home.everything() == before)
    #expect(try await home.graph.rekeys(in: home.scope) == [])
    try await home.commit(rekey, ["old": "new"])
    let after = try await home.everything()
    #expect(try await home.rollBack(rekey, by: rehearsal) == 1)
    #expect(try await home.finish(rekey, force: true, by: rehearsal) == 1)
    await expectError(.operationNotAllowed) { try await home.finish(rekey, by: rehearsal) }
    #expect(try await home.everything() == after)
    #expect(try await home.graph.rekeys(in: home.scope).map(\.state) == [.open])
  }

  @Test func `a rekey that changes nothing, or is about no vendor, is refused`() async throws {
    await expectError(.invalidArgument) { try await home.rekey(keepsSubjects: true) }
    await expectError(.invalidArgument) {
      try await home.rekey(from: IdentitySource(.password))
    }
    await expectError(.invalidProviderID) {
      try await home.rekey(to: IdentitySource(ProviderID("gogle.com")))
    }
    await expectError(.invalidArgument) { try await home.rekey(window: -1) }
    _ = try await home.signIn(home.credential("old"))
    await expectError(.invalidArgument) {
      try await home.commit(home.rekey(), ["old": ""])
    }
  }
}
