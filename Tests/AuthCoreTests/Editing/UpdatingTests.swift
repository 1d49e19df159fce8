import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct `One update` {
  let home = TestHome()

  @Test func `changes everything in one event, or nothing`() async throws {
    let ada = try await home.withPassword("ada@example.com")
    _ = try await home.graph.link(home.credential("1"), to: ada.id, by: home.session(ada.id))
    var update = AccountUpdate()
    update.profile.displayName = .set("Ada")
    update.profile.createdAt = Timestamp(milliseconds: 5)
    update.profile.validSince = Timestamp(milliseconds: 9000)
    update.unlinks = [TestHome.fake, ProviderID("nobody.example")]
    update.links = [
      AssertedIdentity(
        key: IdentityKey(TestHome.other, subject: "9"),
        profile: IdentityProfile(displayName: "A. L."))
    ]
    update.factors = [FactorEntry(phoneNumber: try PhoneNumber("+15555550123"))]
    let before = try await home.graph.events(limit: 1000, in: home.scope).count

    let result = try await home.graph.update(ada.id, update, by: home.admin)

    #expect(try await home.graph.events(limit: 1000, in: home.scope).count == before + 1)
    let account = try await home.account(ada.id)
    #expect(result.account == account && account.displayName == "Ada")
    #expect(account.createdAt == Timestamp(milliseconds: 5))
    #expect(account.identities.map(\.provider) == [.password, TestHome.other])
    #expect(account.identities.last?.origin == .assertion)
    #expect(account.secondFactors.map(\.factorID) == ["phone"])

    update.links = [AssertedIdentity(key: IdentityKey(TestHome.other, subject: "10"))]
    let wrong = update
    await expectError(.providerAlreadyLinked) {
      try await home.graph.update(ada.id, wrong, by: home.admin)
    }
    #expect(try await home.account(ada.id) == account)
  }

  @Test func `an identity of another account is in use, and moves in the emulator`() async throws {
    for behavior in [EmulatorQuirks.production, .emulator] {
      let home = TestHome(behavior: behavior)
      let ada = try await home.signIn(home.credential("1")).account
      let bo = try await home.signIn(home.credential("9", provider: TestHome.other)).account
      var update = AccountUpdate()
      update.links = [AssertedIdentity(key: IdentityKey(TestHome.other, subject: "9"))]
      let wanted = update
      guard behavior.movesAssertedIdentities else {
        await expectError(.credentialAlreadyInUse) {
          try await home.graph.update(ada.id, wanted, by: home.admin)
        }
        continue
      }
      let moved = try await home.graph.update(ada.id, wanted, by: home.admin)
      #expect(moved.account.identities.count == 2)
      #expect(try await home.account(bo.id).identities.isEmpty)
      let entered = try await home.signIn(home.credential("9", provider: TestHome.other))
      #expect(entered.account.id == ada.id)
    }
  }

  @Test func `a session changes its own account`() async throws {
    let ada = try await home.withPassword("ada@example.com")
    _ = try await home.graph.link(home.credential("1"), to: ada.id, by: home.session(ada.id))
    func attempt(_ change: (inout AccountUpdate) throws -> Void) async throws -> AccountUpdateResult
    {
      var update = AccountUpdate()
      try change(&update)
      return try await home.graph.update(ada.id, update, by: home.session(ada.id))
    }
    await expectError(.operationNotAllowed) {
      try await attempt { $0.factors = [] }
    }
    await expectError(.operationNotAllowed) {
      try await attempt {
        $0.links = [AssertedIdentity(key: IdentityKey(TestHome.other, subject: "9"))]
      }
    }
    await expectError(.operationNotAllowed) {
      try await attempt { $0.profile.createdAt = Timestamp(milliseconds: 0) }
    }
    await expectError(.operationNotAllowed) {
      try await attempt { $0.profile.email = .set(try EmailAddress("new@example.com")) }
    }
    let unlinked = try await attempt {
      $0.profile.displayName = .set("Ada")
      $0.unlinks = [TestHome.fake]
    }
    #expect(unlinked.account.displayName == "Ada" && unlinked.account.identities.count == 1)
    #expect(unlinked.receipt.action == .unlink)
    await expectError(.lastSignInMethod) {
      try await attempt { $0.profile.removesPassword = true }
    }
    _ = try await home.graph.changeSettings(by: home.admin) { $0.signIn.hidesAccounts = false }
    home.clock.advance(seconds: 1)
    await expectError(.operationNotAllowed) {
      try await attempt { $0.profile.email = .set(try EmailAddress("new@example.com")) }
    }
    await expectError(.lastSignInMethod) {
      try await attempt {
        $0.profile.email = .clear
        $0.force = true
      }
    }
    _ = try await home.graph.link(
      home.credential("2", provider: TestHome.other), to: ada.id, by: home.session(ada.id))
    let left = try await attempt { $0.profile.email = .clear }
    #expect(left.endedSessions && left.account.email == nil)
    #expect(left.recovery?.info.email.text == "ada@example.com")
    #expect(try await home.apply(left.recovery.unwrapped("code")).account.email == ada.email)
  }

  @Test func `the emulator's clients are believed, and a password takes its address along`()
    async throws
  {
    let home = TestHome(behavior: .emulator)
    let ada = try await home.withPassword("ada@example.com")
    var update = AccountUpdate()
    update.factors = [
      FactorEntry(id: "one", phoneNumber: try PhoneNumber("+15555550123")),
      FactorEntry(phoneNumber: try PhoneNumber("+15555550123")),
    ]
    update.links = [AssertedIdentity(key: IdentityKey(TestHome.other, subject: "9"))]
    let believed = try await home.graph.update(ada.id, update, by: home.session(ada.id))
    #expect(believed.account.secondFactors.map(\.id) == ["one"] && !believed.endedSessions)
    var unlink = AccountUpdate()
    unlink.unlinks = [.password]
    let rest = try await home.graph.update(ada.id, unlink, by: home.session(ada.id)).account
    #expect(rest.email == nil && rest.identities.map(\.provider) == [TestHome.other])
  }

  @Test func `second factors are replaced as far as they can be known`() async throws {
    let ada = try await home.person("ada")
    let (app, _) = try await home.enrollTOTP(ada.id)
    func set(_ entries: [FactorEntry]) async throws -> [SecondFactor] {
      var update = AccountUpdate()
      update.factors = entries
      return try await home.graph.update(ada.id, update, by: home.admin).account.secondFactors
    }
    let kept = try await set([
      FactorEntry(id: app.id, displayName: "My app"),
      FactorEntry(phoneNumber: try PhoneNumber("+15555550123"), enrolledAt: "2020-01-01T00:00:00Z"),
    ])
    #expect(kept.map(\.factorID) == ["totp", "phone"])
    #expect(kept.first?.secret != nil && kept.first?.displayName == "My app")
    #expect(kept.last?.enrolledAt == "2020-01-01T00:00:00Z")
    await expectError(.invalidArgument) { try await set([FactorEntry(id: "unknown")]) }
    await expectError(.maximumSecondFactorCountExceeded) {
      try await set((0..<6).map { FactorEntry(phoneNumber: try PhoneNumber("+1555555012\($0)")) })
    }
    #expect(try await set([]).isEmpty)
  }
}

