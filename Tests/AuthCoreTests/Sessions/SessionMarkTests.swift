import AuthTesting
import Testing
import TestSupport

@testable import AuthCore

/// A mark that changes with the account decides which sessions are over, and no clock does.
@Suite struct `The mark of sessions` {
  let home = TestHome()

  /// Renews a session as its refresh token's record describes it.
  private func renew(_ grant: SessionGrant) async throws -> SessionGrant {
    var caller = Caller(
      scope: home.scope,
      authority: .session(
        grant.account, signedInAt: grant.signedInAt, secondFactor: grant.secondFactor != nil,
        identity: grant.identity))
    caller.mark = .of(grant.mark)
    return try await home.graph.renewSession(
      provider: grant.provider, identity: grant.identity, showing: grant.secondFactor, by: caller
    ).session
  }

  private func signIn() async throws -> SessionGrant {
    try #require(try await home.signIn(home.credential("1")).session)
  }

  @Test func `D5: the mark stays while sessions go on, and each end changes it`() async throws {
    let first = try await signIn()
    let id = first.account
    home.clock.advance(seconds: 60)
    #expect(try await signIn().mark == first.mark)
    try await home.update(id) { $0.displayName = .set("Ada") }
    #expect(try await home.account(id).sessionMark == first.mark)
    #expect(try await renew(first).mark == first.mark)

    var seen: Set<SessionMark?> = [first.mark]
    for _ in 0..<20 {
      _ = try await home.graph.revokeSessions(of: id, by: home.admin)
      #expect(seen.insert(try await home.account(id).sessionMark).inserted)
    }
    _ = try await home.graph.delete(id, by: home.admin)
    _ = try await home.graph.create(ProfileChanges(), uid: id, by: home.admin)
    #expect(seen.insert(try await home.account(id).sessionMark).inserted)
    _ = try await home.graph.revokeSessions(of: id, by: home.admin)
    #expect(seen.insert(try await home.account(id).sessionMark).inserted)
  }

