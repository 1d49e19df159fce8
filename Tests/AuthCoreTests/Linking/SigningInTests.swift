import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct `Signing in` {
  let home = TestHome()

  @Test func `a new identity opens an account, and finds it again`() async throws {
    let first = try await home.signIn(
      home.credential("1", email: "Ada@Example.com", verified: "true", name: "Ada"))
    #expect(first.isNewUser)
    #expect(first.account.email?.text == "Ada@Example.com")
    #expect(first.account.displayName == "Ada")
    let again = try await home.signIn(home.credential("1"))
    #expect(!again.isNewUser)
    #expect(again.account.id == first.account.id)
  }

  @Test func `the provider's word on an e-mail counts only if an admin trusts it`() async throws {
    let untrusted = try await home.signIn(
      home.credential("1", email: "a@example.com", verified: "true"))
    #expect(!untrusted.account.emailVerified)
    try await home.trust(TestHome.fake)
    let trusted = try await home.signIn(
      home.credential("2", email: "b@example.com", verified: "true"))
    #expect(trusted.account.emailVerified)
  }

  @Test func `a trusted word on the same verified e-mail links`() async throws {
    try await home.trust(TestHome.fake)
    try await home.trust(TestHome.other)
    let first = try await home.signIn(
      home.credential("1", email: "a@example.com", verified: "true"))
    let second = try await home.signIn(
      home.credential("9", email: "A@example.com", verified: "true", provider: TestHome.other))
    #expect(second.account.id == first.account.id)
    #expect(second.account.identities.count == 2)
    #expect(second.receipt.trace.steps.contains { $0.rule == "trust" })
  }

  @Test func `an untrusted word on a known e-mail is refused`() async throws {
    try await home.trust(TestHome.fake)
    _ = try await home.signIn(home.credential("1", email: "a@example.com", verified: "true"))
    let error = await expectError(.accountExistsWithDifferentCredential) {
      try await home.signIn(
        home.credential("9", email: "a@example.com", verified: "true", provider: TestHome.other))
    }
    let event = try await home.graph.event(#require(error?.eventID), in: home.scope)
    #expect(event.errorCode == "account-exists-with-different-credential")
    #expect(event.trace.steps.last?.result == "its word does not count")
  }

  @Test func `every anonymous sign-in is a new account`() async throws {
    let credential = try home.graph.providers.credential(.anonymous, [:])
    let first = try await home.signIn(credential)
    let second = try await home.signIn(credential)
    #expect(first.account.isAnonymous && second.account.isAnonymous)
    #expect(first.account.id != second.account.id)
  }

  @Test func `a disabled account is reported only after a right credential`() async throws {
    let account = try await home.signIn(home.credential("1")).account
    _ = try await home.graph.setDisabled(true, account.id, by: home.admin)
    await expectError(.userDisabled) { try await home.signIn(home.credential("1")) }
    _ = try await home.graph.setDisabled(false, account.id, by: home.admin)
    #expect(try await home.signIn(home.credential("1")).account.id == account.id)
  }

  @Test func `a password is chosen once and matched afterwards`() async throws {
    let chosen = try await home.graph.signUp(
      home.password("a@example.com", "secret1"), by: home.anyone)
    #expect(!chosen.account.emailVerified)
    let again = try await home.signIn(home.password("A@EXAMPLE.com", "secret1"))
    #expect(again.account.id == chosen.account.id)
    await expectError(.invalidCredential) {
      try await home.signIn(home.password("a@example.com", "secret2"))
    }
    await expectError(.invalidCredential) {
      try await home.signIn(home.password("nobody@example.com", "secret1"))
    }
    await expectError(.emailAlreadyInUse) {
      try await home.graph.signUp(home.password("a@example.com", "secret9"), by: home.anyone)
    }
    await expectError(.weakPassword) {
      try await home.graph.signUp(home.password("b@example.com", "short"), by: home.anyone)
    }
  }

  @Test func `two providers' accounts stay apart if one account per e-mail is off`() async throws {
    _ = try await home.graph.changeSettings(by: home.admin) { $0.oneAccountPerEmail = false }
    let first = try await home.signIn(
      home.credential("1", email: "a@example.com", verified: "true"))
    let second = try await home.signIn(
      home.credential("9", email: "a@example.com", verified: "true", provider: TestHome.other))
    #expect(first.account.id != second.account.id)
    #expect(first.account.email == nil)
  }

  @Test func `a missing or misspelled field is named`() async throws {
    let missing = await expectError(.invalidCredential) {
      try home.graph.providers.credential(TestHome.fake, [:])
    }
    #expect(missing?.field == "subject")
    let misspelled = await expectError(.invalidCredential) {
      try home.graph.providers.credential(TestHome.fake, ["subject": "1", "emial": "a@b.c"])
    }
    #expect(misspelled?.field == "emial")
    #expect(misspelled?.remedy == "Did you mean \"email\"?")
    let unknown = await expectError(.invalidProviderID) {
      try home.graph.providers.credential(ProviderID("fake.exmaple"), [:])
    }
    #expect(unknown?.remedy == "Did you mean \"fake.example\"?")
  }
}
