import AuthCore
import AuthTesting
import Testing
import TestSupport

/// The attacks on links, tried on splits and moves.
@Suite struct `Attacks by splits and moves` {
  private let new = AccountID("new")

  @Test func `attack 4: a code for the account from before a split works for neither`()
    async throws
  {
    let home = TestHome()
    let account = try await home.shared()
    let code = try await home.code(.resetPassword, "ada@example.com")
    try await home.split(account.id, [.password(try EmailAddress("ada@example.com"))])
    await expectError { try await home.reset(code, "another-secret") }
    let entered = try await home.signIn(home.password("ada@example.com", "first-secret"))
    #expect(entered.account.id == new)
  }

  @Test func `attack 52: a change of address under way does not follow into the new account`()
    async throws
  {
    let home = TestHome()
    let account = try await home.shared()
    let change = try await home.code(
      .verifyAndChangeEmail, new: "mallory@example.com", by: home.session(account.id))
    try await home.split(account.id, [.password(try EmailAddress("ada@example.com"))])
    await expectError { try await home.apply(change) }
    #expect(try await home.account(new).email?.text == "ada@example.com")
    #expect(try await home.account(account.id).email == nil)
  }

  @Test func `attack 37: a session of an identity that goes is over on the account it left`()
    async throws
  {
    let home = TestHome()
    let here = try await home.signIn(home.credential("here")).account
    let there = try await home.signIn(home.credential("there")).account
    let key = TestHome.other("mine")
    _ = try await home.graph.assert(
      key, profile: IdentityProfile(), on: there.id, by: home.admin)
    home.clock.advance(seconds: 5)
    let begun = try await home.signIn(home.credential("mine", provider: TestHome.other))
    let session = Caller(
      scope: home.scope,
      authority: .session(
        there.id, signedInAt: home.clock.now, secondFactor: false, identity: key))
    home.clock.advance(seconds: 5)

    _ = try await home.graph.move(
      home.credential("mine", provider: TestHome.other),
      by: OwnMove(from: home.proof(begun.account), to: home.proof(here)))

    await expectError(.userTokenExpired) { try await home.graph.delete(there.id, by: session) }
  }

  @Test func `attack 8: proof of one identity moves no other one`() async throws {
    let home = TestHome()
    let mallory = try await home.signIn(home.credential("mallory")).account
    let own = try await home.signIn(home.credential("own", provider: TestHome.other)).account
    let victim = try await home.shared()
    // The proof of mallory's own second account does not reach the victim's identity.
    await expectError(.operationNotAllowed) {
      try await home.graph.move(
        home.credential("bo", provider: TestHome.other),
        by: OwnMove(from: home.proof(own), to: home.proof(mallory)))
    }
    #expect(try await home.account(victim.id) == victim)
  }

  @Test func `attack 10: a code that was sent for another account's link moves nothing`()
    async throws
  {
    let home = TestHome()
    let here = try await home.signIn(home.credential("here")).account
    let there = try await home.shared()
    let link = try await home.emailLink("ada@example.com", for: there.id)
    await expectError {
      try await home.graph.move(
        link, by: OwnMove(from: home.proof(there), to: home.proof(here)))
    }
    #expect(try await home.account(there.id).identities == there.identities)
  }

  @Test func `attack 25: a stolen session takes no identity without its credential`() async throws {
    let home = TestHome()
    let victim = try await home.shared()
    let mallory = try await home.signIn(home.credential("mallory")).account
    // The thief has both sessions, and a credential of an identity of their own.
    await expectError(.operationNotAllowed) {
      try await home.graph.move(
        home.credential("mallory"),
        by: OwnMove(from: home.proof(victim), to: home.proof(mallory)))
    }
    await expectError(.invalidCredential) {
      try await home.graph.move(
        home.password("ada@example.com", "guessed-secret"),
        by: OwnMove(from: home.proof(victim), to: home.proof(mallory)))
    }
    #expect(try await home.account(victim.id) == victim)
  }

  @Test func `attack 41: an unverified address does not come behind a second factor`()
    async throws
  {
    let home = TestHome()
    let there = try await home.withPassword("victim@example.com", verified: false)
    _ = try await home.graph.assert(
      TestHome.key("spare"), profile: IdentityProfile(), on: there.id, by: home.admin)
    let here = try await home.signIn(home.credential("here", provider: TestHome.other)).account
    try await home.update(here.id) { $0.secondFactors = [SecondFactor(id: "f", kind: .totp)] }
    let (from, to) = try await (home.account(there.id), home.account(here.id))
    await expectError(.unverifiedEmail) {
      try await home.graph.move(
        home.password("victim@example.com", "first-secret"),
        by: OwnMove(
          from: home.proof(from),
          to: home.proof(to, factor: SessionGrant.Factor(kind: "totp", id: "f"))))
    }
    await expectError(.unverifiedEmail) {
      try await home.graph.planMove(
        .password(try EmailAddress("victim@example.com")), from: from.id, to: to.id,
        in: home.scope)
    }
  }

  @Test func `attack 69: a number does not stay where its identity is not`() async throws {
    let home = TestHome()
    let account = try await home.shared()
    let number = try PhoneNumber("+15555550123")
    _ = try await home.graph.link(
      await home.phone(number.text), to: account.id, by: home.session(account.id))
    await expectError(.operationNotAllowed) {
      try await home.planSplit(account.id, [.phone(number)], [.phoneNumber: .keep])
    }
    try await home.split(account.id, [.phone(number)])
    let entered = try await home.signIn(await home.phone(number.text))
    #expect(entered.account.id == new)
    #expect(try await home.account(account.id).phoneNumber == nil)
  }

  @Test func `attack 27: a move changes nobody's session to another account`() async throws {
    let home = TestHome()
    let here = try await home.signIn(home.credential("here")).account
    let there = try await home.shared()
    let result = try await home.graph.move(
      home.credential("bo", provider: TestHome.other),
      by: OwnMove(from: home.proof(there), to: home.proof(here)))
    #expect(result.account.id == here.id)
    #expect(result.receipt.trace.steps.contains { $0.rule == "owner of the identity" })
  }
}
