import AuthTesting
import Testing
import TestSupport

@testable import AuthCore

@Suite struct `The last way in` {
  let home = TestHome(more: [IssuerProvider()])

  /// The state of the other identity when one is removed.
  enum Other: String, CaseIterable, Sendable {
    case isOpen, isClosed, isForgotten, isUnknown, isPasswordClosed
  }

  /// Makes an account with `fake.example` and another identity, which is usable or not.
  private func person(_ other: Other) async throws -> Account {
    let ada = try await home.signIn(home.credential("1", email: "ada@example.com")).account
    try await home.update(ada.id) { $0.emailVerified = true }
    let caller = home.session(ada.id)
    switch other {
    case .isOpen, .isClosed:
      _ = try await home.graph.link(
        home.credential("2", provider: TestHome.other), to: ada.id, by: caller)
      if other == .isClosed { try await home.close([TestHome.other]) }
    case .isForgotten:
      try await home.setUp("https://a.example")
      _ = try await home.graph.link(
        home.credential("2", provider: TestHome.issuer), to: ada.id, by: caller)
      try await home.forget()
    case .isUnknown:
      _ = try await home.graph.assert(
        IdentityKey(ProviderID("github.com"), subject: "2"), profile: IdentityProfile(),
        on: ada.id, by: home.admin)
    case .isPasswordClosed:
      _ = try await home.graph.link(
        home.password("ada@example.com", "first-secret"), to: ada.id, by: caller)
      try await home.close([.password])
    }
    home.clock.advance(seconds: 1)
    return try await home.account(ada.id)
  }

  @Test(arguments: Other.allCases)
  func `F12: only a way in that is open and set up now counts`(_ other: Other) async throws {
    let ada = try await person(other)
    let caller = home.session(ada.id)
    var update = AccountUpdate()
    update.unlinks = [TestHome.fake]
    guard other != .isOpen else {
      let receipt = try await home.graph.unlink(TestHome.fake, from: ada.id, by: caller)
      let steps = receipt.trace.steps.filter { $0.rule == "ways in that remain" }
      #expect(steps.map(\.result) == ["enough"])
      return
    }
    await expectError(.lastSignInMethod) {
      try await home.graph.unlink(TestHome.fake, from: ada.id, by: caller)
    }
    await expectError(.lastSignInMethod) {
      try await home.graph.update(ada.id, update, by: caller)
    }
    #expect(try await home.account(ada.id) == ada)
    // The closed identity may be removed, because the open one stays.
    let shut = try #require(ada.identities.first { $0.provider != TestHome.fake })
    _ = try await home.graph.unlink(shut.provider, from: ada.id, by: caller)
    update.force = true
    _ = try await home.graph.update(ada.id, update, by: home.admin)
  }

  @Test func `F12: the update's trace has the step, also if a way in remains`() async throws {
    let ada = try await person(.isOpen)
    var update = AccountUpdate()
    update.unlinks = [TestHome.fake]
    let result = try await home.graph.update(ada.id, update, by: home.session(ada.id))
    let steps = result.receipt.trace.steps.filter { $0.rule == "ways in that remain" }
    #expect(steps.map(\.result) == ["enough"])
  }

  @Test func `F12: a change that takes nothing away is let through, with every provider closed`()
    async throws
  {
    let ada = try await person(.isClosed)
    try await home.close([TestHome.fake, TestHome.other])
    var changes = ProfileChanges()
    changes.displayName = .set("Ada")
    _ = try await home.graph.update(ada.id, changes, by: home.session(ada.id))
  }

  @Test func `F12: a merge that drops the only open way in is refused`()
    async throws
  {
    let ada = try await home.signIn(home.credential("1")).account
    let bo = try await home.signIn(home.credential("2", provider: TestHome.other)).account
    try await home.close([TestHome.other])
    var rules = MergeRules()
    rules.droppedIdentities = [IdentityKey(TestHome.fake, subject: "1")]
    let refusal = await expectError(.mergeRefused) {
      try await home.graph.planMerge(keep: bo.id, absorb: ada.id, rules: rules, in: home.scope)
    }
    #expect(refusal?.message.contains("no way to sign in") == true)
    try await home.close([TestHome.fake, TestHome.other])
    let plan = try await home.graph.planMerge(keep: bo.id, absorb: ada.id, in: home.scope)
    let receipt = try await home.graph.commit(plan, by: home.admin)
    #expect(receipt.trace.steps.contains { $0.rule == "ways in that remain" })
  }

  @Test func `F12: a second factor is not enrolled if only a number is open`() async throws {
    let ada = try await home.signIn(home.credential("1", email: "ada@example.com")).account
    try await home.update(ada.id) {
      $0.emailVerified = true
      $0.phoneNumber = .set(try PhoneNumber("+15555550123"))
    }
    try await home.close([TestHome.fake])
    await expectError(.lastSignInMethod) { try await home.enrollTOTP(ada.id) }
  }

  @Test func `only an admin forces it away`() async throws {
    let ada = try await home.signIn(home.credential("1")).account
    var update = AccountUpdate()
    update.unlinks = [TestHome.fake]
    update.force = true
    await expectError(.lastSignInMethod) {
      try await home.graph.unlink(
        TestHome.fake, from: ada.id, force: true, by: home.session(ada.id))
    }
    await expectError(.lastSignInMethod) {
      try await home.graph.update(ada.id, update, by: home.session(ada.id))
    }
    _ = try await home.graph.update(ada.id, update, by: home.admin)
    #expect(try await home.account(ada.id).identities.isEmpty)
  }

  @Test func `an obstacle has its name`() throws {
    var settings = ProjectSettings()
    settings.signIn.closedProviders = [TestHome.other]
    settings.providers["issuer.example"] = ProviderConfiguration(values: ["issuer": "https://b"])
    let ways = WaysIn(settings: settings, providers: home.graph.providers)
    var account = Account(
      id: AccountID("ada"), scope: home.scope, createdAt: Timestamp(milliseconds: 0))
    func obstacle(_ provider: ProviderID) -> WaysIn.Obstacle? {
      ways.obstacle(
        to: Identity(
          key: IdentityKey(provider, subject: "1"), origin: .credential,
          linkedAt: account.createdAt), on: account)
    }
    #expect(obstacle(TestHome.fake) == nil)
    #expect(obstacle(TestHome.other) == .closed)
    #expect(obstacle(.password) == .noSecret)
    #expect(obstacle(ProviderID("github.com")) == .unknown)
    #expect(obstacle(TestHome.issuer) == nil)
    #expect(obstacle(.phone) == nil)
    account.secondFactors = [
      SecondFactor(id: "f", kind: .phone(try PhoneNumber("+15555550123")), displayName: nil)
    ]
    #expect(obstacle(.phone) == .besideFactor)
    settings.providers = [:]
    let none = WaysIn(settings: settings, providers: home.graph.providers)
    let late = Identity(
      key: IdentityKey(TestHome.issuer, subject: "1"), origin: .credential,
      linkedAt: account.createdAt)
    #expect(none.obstacle(to: late, on: account) == .notSetUp)
  }
}
