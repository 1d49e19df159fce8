import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct Linking {
  let home = TestHome()

  @Test func `a linked identity signs in to the same account`() async throws {
    let account = try await home.signIn(home.credential("1")).account
    let receipt = try await home.graph.link(
      home.credential("9", provider: TestHome.other), to: account.id, by: home.session(account.id))
    #expect(receipt.action == .link && receipt.accountID == account.id)
    let entered = try await home.signIn(home.credential("9", provider: TestHome.other))
    #expect(entered.account.id == account.id)
  }

  @Test func `an identity of another account is not linked`() async throws {
    let account = try await home.signIn(home.credential("1")).account
    let other = try await home.signIn(home.credential("9", provider: TestHome.other)).account
    await expectError(.credentialAlreadyInUse) {
      try await home.graph.link(
        home.credential("9", provider: TestHome.other), to: account.id, by: home.session(account.id)
      )
    }
    #expect(try await home.account(other.id).identities == other.identities)
  }

  @Test func `an e-mail of another account is not linked`() async throws {
    let account = try await home.signIn(home.credential("1")).account
    _ = try await home.signIn(
      home.credential("9", email: "a@example.com", provider: TestHome.other))
    await expectError(.emailAlreadyInUse) {
      try await home.graph.link(
        home.password("a@example.com", "secret1"), to: account.id, by: home.session(account.id))
    }
  }

  @Test func `a second identity of one provider needs the setting`() async throws {
    let account = try await home.signIn(home.credential("1")).account
    await expectError(.providerAlreadyLinked) {
      try await home.graph.link(home.credential("2"), to: account.id, by: home.session(account.id))
    }
    _ = try await home.graph.changeSettings(by: home.admin) { $0.identitiesPerProvider = .many }
    _ = try await home.graph.link(
      home.credential("2"), to: account.id, by: home.session(account.id))
    #expect(try await home.account(account.id).identities.count == 2)
    await expectError(.ambiguous) {
      try await home.graph.unlink(TestHome.fake, from: account.id, by: home.session(account.id))
    }
    _ = try await home.graph.unlink(
      TestHome.fake, subject: "2", from: account.id, by: home.session(account.id))
  }

  @Test func `linking upgrades an anonymous account under its uid`() async throws {
    let visitor = try await home.signIn(home.graph.providers.credential(.anonymous, [:])).account
    _ = try await home.graph.link(
      home.password("a@example.com", "secret1"), to: visitor.id, by: home.session(visitor.id))
    let member = try await home.account(visitor.id)
    #expect(!member.isAnonymous)
    #expect(member.email?.text == "a@example.com")
    home.clock.advance(seconds: 1)
    #expect(
      try await home.signIn(home.password("a@example.com", "secret1")).account.id == visitor.id)
  }

  @Test func `an admin's assertion links without a credential, and says so`() async throws {
    let account = try await home.signIn(home.credential("1")).account
    let key = IdentityKey(ProviderID("github.com"), subject: "583231")
    let receipt = try await home.graph.assert(
      key, profile: IdentityProfile(email: "ada@example.com"), on: account.id, by: home.admin)
    let asserted = try await home.account(account.id).identity(key).unwrapped("identity")
    #expect(asserted.origin == .assertion && !asserted.emailVerified)
    let event = try await home.graph.event(receipt.id, in: home.scope)
    #expect(event.action == .assert && event.actor == "admin:ada" && event.reason == "test")
    await expectError(.operationNotAllowed) {
      try await home.graph.assert(
        IdentityKey(TestHome.other, subject: "1"), profile: IdentityProfile(), on: account.id,
        by: home.session(account.id))
    }
    let unknown = await expectError(.invalidProviderID) {
      try await home.graph.assert(
        IdentityKey(ProviderID("githb.com"), subject: "1"), profile: IdentityProfile(),
        on: account.id, by: home.admin)
    }
    #expect(unknown?.remedy == "Did you mean \"github.com\"?")
  }

  @Test func `unlinking frees the identity`() async throws {
    let account = try await home.signIn(home.credential("1")).account
    _ = try await home.graph.link(
      home.credential("9", provider: TestHome.other), to: account.id, by: home.session(account.id))
    _ = try await home.graph.unlink(TestHome.other, from: account.id, by: home.session(account.id))
    let entered = try await home.signIn(home.credential("9", provider: TestHome.other))
    #expect(entered.account.id != account.id)
    await expectError(.noSuchProvider) {
      try await home.graph.unlink(TestHome.other, from: account.id, by: home.session(account.id))
    }
  }

  @Test func `the last way in stays unless forced or allowed`() async throws {
    let account = try await home.signIn(home.credential("1")).account
    await expectError(.lastSignInMethod) {
      try await home.graph.unlink(TestHome.fake, from: account.id, by: home.session(account.id))
    }
    #expect(try await home.account(account.id).identities.count == 1)
    _ = try await home.graph.unlink(TestHome.fake, from: account.id, force: true, by: home.admin)
    #expect(try await home.account(account.id).identities.isEmpty)
  }

  @Test func `a rehearsal decides everything and writes nothing`() async throws {
    let account = try await home.signIn(home.credential("1")).account
    let before = try await home.everything()
    let events = try await home.graph.events(limit: 100, in: home.scope)
    var caller = home.admin
    caller.dryRun = true
    let receipt = try await home.graph.link(
      home.credential("9", provider: TestHome.other), to: account.id, by: caller)
    #expect(receipt.dryRun)
    await expectError(.lastSignInMethod) {
      try await home.graph.unlink(TestHome.fake, from: account.id, by: caller)
    }
    #expect(try await home.everything() == before)
    #expect(try await home.graph.events(limit: 100, in: home.scope) == events)
  }
}
