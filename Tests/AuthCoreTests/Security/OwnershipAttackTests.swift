import AuthCore
import AuthTesting
import Testing
import TestSupport

/// Attacks on the ownership of accounts; the numbers are rows of the project's list of attacks.
@Suite struct `Ownership attacks` {
  let home = TestHome()

  /// Creates an attacker's account with the victim's address, unverified, and a password.
  private func squat(_ home: TestHome) async throws -> Account {
    try await home.graph.signUp(home.password("victim@example.com", "attacker"), by: home.anyone)
      .account
  }

  private func victim(_ home: TestHome) throws -> Credential {
    try home.credential("victim", email: "victim@example.com", verified: "true")
  }

  @Test func `1: classic-federated merge leaves the attacker's password outside`() async throws {
    let squatted = try await squat(home)
    try await home.trust(TestHome.fake)
    home.clock.advance(seconds: 60)
    let entered = try await home.signIn(victim(home))
    #expect(entered.account.id == squatted.id)
    #expect(entered.receipt.action == .takeOver)
    #expect(entered.account.identities.map(\.provider) == [TestHome.fake])
    await expectError(.invalidCredential) {
      try await home.signIn(home.password("victim@example.com", "attacker"))
    }
  }

  @Test func `2: unexpired session of the attacker ends with the take-over`() async throws {
    let squatted = try await squat(home)
    let stolen = home.session(squatted.id)
    try await home.trust(TestHome.fake)
    home.clock.advance(seconds: 60)
    _ = try await home.signIn(victim(home))
    await expectError(.userTokenExpired) {
      try await home.graph.link(
        home.credential("evil", provider: TestHome.other), to: squatted.id, by: stolen)
    }
  }

  @Test func `3: trojan identifier linked before the victim came is gone`() async throws {
    let squatted = try await squat(home)
    _ = try await home.graph.link(
      home.credential("evil", provider: TestHome.other), to: squatted.id,
      by: home.session(squatted.id))
    try await home.update(squatted.id) { $0.phoneNumber = .set(try PhoneNumber("+15550100123")) }
    try await home.trust(TestHome.fake)
    let entered = try await home.signIn(victim(home))
    #expect(entered.account.phoneNumber == nil)
    let attacker = try await home.signIn(home.credential("evil", provider: TestHome.other))
    #expect(attacker.account.id != squatted.id)
  }

  @Test func `3: trojan identity of the victim's own provider does not keep the victim out`()
    async throws
  {
    let squatted = try await squat(home)
    _ = try await home.graph.link(
      home.credential("evil", email: "evil@example.com", verified: "true"), to: squatted.id,
      by: home.session(squatted.id))
    try await home.trust(TestHome.fake)
    let entered = try await home.signIn(victim(home))
    #expect(entered.receipt.action == .takeOver)
    #expect(entered.account.identities.map(\.key.subject) == ["victim"])
  }

