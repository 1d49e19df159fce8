import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct `Sessions that unlinked their identity` {
  private let home = TestHome()
  private let key = IdentityKey(TestHome.other, subject: "9")

  /// Links the identity to a new account, and returns it.
  private func ada() async throws -> Account {
    let ada = try await home.person("ada")
    return try await linked(ada.id)
  }

  private func linked(_ id: AccountID) async throws -> Account {
    try await home.graph.linkForSession(
      home.credential("9", provider: TestHome.other), to: id, by: home.session(id)
    ).account
  }

  /// Returns the session that began with the identity a number of seconds ago.
  private func session(
    _ account: Account, secondsAgo seconds: Int64 = 0, of key: IdentityKey? = nil
  ) -> Caller {
    var caller = Caller(
      scope: home.scope,
      authority: .session(
        account.id, signedInAt: home.clock.now.adding(seconds: -seconds), secondFactor: false,
        identity: key ?? self.key))
    caller.mark = .of(account.sessionMark)
    return caller
  }

  private func expectOver(_ session: Caller, of key: IdentityKey? = nil) async {
    await expectError(.userTokenExpired) {
      try await home.graph.renewSession(
        provider: TestHome.other, identity: key ?? self.key, showing: nil, by: session)
    }
  }

  private func expectGoesOn(_ session: Caller, of key: IdentityKey? = nil) async throws {
    _ = try await home.graph.renewSession(
      provider: TestHome.other, identity: key ?? self.key, showing: nil, by: session)
  }

  @Test func `the session that unlinks goes on, and one of another sign-in does not`()
    async throws
  {
    let ada = try await ada()
    home.clock.advance(seconds: 60)
    let (own, other) = (session(ada), session(ada, secondsAgo: 30))
    _ = try await home.graph.unlink(TestHome.other, from: ada.id, by: own)

    try await expectGoesOn(own)
    await expectOver(other)
    #expect(try await home.account(ada.id).details.keptSessions.map(\.keys) == [[key]])
  }

  @Test func `an admin's unlink, also of the identity that was linked again, keeps none`()
    async throws
  {
    let ada = try await ada()
    let own = session(ada)
    _ = try await home.graph.unlink(TestHome.other, from: ada.id, by: own)
    home.clock.advance(seconds: 1)
    _ = try await linked(ada.id)
    try await expectGoesOn(own)

    _ = try await home.graph.unlink(TestHome.other, from: ada.id, by: home.admin)

    await expectOver(own)
    #expect(try await home.account(ada.id).details.keptSessions.isEmpty)
  }

  @Test func `attack: it keeps no other session that had to begin ahead of the clock`() async throws
  {
    let ada = try await ada()
    // An admin's machine, or another server, has a clock that is ahead.
    let end = home.clock.now.adding(seconds: 60)
    try await home.update(ada.id) { $0.validSince = end }
    func enter() async throws -> Caller {
      let grant = try #require(
        try await home.signIn(home.credential("9", provider: TestHome.other)).session)
      #expect(grant.signedInAt >= end)
      var caller = Caller(
        scope: home.scope,
        authority: .session(
          ada.id, signedInAt: grant.signedInAt, secondFactor: false, identity: key))
      caller.mark = .of(grant.mark)
      return caller
    }
    let (earlier, own, later) = (try await enter(), try await enter(), try await enter())
    for session in [earlier, own, later] { try await expectGoesOn(session) }

    _ = try await home.graph.unlink(TestHome.other, from: ada.id, by: own)

    try await expectGoesOn(own)
    for thief in [earlier, later] { await expectOver(thief) }
  }

  @Test func `it unlinks its identity again after another link`() async throws {
    let ada = try await ada()
    let own = session(ada)
    _ = try await home.graph.unlink(TestHome.other, from: ada.id, by: own)
    _ = try await linked(ada.id)
    _ = try await home.graph.unlink(TestHome.other, from: ada.id, by: own)

    try await expectGoesOn(own)
    #expect(try await home.account(ada.id).details.keptSessions.count == 1)
  }

  @Test func `an account names the four that unlinked last`() async throws {
    let ada = try await home.person("ada")
    var sessions: [(key: IdentityKey, caller: Caller)] = []
    for number in 1...5 {
      home.clock.advance(seconds: 1)
      let key = IdentityKey(TestHome.other, subject: "\(number)")
      let linked = try await home.graph.linkForSession(
        home.credential(key.subject, provider: TestHome.other), to: ada.id,
        by: home.session(ada.id))
      let own = session(linked.account, of: key)
      _ = try await home.graph.unlink(TestHome.other, from: ada.id, by: own)
      sessions.append((key, own))
    }

    await expectOver(sessions[0].caller, of: sessions[0].key)
    for (key, caller) in sessions.dropFirst() { try await expectGoesOn(caller, of: key) }
  }

  @Test func `it ends with the account's sessions`() async throws {
    let ada = try await ada()
    let own = session(ada)
    _ = try await home.graph.unlink(TestHome.other, from: ada.id, by: own)

    _ = try await home.graph.endWaysIn(["sessions"], of: ada.id, by: home.admin)

    await expectOver(own)
    #expect(try await home.account(ada.id).details.keptSessions.isEmpty)
  }

  @Test func `the undo of a merge gives it no access to the half that it left`() async throws {
    let ada = try await home.person("ada")
    let bo = try await home.person("bo")
    _ = try await linked(bo.id)
    let merged = try await home.graph.commit(
      home.graph.planMerge(keep: ada.id, absorb: bo.id, in: home.scope), by: home.admin)
    home.clock.advance(seconds: 1)
    let own = session(try await home.account(ada.id))
    _ = try await home.graph.unlink(TestHome.other, from: ada.id, by: own)
    try await expectGoesOn(own)

    _ = try await home.graph.undoMerge(merged.id, force: true, by: home.admin)

    await expectOver(own)
  }
}
