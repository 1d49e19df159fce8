import AuthCore
import AuthTesting
import FakeVendors
import Testing
import TestSupport

@Suite(.serialized) struct `An account with a second factor` {
  /// An account that the way signs in to, with an authenticator app.
  private func guarded(_ home: ProviderHome, by way: Way) async throws -> Guarded {
    let account: Account
    if way == .phone {
      // A phone alone cannot be protected, so the number is added to an account with another credential.
      account = try await home.opened(.emailLink, for: .ada)
      _ = try await home.graph.link(
        try await home.phoneCode(for: .ada), to: account.id, by: home.session(account.id))
    } else {
      account = try await home.opened(way, for: .ada)
    }
    return try await home.guardWithTOTP(account.id)
  }

  @Test(arguments: Way.returning)
  func `attack 24: no token before the challenge by any way`(_ way: Way) async throws {
    try await withProviders { home in
      let guarded = try await guarded(home, by: way)
      let before = try await home.account(guarded.id)
      let credential = try await home.credential(way, for: .ada)

      let error = await expectError(way == .phone ? .unsupportedFirstFactor : .secondFactorRequired)
      {
        try await home.signIn(credential)
      }

      #expect(try await home.account(guarded.id) == before)
      #expect(try await home.accountCount() == 1)
      guard way != .phone else {
        // A stolen number would be both factors.
        #expect(error?.resolver == nil)
        return
      }
      let resolver = try #require(error?.resolver)
      #expect(resolver.hints == [guarded.factor])
      // The pending sign-in has used up the credential.
      if let code = way.secondUse {
        await expectError(code) { try await home.signIn(credential) }
      }
      let result = try await home.resolve(resolver, guarded)
      #expect(result.account.id == guarded.id)
      #expect(result.session?.path == .secondFactor)
      #expect(result.session?.secondFactor?.id == guarded.factor.id)
      #expect(result.session?.secondFactor?.kind == "totp")
      #expect(result.session?.provider == way.provider)
    }
  }

  @Test func `attack 24: an anonymous account has no second factor`() async throws {
    try await withProviders { home in
      let account = try await home.opened(.anonymous, for: .ada)

      await expectError(.unsupportedFirstFactor) {
        try await home.graph.beginTOTPEnrollment(for: account.id, by: home.session(account.id))
      }
    }
  }

