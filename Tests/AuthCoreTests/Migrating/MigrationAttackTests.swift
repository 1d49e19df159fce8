import AuthCore
import Testing
import TestSupport

@Suite struct `Attacks by way of an old system` {
  @Test func `an account with another way in is not entered, whatever the old system says`()
    async throws
  {
    let old = OldSystem(.person(email: "ada@example.com", verified: true))
    let home = try await TestHome.moving(from: old)
    try await home.trust(old.id)
    let linked = try await home.signIn(
      home.credential("g1", email: "ada@example.com", verified: "false"))

    await expectError(.invalidCredential) {
      try await home.signIn(home.password("ada@example.com", "opensesame"))
    }
    #expect(old.asked.count == 0)
    #expect(try await home.account(linked.account.id) == linked.account)
  }

  @Test func `an account that appears while the old system is asked is not entered`() async throws {
    let arrival = Gate()
    let old = OldSystem(.person(email: "ada@example.com", verified: true), gate: arrival)
    let home = try await TestHome.moving(from: old)
    async let waiting = expectError(.invalidCredential) {
      try await home.signIn(home.password("ada@example.com", "opensesame"))
    }
    while old.asked.count == 0 { await Task.yield() }
    let stranger = try await home.graph.signUp(
      home.password("ada@example.com", "strangers-own"), by: home.anyone)
    arrival.open()

    _ = await waiting
    #expect(try await home.everything().map(\.id) == [stranger.account.id])
    _ = try await home.signIn(home.password("ada@example.com", "strangers-own"))
  }

  @Test func `an answer about another address creates nothing`() async throws {
    let old = OldSystem(.person(email: "eve@example.com", verified: true))
    let home = try await TestHome.moving(from: old)
    try await home.trust(old.id)

    await expectError(.invalidCredential) {
      try await home.signIn(home.password("ada@example.com", "opensesame"))
    }
    #expect(try await home.everything().isEmpty)
  }

  @Test func `a disabled account stays closed`() async throws {
    let old = OldSystem()
    let home = try await TestHome.moving(from: old)
    try await home.importWaiting { $0.disabled = true }

    await expectError(.userDisabled) {
      try await home.signIn(home.password("ada@example.com", "opensesame"))
    }
    #expect(try await home.account(AccountID("u1")).passwordIdentity?.secret == nil)
  }

  @Test func `a password that was chosen here ends the old one`() async throws {
    let old = OldSystem()
    let home = try await TestHome.moving(from: old)
    try await home.importWaiting()
    try await home.update(AccountID("u1")) { $0.password = Secret("chosen-here") }

    await expectError(.invalidCredential) {
      try await home.signIn(home.password("ada@example.com", "opensesame"))
    }
    #expect(old.asked.count == 0)
    let result = try await home.signIn(home.password("ada@example.com", "chosen-here"))
    #expect(result.account.id == AccountID("u1"))
  }

  @Test func `the owner of a waiting account links a password of its own`() async throws {
    let old = OldSystem()
    let home = try await TestHome.moving(from: old)
    try await home.importWaiting()

    _ = try await home.graph.link(
      home.password("ada@example.com", "chosen-here"), to: AccountID("u1"),
      by: home.session(AccountID("u1")))

    let account = try await home.account(AccountID("u1"))
    #expect(account.identities.count == 1)
    #expect(account.passwordIdentity?.isElsewhere == false)
    #expect(old.asked.count == 0)
  }

  @Test func `a new address does not bring the old system's person of that address`() async throws {
    let old = OldSystem()
    let home = try await TestHome.moving(from: old)
    try await home.importWaiting { account in
      account.email = try? EmailAddress("mallory@example.com")
      account.identities =
        account.email.map {
          [
            Identity(key: .password($0), origin: .imported, linkedAt: account.createdAt),
            Identity(
              key: IdentityKey(.google, subject: "m-1"), origin: .imported,
              linkedAt: account.createdAt),
          ]
        } ?? []
    }
    try await home.update(AccountID("u1")) {
      $0.email = .set(try EmailAddress("ada@example.com"))
    }

    await expectError(.invalidCredential) {
      try await home.signIn(home.password("ada@example.com", "opensesame"))
    }
    #expect(old.asked.count == 0)
  }

