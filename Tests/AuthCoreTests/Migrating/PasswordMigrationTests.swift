import AuthCore
import Testing
import TestSupport

@Suite struct `Passwords of an old system` {
  @Test func `the old system is asked once, and our own hash is kept`() async throws {
    let old = OldSystem()
    let home = try await TestHome.moving(from: old)

    let first = try await home.signIn(home.password("ADA@example.com", "opensesame"))
    let second = try await home.signIn(home.password("ada@example.com", "opensesame"))

    #expect(first.isNewUser && !second.isNewUser)
    #expect(first.account.id == second.account.id)
    #expect(first.account.displayName == "Ada")
    #expect(first.account.identities.map(\.provider) == [.password])
    #expect(second.account.passwordIdentity?.secret != nil)
    #expect(old.asked.count == 1)
    await expectError(.invalidCredential) {
      try await home.signIn(home.password("ada@example.com", "not-hers"))
    }
    #expect(old.asked.count == 1)
  }

  @Test func `an address is verified only on the word of a trusted old system`() async throws {
    for (says, isTrusted) in [(true, true), (true, false), (false, true)] {
      let old = OldSystem(.person(email: "ada@example.com", verified: says))
      let home = try await TestHome.moving(from: old)
      if isTrusted { try await home.trust(old.id) }

      let result = try await home.signIn(home.password("ada@example.com", "opensesame"))

      #expect(result.account.emailVerified == (says && isTrusted))
    }
  }

  @Test func `a wrong password, an unknown person and a known one get the same answer`()
    async throws
  {
    let home = try await TestHome.moving(from: OldSystem())
    _ = try await home.graph.signUp(home.password("bob@example.com", "secret-2"), by: home.anyone)
    var errors: [String] = []
    for email in ["ada@example.com", "nobody@example.com", "bob@example.com"] {
      let error = await expectError(.invalidCredential) {
        try await home.signIn(home.password(email, "not-the-one"))
      }
      errors.append("\(error?.message ?? "") \(error?.remedy ?? "") \(error?.step?.rawValue ?? "")")
    }
    #expect(Set(errors).count == 1)
    #expect(try await home.everything().count == 1)
  }

  @Test func `a failure of the old system is no wrong password, and creates nothing`()
    async throws
  {
    let old = OldSystem(.failure(AuthError(.pluginFailed, "It is broken.")))
    let home = try await TestHome.moving(from: old)

    await expectError(.networkRequestFailed) {
      try await home.signIn(home.password("ada@example.com", "opensesame"))
    }
    #expect(try await home.everything().isEmpty)
  }

  @Test func `a missing old system is a failure too`() async throws {
    let home = TestHome()
    _ = try await home.graph.changeSettings(by: home.admin) {
      $0.signIn.passwordMigration = TestHome.fake.rawValue
    }
    await expectError(.networkRequestFailed) {
      try await home.signIn(home.password("ada@example.com", "opensesame"))
    }
  }

  @Test func `two sign-ins at once make one account`() async throws {
    let old = OldSystem(gate: Gate(arrivals: 2))
    let home = try await TestHome.moving(from: old)

    async let first = home.signIn(home.password("ada@example.com", "opensesame"))
    async let second = home.signIn(home.password("ada@example.com", "opensesame"))
    let results = try await [first, second]

    #expect(results[0].account.id == results[1].account.id)
    #expect(results.count { $0.isNewUser } == 1)
    #expect(old.asked.count == 2)
    #expect(try await home.everything().count == 1)
  }

  @Test func `the app may refuse a person of the old system`() async throws {
    let home = try await TestHome.moving(from: OldSystem(), hooks: RefusingHooks())

    await expectError(.blockingFunctionError) {
      try await home.signIn(home.password("ada@example.com", "opensesame"))
    }
    #expect(try await home.everything().isEmpty)
  }

  @Test func `nobody new comes from the old system if clients may not sign up`() async throws {
    let old = OldSystem()
    let home = try await TestHome.moving(from: old)
    _ = try await home.graph.changeSettings(by: home.admin) { $0.signIn.allowsSignUp = false }

    await expectError(.invalidCredential) {
      try await home.signIn(home.password("ada@example.com", "opensesame"))
    }
    #expect(old.asked.count == 0)
    try await home.importWaiting()
    let result = try await home.signIn(home.password("ada@example.com", "opensesame"))
    #expect(result.account.id == AccountID("u1"))
  }

  @Test func `without the setting nothing is asked`() async throws {
    let old = OldSystem()
    let home = TestHome(more: [old])
    try await home.importWaiting()

    await expectError(.invalidCredential) {
      try await home.signIn(home.password("ada@example.com", "opensesame"))
    }
    #expect(old.asked.count == 0)
  }
}

/// Refuses to create anybody.
private struct RefusingHooks: SignInHooks {
  func answer(_ event: SignInHookEvent) async throws -> SignInHookAnswer? {
    guard event.kind == .beforeCreate else { return nil }
    throw AuthError(.blockingFunctionError, "Nobody new today.", step: .policy)
  }

  func isInterested(in functions: BlockingFunctions) -> Bool { true }
}