  @Test(arguments: Way.withEmail)
  func `attack 24: no token before the challenge if a trusted address leads there`(
    _ way: Way
  ) async throws {
    try await withProviders { home in
      try await home.trust(way.provider)
      let account = try await home.createAccount(email: FakePerson.ada.email, verified: true)
      let guarded = try await home.guardWithTOTP(account.id)
      let before = try await home.account(guarded.id)

      let error = await expectError(
        way.vouchesForEmail ? .secondFactorRequired : .accountExistsWithDifferentCredential
      ) { try await home.signIn(try await home.credential(way, for: .ada)) }

      #expect(try await home.account(guarded.id) == before)
      guard way.vouchesForEmail else { return #expect(error?.resolver == nil) }
      let result = try await home.resolve(try #require(error?.resolver), guarded)
      #expect(result.account.id == guarded.id)
      #expect(result.account.identities.map(\.key) == [try way.key(of: .ada)])
      #expect(result.session?.secondFactor?.id == guarded.factor.id)
    }
  }

  @Test(arguments: Way.withEmail)
  func `attack 41: a take-over drops the factors from before the proof of the address`(
    _ way: Way
  ) async throws {
    try await withProviders { home in
      try await home.trust(way.provider)
      let before = try await storeGuarded(home)
      let credential = try await home.credential(way, for: .ada)
      guard way.vouchesForEmail else {
        await expectError(.accountExistsWithDifferentCredential) {
          try await home.signIn(credential)
        }
        return #expect(try await home.account(before.id) == before)
      }

      let result = try await home.signIn(credential)

      #expect(result.receipt.action == .takeOver)
      #expect(result.account.id == before.id)
      #expect(result.account.emailVerified)
      #expect(result.account.identities.map(\.key) == [try way.key(of: .ada)])
      #expect(result.account.secondFactors.isEmpty)
    }
  }

  /// An account as an earlier version may have stored it: an unverified address, a password, an authenticator app.
  private func storeGuarded(_ home: ProviderHome) async throws -> Account {
    let made = try await home.createAccount(
      email: FakePerson.ada.email, verified: false, password: "chosen by whoever came first")
    let old = try await home.account(made.id)
    try await home.graph.store.write { writer in
      var guarded = old
      guarded.secondFactors = [SecondFactor(id: "factor-1", kind: .totp)]
      try writer.update(guarded, replacing: old)
    }
    return try await home.account(made.id)
  }

  @Test(arguments: SignInPath.allCases)
  func `attack 24: no path gives a session without the factor`(_ path: SignInPath) async throws {
    try await withProviders { home in
      let guarded = try await guarded(home, by: .password)
      let credential = try await home.credential(.password, for: .ada)
      // A new path does not compile here until its test is written.
      switch path {
      case .signIn:
        await expectError(.secondFactorRequired) { try await home.signIn(credential) }
      case .signUp:
        await expectError(.emailAlreadyInUse) {
          try await home.graph.signUp(credential, by: home.anyone)
        }
      case .link:
        let added = try await home.credential(.appleIDToken, for: .ada)
        await expectError(.secondFactorRequired) {
          try await home.graph.linkForSession(
            added, to: guarded.id, by: home.session(guarded.id))
        }
      case .secondFactor:
        let resolver = try await home.waiting { try await home.signIn(credential) }
        let stranger = try await home.opened(.appleIDToken, for: .bo)
        let other = try await home.guardWithTOTP(stranger.id)
        let wrong = Secret(String(try home.code(guarded.secret).reveal().reversed()) + "0")
        await expectError(.invalidVerificationCode) {
          try await home.graph.resolve(
            resolver, with: .totp(factorID: guarded.factor.id, code: wrong), by: home.anyone)
        }
        await expectError(.multiFactorInfoNotFound) { try await home.resolve(resolver, other) }
      case .renewal:
        let session = home.session(guarded.id)
        await expectError(.secondFactorRequired) {
          try await home.graph.renewSession(provider: .password, showing: nil, by: session)
        }
        await expectError(.secondFactorRequired) {
          try await home.graph.renewSession(
            provider: .password, showing: .init(kind: "totp", id: "of-another-account"),
            by: session)
        }
      case .merge:
        let other = try await home.opened(.appleIDToken, for: .bo)
        let sessions = [
          proof(of: guarded.id, .password, in: home), proof(of: other.id, .apple, in: home),
          proof(
            of: guarded.id, .password, .init(kind: "totp", id: "of-another-account"), in: home),
        ]
        for merge in [
          OwnMerge(sessions[0], into: sessions[1]), OwnMerge(sessions[1], into: sessions[0]),
          OwnMerge(sessions[2], into: sessions[1]), OwnMerge(sessions[1], into: sessions[2]),
        ] {
          await expectError(.secondFactorRequired) { try await home.graph.merge(merge) }
        }
      }
    }
  }

  private func proof(
    of account: AccountID, _ provider: ProviderID, _ factor: SessionGrant.Factor? = nil,
    in home: ProviderHome
  ) -> ProvenSession {
    ProvenSession(
      scope: home.scope, account: account, signedInAt: home.clock.now, provider: provider,
      identity: nil, secondFactor: factor)
  }

  @Test(arguments: Vendor.renewing)
  func `attack 24: no token before the challenge if a vendor renews an identity`(
    _ vendor: Vendor
  ) async throws {
    try await withProviders { home in
      let guarded = try await guarded(home, by: vendor.tokenWay)
      let key = try #require(try vendor.tokenWay.key(of: .ada))
      let token = try await home.refreshToken(of: vendor, for: .ada)

      await expectError(.operationNotAllowed) {
        try await home.graph.refreshIdentity(key, of: guarded.id, with: token, by: home.anyone)
      }
      await expectError(.secondFactorRequired) {
        try await home.graph.refreshIdentity(
          key, of: guarded.id, with: token, by: home.session(guarded.id))
      }
    }
  }

  @Test func `attack 24: a pending sign-in is good for one success, and for ten minutes`()
    async throws
  {
    try await withProviders { home in
      let guarded = try await guarded(home, by: .googleIDToken)
      func resolver() async throws -> SecondFactorResolver {
        let credential = try await home.credential(.googleIDToken, for: .ada)
        return try await home.waiting { try await home.signIn(credential) }
      }
      let used = try await resolver()
      _ = try await home.resolve(used, guarded)
      home.clock.advance(seconds: 60)
      let old = try await resolver()

      await expectError(.invalidMultiFactorSession) { try await home.resolve(used, guarded) }
      home.clock.advance(seconds: 601)
      await expectError(.invalidMultiFactorSession) { try await home.resolve(old, guarded) }
    }
  }
}