  /// The ways in which an account leaves its address.
  enum Leaving: CaseIterable, Sendable {
    case deleted, deletedWithOthers, deletedWhileWaiting, givenAnotherAddress, unlinked
  }

  @Test(arguments: Leaving.allCases)
  func `the old system makes no account anew of an address that one left`(
    _ leaving: Leaving
  ) async throws {
    let old = OldSystem()
    let home = try await TestHome.moving(from: old)
    let right = try home.password("ada@example.com", "opensesame")
    let id: AccountID
    if leaving == .deletedWhileWaiting {
      try await home.importWaiting()
      id = AccountID("u1")
    } else {
      id = try await home.signIn(right).account.id
    }
    switch leaving {
    case .deleted, .deletedWhileWaiting: _ = try await home.graph.delete(id, by: home.admin)
    case .deletedWithOthers:
      _ = try await home.graph.deleteMany([id], force: true, by: home.admin)
    case .givenAnotherAddress:
      try await home.update(id) { $0.email = .set(try EmailAddress("ada@new.example.com")) }
    case .unlinked:
      _ = try await home.graph.unlink(.password, from: id, force: true, by: home.admin)
      try await home.update(id) { $0.email = .set(try EmailAddress("ada@new.example.com")) }
    }
    let (asked, accounts) = (old.asked.count, try await home.everything().count)

    await expectError(.invalidCredential) { try await home.signIn(right) }
    #expect(old.asked.count == asked)
    #expect(try await home.everything().count == accounts)
    let fresh = try await home.graph.signUp(
      home.password("ada@example.com", "chosen-anew"), by: home.anyone)
    #expect(fresh.account.id != id)
  }

  @Test func `the old system's word is no sign-in of its own`() async throws {
    let old = OldSystem()
    let home = try await TestHome.moving(from: old)
    let credential = try home.graph.providers.credential(
      old.id, ["email": "ada@example.com", "password": "opensesame"])

    await expectError(.operationNotAllowed) { try await home.signIn(credential) }
    let bob = try await home.graph.signUp(
      home.password("bob@example.com", "secret-2"), by: home.anyone)
    await expectError(.operationNotAllowed) {
      try await home.graph.link(
        credential, to: bob.account.id, by: home.session(bob.account.id))
    }
    #expect(old.asked.count == 0)
  }

  @Test func `the time of a refusal does not tell who has a password here`() async throws {
    let old = OldSystem(delay: .milliseconds(300))
    let home = try await TestHome.moving(from: old)
    _ = try await home.graph.signUp(home.password("bob@example.com", "secret-2"), by: home.anyone)
    await expectError(.invalidCredential) {
      try await home.signIn(home.password("nobody@example.com", "guess-it"))
    }

    let begin = ContinuousClock.now
    await expectError(.invalidCredential) {
      try await home.signIn(home.password("bob@example.com", "guess-it"))
    }
    #expect(ContinuousClock.now - begin >= .milliseconds(290))
    #expect(old.asked.count == 1)
  }

  @Test func `a second factor is asked for before anything is kept`() async throws {
    let old = OldSystem()
    let home = try await TestHome.moving(from: old)
    try await home.importWaiting(verified: true) { account in
      guard let number = try? PhoneNumber("+16505550101") else { return }
      account.secondFactors = [
        SecondFactor(
          id: "f1", kind: .phone(number), displayName: nil,
          enrolledAt: account.createdAt.text(withMilliseconds: true))
      ]
    }

    let error = await expectError(.secondFactorRequired) {
      try await home.signIn(home.password("ada@example.com", "opensesame"))
    }
    #expect(error?.resolver != nil)
    #expect(try await home.account(AccountID("u1")).passwordIdentity?.secret == nil)
  }
}