  @Test func `a session grants itself nothing that only an admin may`() async throws {
    let account = try await home.signIn(home.credential("1", email: "a@example.com")).account
    var changes: [ProfileChanges] = Array(repeating: ProfileChanges(), count: 4)
    changes[0].emailVerified = true
    changes[1].customClaims = .set(try CustomClaims(text: #"{"admin":true}"#))
    changes[2].phoneNumber = .set(try PhoneNumber("+15550100123"))
    changes[3].disabled = false
    for change in changes {
      await expectError(.operationNotAllowed) {
        try await home.graph.update(account.id, change, by: home.session(account.id))
      }
    }
    var named = ProfileChanges()
    named.displayName = .set("Ada")
    _ = try await home.graph.update(account.id, named, by: home.session(account.id))
  }

  @Test func `4: unexpired e-mail change cannot be finished by an older session`() async throws {
    let squatted = try await squat(home)
    let stolen = home.session(squatted.id)
    try await home.trust(TestHome.fake)
    home.clock.advance(seconds: 60)
    _ = try await home.signIn(victim(home))
    var change = ProfileChanges()
    change.email = .set(try EmailAddress("attacker@example.com"))
    let late = change
    await expectError(.userTokenExpired) {
      try await home.graph.update(squatted.id, late, by: stolen)
    }
    #expect(try await home.account(squatted.id).email?.text == "victim@example.com")
  }

  @Test(arguments: ["false", "FALSE", "1", "yes", nil])
  func `5: a non-verifying provider never links`(claim: String?) async throws {
    try await home.trust(TestHome.fake)
    try await home.trust(TestHome.other)
    let owner = try await home.signIn(victim(home)).account
    await expectError(.accountExistsWithDifferentCredential) {
      try await home.signIn(
        home.credential(
          "evil", email: "victim@example.com", verified: claim, provider: TestHome.other))
    }
    #expect(try await home.account(owner.id).identities.count == 1)
  }

  @Test func `15: a token for any e-mail is keyed by its subject`() async throws {
    try await home.trust(TestHome.fake)
    let owner = try await home.signIn(victim(home)).account
    let renamed = try await home.signIn(
      home.credential("victim", email: "new@example.com", verified: "true"))
    #expect(renamed.account.id == owner.id)
    #expect(renamed.account.email?.text == "victim@example.com")
    await expectError(.accountExistsWithDifferentCredential) {
      try await home.signIn(home.credential("evil", email: "victim@example.com", verified: "true"))
    }
  }

  @Test func `23: a recycled e-mail with a new subject does not enter`() async throws {
    try await home.trust(TestHome.fake)
    let owner = try await home.signIn(victim(home)).account
    let error = await expectError(.accountExistsWithDifferentCredential) {
      try await home.signIn(home.credential("heir", email: "victim@example.com", verified: "true"))
    }
    let event = try await home.graph.event(#require(error?.eventID), in: home.scope)
    #expect(event.trace.steps.last?.rule == "recycled e-mail")
    #expect(try await home.account(owner.id).identities.map(\.key.subject) == ["victim"])
    #expect(!TrustPolicy.production.trusts(.google, for: try EmailAddress("a@old-company.example")))
  }

  @Test func `26: a link error does not disclose the other account`() async throws {
    let owner = try await home.signIn(
      home.credential("9", email: "secret@example.com", provider: TestHome.other, name: "Secret")
    ).account
    let account = try await home.signIn(home.credential("1")).account
    let error = await expectError(.credentialAlreadyInUse) {
      try await home.graph.link(
        home.credential("9", provider: TestHome.other), to: account.id, by: home.session(account.id)
      )
    }
    let shown = try #require(error).description
    for secret in [owner.id.rawValue, "secret@example.com", "Secret"] {
      #expect(!shown.contains(secret))
    }
    let event = try await home.graph.event(#require(error?.eventID), in: home.scope)
    #expect(event.relatedIDs == [owner.id])
  }

  @Test func `26: a sign-in does not reveal which addresses have accounts`() async throws {
    _ = try await home.graph.signUp(home.password("a@example.com", "secret1"), by: home.anyone)
    let wrong = await expectError(.invalidCredential) {
      try await home.signIn(home.password("a@example.com", "secret2"))
    }
    let unknown = await expectError(.invalidCredential) {
      try await home.signIn(home.password("b@example.com", "secret2"))
    }
    #expect(wrong?.description == unknown?.description)
  }

  @Test func `27: linking never switches the user`() async throws {
    let account = try await home.signIn(home.credential("1")).account
    let other = try await home.signIn(home.credential("9", provider: TestHome.other)).account
    await expectError(.operationNotAllowed) {
      try await home.graph.link(
        home.credential("5", provider: TestHome.other), to: other.id, by: home.session(account.id))
    }
    let receipt = try await home.graph.link(
      home.credential("5", provider: TestHome.other), to: account.id, by: home.session(account.id))
    #expect(receipt.accountID == account.id)
  }

  @Test func `28: an ambiguous match is refused, never the first taken`() async throws {
    try await home.trust(TestHome.fake)
    for uid in ["a", "b"] {
      var account = Account(id: AccountID(uid), scope: home.scope, createdAt: home.clock.now)
      account.email = try EmailAddress("victim@example.com")
      account.identities = [
        Identity(
          key: IdentityKey(TestHome.other, subject: uid), origin: .imported,
          linkedAt: home.clock.now)
      ]
      _ = try await home.graph.importAccounts(
        [ImportedAccount(account: account, line: 1)], by: home.admin)
    }
    await expectError(.ambiguous) { try await home.signIn(victim(home)) }
    await expectError(.ambiguous) {
      try await home.graph.account(matching: "victim@example.com", in: home.scope)
    }
  }

  @Test func `33: a plug-in that forges its claim is not believed`() async throws {
    try await home.trust(TestHome.other)
    let owner = try await home.signIn(
      home.credential("1", email: "victim@example.com", verified: "true", provider: TestHome.other)
    ).account
    await expectError(.accountExistsWithDifferentCredential) { try await home.signIn(victim(home)) }
    let fresh = try await home.signIn(
      home.credential("2", email: "fresh@example.com", verified: "true"))
    #expect(!fresh.account.emailVerified)
    #expect(try await home.account(owner.id).identities.count == 1)
  }

  @Test func `34: nothing links or merges across tenants`() async throws {
    let account = try await home.signIn(home.credential("1", email: "a@example.com")).account
    let tenant = Scope(project: "test", tenant: "b")
    try await home.graph.openTenant(tenant, by: home.admin)
    let there = try await home.graph.signIn(
      home.credential("1", email: "a@example.com"), by: Caller(scope: tenant, authority: .anyone)
    ).account
    #expect(there.id != account.id)
    var foreign = home.session(account.id)
    foreign.scope = tenant
    let caller = foreign
    await expectError(.userNotFound) {
      try await home.graph.link(
        home.credential("9", provider: TestHome.other), to: account.id, by: caller)
    }
    await expectError(.userNotFound) {
      try await home.graph.planMerge(keep: account.id, absorb: there.id, in: home.scope)
    }
    await expectError(.userNotFound) {
      try await home.graph.planMerge(keep: account.id, absorb: there.id, in: tenant)
    }
  }
}

/// Second factors guard every path that the graph has today.
@Suite struct `Second factor paths` {
  let home = TestHome()

  private func guarded(email: String? = nil, verified: Bool = false) async throws -> Account {
    var account = Account(id: AccountID("guarded"), scope: home.scope, createdAt: home.clock.now)
    account.email = try email.map { try EmailAddress($0) }
    account.emailVerified = verified
    account.identities = [
      Identity(
        key: IdentityKey(TestHome.other, subject: "g"), origin: .imported, linkedAt: home.clock.now)
    ]
    account.secondFactors = [SecondFactor(id: "f1", kind: .totp)]
    // Written to the store directly, because an import refuses an unverified address behind a factor.
    let kept = account
    try await home.graph.store.write { try $0.insert(kept) }
    return account
  }

  @Test func `a sign-in asks for it`() async throws {
    _ = try await guarded()
    await expectError(.secondFactorRequired) {
      try await home.signIn(home.credential("g", provider: TestHome.other))
    }
  }

  @Test func `an automatic link asks for it first`() async throws {
    let account = try await guarded(email: "a@example.com", verified: true)
    try await home.trust(TestHome.fake)
    await expectError(.secondFactorRequired) {
      try await home.signIn(home.credential("1", email: "a@example.com", verified: "true"))
    }
    #expect(try await home.account(account.id).identities.count == 1)
  }

  @Test func `attack 41: a take-over drops the factors from before the proof`() async throws {
    let account = try await guarded(email: "a@example.com", verified: false)
    try await home.trust(TestHome.fake)

    let entered = try await home.signIn(
      home.credential("1", email: "a@example.com", verified: "true"))

    #expect(entered.account.id == account.id)
    let taken = try await home.account(account.id)
    #expect(taken.secondFactors.isEmpty && taken.emailVerified)
    #expect(taken.identities.map(\.key.subject) == ["1"])
  }

  @Test func `attack 41: no import brings an unverified address behind a factor`() async throws {
    var account = Account(id: AccountID("guarded"), scope: home.scope, createdAt: home.clock.now)
    account.email = try EmailAddress("a@example.com")
    account.secondFactors = [SecondFactor(id: "f1", kind: .totp)]

    let outcomes = try await home.graph.importAccounts(
      [ImportedAccount(account: account, line: 1)], by: home.admin)

    guard case .refused(let error)? = outcomes.first else {
      Issue.record("it was imported")
      return
    }
    #expect(error.code == .unverifiedEmail && error.field == "email")
  }

  @Test func `a session that has not shown it changes nothing`() async throws {
    let account = try await guarded()
    await expectError(.secondFactorRequired) {
      try await home.graph.link(home.credential("1"), to: account.id, by: home.session(account.id))
    }
    _ = try await home.graph.link(
      home.credential("1"), to: account.id, by: home.session(account.id, secondFactor: true))
  }

  @Test func `a merge keeps the factors and ends the sessions that never showed them`() async throws
  {
    let account = try await guarded()
    let plain = try await home.signIn(home.credential("1")).account
    home.clock.advance(seconds: 5)
    let plan = try await home.graph.planMerge(keep: plain.id, absorb: account.id, in: home.scope)
    #expect(plan.result.secondFactors == account.secondFactors)
    #expect(plan.cutSessions == [account.id, plain.id])
    _ = try await home.graph.commit(plan, by: home.admin)
    await expectError(.secondFactorRequired) { try await home.signIn(home.credential("1")) }
  }
}

@Suite struct `Stale sessions` {
  let home = TestHome()

  @Test func `25: linking and unlinking need a recent sign-in`() async throws {
    let account = try await home.signIn(home.credential("1")).account
    let session = home.session(account.id)
    home.clock.advance(seconds: 301)
    await expectError(.requiresRecentLogin) {
      try await home.graph.link(
        home.credential("9", provider: TestHome.other), to: account.id, by: session)
    }
    await expectError(.requiresRecentLogin) {
      try await home.graph.unlink(TestHome.fake, from: account.id, by: session)
    }
    await expectError(.requiresRecentLogin) { try await home.graph.delete(account.id, by: session) }
  }
}