@Suite struct `Tenants and whole scopes` {
  let home = TestHome()

  @Test func `a tenant is opened with its settings, listed and removed`() async throws {
    var settings = ProjectSettings()
    settings.signIn.displayName = "School"
    let made = try await home.graph.createTenant(in: "test", settings: settings, by: home.admin)
    #expect(try #require(made.tenant).wholeMatch(of: /[A-Za-z0-9]{28}/) != nil)
    let named = try await home.graph.createTenant(
      "a-school", in: "test", settings: settings, by: home.admin)
    #expect(try await home.graph.settings(of: named).signIn.displayName == "School")
    let tenants = try await home.graph.tenants(of: "test", after: nil, limit: 10)
    #expect(Set(tenants.map(Optional.some)) == [made.tenant, named.tenant])
    await expectError(.invalidArgument) {
      try await home.graph.createTenant("a-school", in: "test", settings: settings, by: home.admin)
    }
    await expectError(.invalidArgument) {
      try await home.graph.createTenant("a/school", in: "test", settings: settings, by: home.admin)
    }
    await expectError(.operationNotAllowed) {
      try await home.graph.createTenant(in: "test", settings: settings, by: home.anyone)
    }
    var caller = home.anyone
    caller.scope = named
    _ = try await home.graph.signIn(home.credential("1"), by: caller)
    try await home.graph.deleteTenant(named, by: home.admin)
    #expect(try await home.graph.accountCount(in: named) == 0)
    #expect(try await !home.graph.tenantExists(named))
    await expectError(.tenantNotFound) {
      try await home.graph.deleteTenant(named, by: home.admin)
    }
    let actions = try await home.graph.events(limit: 10, in: named).map(\.action)
    #expect(actions == [.deleteTenant, .signIn, .createTenant])
  }

  @Test func `every account of a scope goes, and no other`() async throws {
    let other = Scope(project: "test", tenant: "other")
    var elsewhere = home.anyone
    elsewhere.scope = other
    try await home.graph.openTenant(other, by: home.admin)
    _ = try await home.signIn(home.credential("1"))
    _ = try await home.graph.signIn(home.credential("1"), by: elsewhere)
    await expectError(.operationNotAllowed) {
      try await home.graph.deleteAllAccounts(by: home.anyone)
    }
    try await home.graph.deleteAllAccounts(by: home.admin)
    #expect(try await home.everything().isEmpty)
    #expect(try await home.graph.accountCount(in: other) == 1)
    #expect(try await home.signIn(home.credential("1")).isNewUser)
  }
}