  @Test(arguments: [-86_400, -300, -2, 0, 2, 300, 86_400] as [Int64])
  func `D5: a revocation ends earlier sessions, at any time of the clock`(
    _ seconds: Int64
  ) async throws {
    let old = try await signIn()
    home.clock.advance(seconds: seconds)
    _ = try await home.graph.revokeSessions(of: old.account, by: home.admin)
    let account = try await home.account(old.account)
    home.clock.advance(seconds: -seconds)

    await expectError(.userTokenExpired) { try await renew(old) }
    // Admin SDKs compare whole seconds.
    let since = try #require(account.validSince)
    #expect(
      seconds == 0 || old.signedInAt.milliseconds / 1000 < since.milliseconds / 1000)
    let new = try await signIn()
    #expect(new.signedInAt >= since)
    #expect(try await renew(new).mark == account.sessionMark)
    await expectError(.userTokenExpired) { try await renew(old) }
  }

  @Test func `D5: a moment that an admin names ends every session if it may mean now`()
    async throws
  {
    for (past, isNow) in [(0, true), (300, true), (600, true), (601, false), (86_400, false)] {
      home.clock.advance(seconds: 7200)
      let old = try await signIn()
      home.clock.advance(seconds: 1)
      let moment = home.clock.now.adding(seconds: -Int64(past))
      try await home.update(old.account) { $0.validSince = moment }
      let account = try await home.account(old.account)
      if isNow {
        await expectError(.userTokenExpired) { try await renew(old) }
        #expect(try #require(account.validSince) > old.signedInAt)
      } else {
        #expect(account.validSince == moment)
        #expect(try await renew(old).account == old.account)
      }
    }
  }

  @Test func `D5: a moment of the past ends earlier sessions`() async throws {
    let old = try await signIn()
    home.clock.advance(seconds: 7200)
    let moment = home.clock.now
    home.clock.advance(seconds: 7200)
    let new = try await signIn()
    try await home.update(old.account) { $0.validSince = moment }
    await expectError(.userTokenExpired) { try await renew(old) }
    #expect(try await renew(new).account == old.account)
  }

  @Test func `D5: a time that no clock can have had moves no end of sessions`() async throws {
    let old = try await signIn()
    try await home.update(old.account) { $0.lastSignInAt = .init(milliseconds: .max) }
    _ = try await home.graph.revokeSessions(of: old.account, by: home.admin)
    let account = try await home.account(old.account)
    #expect(try #require(account.validSince) <= home.clock.now.adding(seconds: 1))
    await expectError(.userTokenExpired) { try await renew(old) }
  }

  @Test func `D5: an identity that is linked again is a new one, also if the clock is behind`()
    async throws
  {
    let ada = try await home.person("ada")
    let key = IdentityKey(TestHome.other, subject: "9")
    func assert() async throws {
      _ = try await home.graph.assert(key, profile: .init(), on: ada.id, by: home.admin)
    }
    try await assert()
    func enter() async throws -> SessionGrant {
      try #require(
        try await home.signIn(home.credential("9", provider: TestHome.other)).session)
    }
    let old = try await enter()
    home.clock.advance(seconds: -300)
    _ = try await home.graph.unlink(TestHome.other, from: ada.id, by: home.admin)
    try await assert()
    await expectError(.userTokenExpired) { try await renew(old) }
    #expect(try await renew(enter()).account == ada.id)
    home.clock.advance(seconds: 300)
    await expectError(.userTokenExpired) { try await renew(old) }
    #expect(try await renew(enter()).account == ada.id)
  }

  @Test func `D5: the newest session is known, also after a sign-in with a clock that is behind`()
    async throws
  {
    let ahead = try await signIn()
    home.clock.advance(seconds: -300)
    _ = try await signIn()
    _ = try await home.graph.revokeSessions(of: ahead.account, by: home.admin)
    #expect(try #require(try await home.account(ahead.account).validSince) > ahead.signedInAt)
  }

  @Test func `D5: an undone merge brings no ended session back, and gives no mark again`()
    async throws
  {
    let (keep, absorb) = (try await home.person("ada"), try await home.person("bo"))
    _ = try await home.enrollTOTP(absorb.id)
    let before = try #require(
      try await home.signIn(home.credential("ada")).session, "ada has no factor yet")
    let plan = try await home.graph.planMerge(keep: keep.id, absorb: absorb.id, in: home.scope)
    let merge = try await home.graph.commit(plan, by: home.admin)
    let merged = try await home.account(keep.id).sessionMark
    await expectError(.userTokenExpired) { try await renew(before) }
    _ = try await home.graph.undoMerge(merge.id, by: home.admin)

    let undone = try await home.account(keep.id).sessionMark
    #expect(undone != merged && undone != before.mark)
    await expectError(.userTokenExpired) { try await renew(before) }
    _ = try await home.graph.revokeSessions(of: keep.id, by: home.admin)
    let after = try await home.account(keep.id).sessionMark
    #expect(![before.mark, merged, undone].contains(after))
  }

  @Test func `D5: sessions of a version without the mark end as they did, and by the next end`()
    async throws
  {
    let grant = try await signIn()
    let id = grant.account
    // In the records of earlier versions sessions name the ownership, or no mark.
    let ownership = try #require(try await home.account(id).ownership)
    #expect(grant.mark == SessionMark(mark: ownership.mark))
    let time = home.clock.now
    try await home.store.write { writer in
      let account = try #require(try writer.account(id, in: home.scope))
      var old = account
      (old.ownership, old.validSince) = (nil, time)
      try writer.update(old, replacing: account)
    }
    func caller(begun: Timestamp) -> Caller {
      var caller = home.session(id, signedInAt: begun)
      caller.mark = .of(nil)
      return caller
    }
    func renew(begun: Timestamp) async throws {
      _ = try await home.graph.renewSession(
        provider: TestHome.fake, showing: nil, by: caller(begun: begun))
    }
    try await renew(begun: time)
    await expectError(.userTokenExpired) { try await renew(begun: time.adding(seconds: -1)) }
    _ = try await home.graph.revokeSessions(of: id, by: home.admin)
    await expectError(.userTokenExpired) { try await renew(begun: time.adding(seconds: 60)) }
  }
}
