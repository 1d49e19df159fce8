import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct `Sessions that go on` {
  let home = TestHome()

  @Test func `a link gives a session of the linked credential, with the same uid`() async throws {
    let ada = try await home.signIn(home.graph.providers.credential(.anonymous, [:])).account
    home.clock.advance(seconds: 60)
    let result = try await home.graph.linkForSession(
      home.credential("1"), to: ada.id, by: home.session(ada.id))
    #expect(result.account.id == ada.id && !result.account.isAnonymous)
    #expect(result.session.account == ada.id && result.session.path == .link)
    #expect(result.session.provider == TestHome.fake)
    #expect(result.session.identity == IdentityKey(TestHome.fake, subject: "1"))
    #expect(result.session.signedInAt == home.clock.now)
    #expect(result.account.details.lastRefreshAt == home.clock.now)
    #expect(result.mergedFrom.isEmpty)
    #expect(result.account == (try await home.account(ada.id)))
  }

  @Test func `attack 27: a link never changes the session's account`() async throws {
    let ada = try await home.signIn(home.credential("1")).account
    let bo = try await home.signIn(home.credential("2", provider: TestHome.other)).account
    await expectError(.credentialAlreadyInUse) {
      try await home.graph.linkForSession(
        home.credential("2", provider: TestHome.other), to: ada.id, by: home.session(ada.id))
    }
    await expectError(.operationNotAllowed) {
      try await home.graph.linkForSession(
        home.credential("3", provider: TestHome.other), to: bo.id, by: home.session(ada.id))
    }
    await expectError(.operationNotAllowed) {
      try await home.graph.linkForSession(
        home.credential("3", provider: TestHome.other), to: ada.id, by: home.admin)
    }
  }

  @Test func `a link that waits for the second factor gives the same session`() async throws {
    let ada = try await home.person("ada")
    let (factor, secret) = try await home.enrollTOTP(ada.id)
    let resolver = try await home.resolver {
      try await home.graph.linkForSession(
        home.credential("9", provider: TestHome.other), to: ada.id, by: home.session(ada.id))
    }
    let result = try await home.graph.resolve(
      resolver, with: .totp(factorID: factor.id, code: home.code(secret)),
      by: home.session(ada.id))
    #expect(result.account.id == ada.id && result.mergedFrom.isEmpty)
    #expect(result.session?.provider == TestHome.other)
    #expect(result.session?.secondFactor?.id == factor.id)

    let shown = SessionGrant.Factor(kind: "totp", id: factor.id)
    _ = try await home.graph.unlink(
      TestHome.other, from: ada.id, by: home.session(ada.id, secondFactor: true))
    let again = try await home.graph.linkForSession(
      home.credential("10", provider: TestHome.other), to: ada.id, showing: shown,
      by: home.session(ada.id, secondFactor: true))
    #expect(again.session.secondFactor == shown)
  }

  @Test func `a session goes on after a change that ended every session`() async throws {
    let ada = try await home.withPassword("ada@example.com")
    let caller = home.session(ada.id)
    home.clock.advance(seconds: 60)
    let key = IdentityKey.password(try EmailAddress("ada@example.com"))
    let changed = try await home.graph.update(
      ada.id, newPassword("second-secret"), continuing: continuation(key), by: caller)
    let account = changed.account
    let grant = try (try changed.session?.get()).unwrapped("session")
    #expect(changed.endedSessions)
    #expect(grant.signedInAt == home.clock.now && grant.identity == key)
    #expect(grant.signedInAt >= (try account.validSince.unwrapped("validSince")))
    await expectError(.userTokenExpired) {
      try await home.graph.renewSession(provider: .password, showing: nil, by: caller)
    }
    _ = try await home.graph.renewSession(
      provider: .password, identity: key, showing: nil, by: home.session(ada.id))
  }

  private func continuation(_ key: IdentityKey? = nil) -> SessionContinuation {
    SessionContinuation(showing: nil) { _ in SessionContinuation.WayIn(.password, key) }
  }

  private func newPassword(_ password: String) -> AccountUpdate {
    var update = AccountUpdate()
    update.profile.password = Secret(password)
    return update
  }

  @Test func `only a session goes on, and only that of the account that is changed`() async throws {
    let ada = try await home.withPassword("ada@example.com")
    let absorbed = try await home.person("bo")
    let plan = try await home.graph.planMerge(keep: ada.id, absorb: absorbed.id, in: home.scope)
    _ = try await home.graph.commit(plan, by: home.admin)
    for caller in [home.admin, home.session(absorbed.id)] {
      let changed = try? await home.graph.update(
        ada.id, newPassword("second-secret"), continuing: continuation(), by: caller)
      #expect((try? changed?.session?.get()) == nil)
    }
  }

  @Test func `attack 25: an old session does not become a recent one by ending itself`()
    async throws
  {
    let ada = try await home.withPassword("ada@example.com")
    let old = home.session(ada.id)
    home.clock.advance(seconds: 3600)
    var update = AccountUpdate()
    update.endsSessions = true
    let ended = try await home.graph.update(
      ada.id, update, continuing: continuation(), by: old)
    await expectError(.userTokenExpired) { try ended.session?.get() }
    let recent = home.session(ada.id)
    var name = AccountUpdate()
    name.profile.displayName = .set("Ada")
    home.clock.advance(seconds: 3600)
    let named = try await home.graph.update(
      ada.id, name, continuing: continuation(), by: recent)
    #expect(try (try named.session?.get()).unwrapped("session").signedInAt < home.clock.now)
  }

  @Test func `a session ends with the identity that made it, unless sessions are kept`()
    async throws
  {
    for behavior in [EmulatorQuirks.production, .emulator] {
      let home = TestHome(behavior: behavior)
      let ada = try await home.person("ada")
      let key = IdentityKey(TestHome.other, subject: "9")
      let linked = try await home.graph.linkForSession(
        home.credential("9", provider: TestHome.other), to: ada.id, by: home.session(ada.id))
      let session = home.session(ada.id)
      let renewed = try await home.graph.renewSession(
        provider: linked.session.provider, identity: key, showing: nil,
        claims: ["role": "editor"], by: session)
      #expect(renewed.session.identity == key && renewed.session.claims == ["role": "editor"])
      _ = try await home.graph.unlink(TestHome.other, from: ada.id, by: home.admin)
      if behavior.keepsSessions {
        _ = try await home.graph.renewSession(
          provider: TestHome.other, identity: key, showing: nil, by: session)
      } else {
        await expectError(.userTokenExpired) {
          try await home.graph.renewSession(
            provider: TestHome.other, identity: key, showing: nil, by: session)
        }
      }
    }
  }

  @Test func `a number of another account gives a proof that signs in to that one`() async throws {
    let number = try PhoneNumber("+15555550123")
    func credential() async throws -> Credential {
      let sent = try await home.graph.sendChallenge(
        .phone, ChallengeRequest(recipient: number.text), by: home.anyone)
      return try home.graph.providers.credential(
        .phone,
        [
          "verificationID": sent.verificationID,
          "verificationCode": home.sentCode(number.text).reveal(),
        ])
    }
    let owner = try await home.signIn(credential()).account
    let ada = try await home.person("ada")
    let code = try await credential()
    await expectError(.credentialAlreadyInUse) {
      try await home.graph.linkForSession(code, to: ada.id, by: home.session(ada.id))
    }
    await expectError(.operationNotAllowed) {
      try await home.graph.makeTemporaryProof(with: code, by: home.anyone)
    }
    let proof = try await home.graph.makeTemporaryProof(with: code, by: home.session(ada.id))
    #expect(proof.number == number)
    await expectError(.codeExpired) { try await home.signIn(code) }
    func proven(_ number: String) throws -> Credential {
      try home.graph.providers.credential(
        .phone, ["temporaryProof": proof.text.reveal(), "phoneNumber": number])
    }
    await expectError(.invalidVerificationCode) {
      try await home.signIn(proven("+15555550124"))
    }
    #expect(try await home.signIn(proven(number.text)).account.id == owner.id)
    await expectError(.invalidVerificationCode) { try await home.signIn(proven(number.text)) }
  }
}
