import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct `Moving an identity` {
  let home = TestHome()

  private func pair() async throws -> (ada: Account, bo: Account) {
    let ada = try await home.shared()
    let bo = try await home.add("bo", email: nil, identities: [TestHome.key("own")])
    return (ada, try await home.account(bo))
  }

  @Test func `it goes to the other account, and its sessions end`() async throws {
    let (ada, bo) = try await pair()
    let key = TestHome.other("bo")
    let receipt = try await home.move(key, from: ada.id, to: bo.id)
    #expect(receipt.action == .move)
    let (left, got) = try await (home.account(ada.id), home.account(bo.id))
    #expect(!left.owns(key) && got.owns(key))
    #expect(left.sessionMark != ada.sessionMark && got.sessionMark == bo.sessionMark)
    #expect(got.ownership == bo.ownership && left.ownership == ada.ownership)
    let entered = try await home.signIn(home.credential("bo", provider: TestHome.other))
    #expect(entered.account.id == bo.id && !entered.isNewUser)
  }

  @Test func `a password goes with its address, if the other account has none`() async throws {
    let (ada, bo) = try await pair()
    let email = try EmailAddress("ada@example.com")
    try await home.move(.password(email), from: ada.id, to: bo.id)
    let got = try await home.account(bo.id)
    #expect(got.email == email && got.emailVerified)
    #expect(try await home.account(ada.id).email == nil)
    let entered = try await home.signIn(home.password("ada@example.com", "first-secret"))
    #expect(entered.account.id == bo.id)
  }

  @Test func `what the other account has already is in the way`() async throws {
    let (ada, bo) = try await pair()
    await expectError(.providerAlreadyLinked) {
      try await home.move(TestHome.key("ada"), from: ada.id, to: bo.id)
    }
    try await home.update(bo.id) { $0.email = .set(try EmailAddress("bo@example.com")) }
    let email = try EmailAddress("ada@example.com")
    await expectError(.operationNotAllowed) {
      try await home.move(.password(email), from: ada.id, to: bo.id)
    }
    await expectError(.operationNotAllowed) {
      try await home.move(TestHome.key("ada"), from: ada.id, to: ada.id)
    }
    await expectError(.noSuchProvider) {
      try await home.move(TestHome.key("none"), from: ada.id, to: bo.id)
    }
    await expectError(.userNotFound) {
      try await home.move(TestHome.key("ada"), from: ada.id, to: AccountID("none"))
    }
  }

  @Test func `a number alone does not open an account with a second factor`() async throws {
    let (ada, bo) = try await pair()
    let number = try PhoneNumber("+15555550123")
    _ = try await home.graph.link(
      await home.phone(number.text), to: ada.id, by: home.session(ada.id))
    try await home.update(bo.id) {
      $0.secondFactors = [SecondFactor(id: "f", kind: .totp)]
    }
    await expectError(.unsupportedFirstFactor) {
      try await home.move(.phone(number), from: ada.id, to: bo.id)
    }
  }

  @Test func `the last way in goes only if it is forced`() async throws {
    let (ada, bo) = try await pair()
    let plan = try await home.graph.planMove(
      TestHome.key("own"), from: bo.id, to: try await home.person("cy").emptied(home),
      in: home.scope)
    #expect(plan.shutAccounts == [bo.id])
    await expectError(.lastSignInMethod) { try await home.graph.commit(plan, by: home.admin) }
    _ = try await home.graph.commit(plan, force: true, by: home.admin)
    #expect(try await home.account(bo.id).identities.isEmpty)
    #expect(try await home.account(ada.id) == ada)
  }

  @Test func `an identity that comes back opens no session from before`() async throws {
    let (ada, bo) = try await pair()
    let key = TestHome.other("bo")
    let old = home.session(ada.id)
    var caller = Caller(
      scope: home.scope,
      authority: .session(
        ada.id, signedInAt: home.clock.now, secondFactor: false, identity: key))
    caller.mark = .untold
    home.clock.advance(seconds: 5)
    try await home.move(key, from: ada.id, to: bo.id)
    home.clock.advance(seconds: 5)
    try await home.move(key, from: bo.id, to: ada.id)
    for session in [old, caller] {
      await expectError(.userTokenExpired) {
        try await home.graph.update(
          ada.id, ProfileChanges(), by: session)
      }
    }
  }
}

extension Account {
  /// Removes the account's only identity, and returns its uid.
  fileprivate func emptied(_ home: TestHome) async throws -> AccountID {
    _ = try await home.graph.unlink(TestHome.fake, from: id, force: true, by: home.admin)
    return id
  }
}
