import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct `Ways in that should be gone` {
  let home = TestHome()

  /// Sends a link to an address, and returns the reader's credential.
  private func link(_ email: String, for account: AccountID? = nil) async throws -> Credential {
    var caller = home.anyone
    if let account { caller = home.session(account, secondFactor: true) }
    _ = try await home.graph.sendChallenge(
      .emailLink, ChallengeRequest(recipient: email, account: account), by: caller)
    let proof = try home.messages.last(to: email).unwrapped("link").proof
    return try home.graph.providers.credential(
      .emailLink, ["email": email, "link": proof.reveal()])
  }

  private func withLinks() async throws {
    _ = try await home.graph.configure(
      .emailLink, values: ["linkBase": "https://app.example/link"], by: home.admin)
  }

  @Test func `the reader of an old address does not enter the account that left it`() async throws {
    try await withLinks()
    let ada = try await home.signIn(link("old@example.com")).account
    _ = try await home.graph.link(home.credential("a"), to: ada.id, by: home.session(ada.id))
    try await home.update(ada.id) { changes in
      changes.email = .set(try EmailAddress("new@example.com"))
      changes.emailVerified = true
    }
    let stranger = try await home.signIn(link("old@example.com"))
    #expect(stranger.account.id != ada.id)
    #expect(stranger.isNewUser)
    #expect(try await home.signIn(link("new@example.com")).account.id == ada.id)
  }

  @Test func `a second factor cannot guard an unproven address`() async throws {
    try await withLinks()
    let mallory = try await home.signIn(home.credential("m")).account
    _ = try await home.enrollTOTP(mallory.id)
    let session = home.session(mallory.id, secondFactor: true)
    var changes = ProfileChanges()
    changes.email = .set(try EmailAddress("victim@example.com"))
    let wanted = changes
    await expectError(.unverifiedEmail) {
      try await home.graph.update(mallory.id, wanted, by: session)
    }
    await expectError(.unverifiedEmail) {
      try await home.graph.link(
        home.password("victim@example.com", "secret-1"), to: mallory.id, by: session)
    }
    _ = try await home.graph.link(
      home.credential("x", email: "victim@example.com", provider: TestHome.other),
      to: mallory.id, by: session)
    #expect(try await home.account(mallory.id).email == nil)
    _ = try await home.graph.link(
      link("mallory@example.com", for: mallory.id), to: mallory.id, by: session)
    let own = try await home.account(mallory.id)
    #expect(own.email?.text == "mallory@example.com" && own.emailVerified)
  }

  @Test func `a rehearsal gives no session and sends nothing`() async throws {
    var caller = home.admin
    caller.dryRun = true
    let rehearsal = try await home.graph.signIn(home.credential("1"), by: caller)
    #expect(rehearsal.session == nil)
    let rehearsing = caller
    await expectError(.invalidArgument) {
      try await home.graph.sendChallenge(
        .phone, ChallengeRequest(recipient: "+15555550123"), by: rehearsing)
    }
    #expect(home.messages.messages.isEmpty)
  }

  @Test func `codes of one number are not guessed one after the other`() async throws {
    var guesses = 0
    for _ in 0..<10 {
      let sent = try await home.graph.sendChallenge(
        .phone, ChallengeRequest(recipient: "+15555550123"), by: home.anyone)
      let right = try home.sentCode("+15555550123").reveal()
      for _ in 0..<4 {
        let credential = try home.graph.providers.credential(
          .phone,
          [
            "verificationID": sent.verificationID,
            "verificationCode": right == "000000" ? "000001" : "000000",
          ])
        do {
          _ = try await home.signIn(credential)
        } catch let error as AuthError where error.code == .invalidVerificationCode {
          guesses += 1
        } catch let error as AuthError {
          #expect(error.code == .tooManyRequests)
        }
      }
    }
    #expect(guesses == CodeLimits().wrongCodesOfNetwork)
  }

  @Test func `an undone merge brings no session back that was ended since`() async throws {
    let ada = try await home.signIn(home.credential("1")).account
    let other = try await home.signIn(home.credential("2")).account
    let plan = try await home.graph.planMerge(keep: ada.id, absorb: other.id, in: home.scope)
    let merge = try await home.graph.commit(plan, by: home.admin)
    home.clock.advance(seconds: 60)
    let stolen = home.session(ada.id)
    home.clock.advance(seconds: 60)
    _ = try await home.graph.revokeSessions(of: ada.id, by: home.admin)
    _ = try await home.graph.undoMerge(merge.id, force: true, by: home.admin)
    await expectError(.userTokenExpired) {
      try await home.graph.revokeSessions(of: ada.id, by: stolen)
    }
  }

  @Test func `a value that a provider sends once is kept`() async throws {
    let first = try await home.signIn(home.credential("1", email: "a@example.com", name: "Ada"))
    let again = try await home.signIn(home.credential("1"))
    #expect(again.account.identities.first?.profile.displayName == "Ada")
    #expect(again.account.identities.first?.profile.email == nil)
    #expect(again.account.id == first.account.id)
    #expect(again.account == (try await home.account(first.account.id)))
  }

  @Test func `a lost key is noticed before another one is used`() async throws {
    let store = MemoryStore()
    let before = TestHome(store: store)
    _ = try await before.graph.configure(
      .emailLink, values: ["linkBase": "https://app.example/"], by: before.admin)
    let ada = try await before.person("ada")
    _ = try await before.enrollTOTP(ada.id)
    let after = TestHome(store: store)
    await expectError(.internalError) {
      try await after.graph.beginTOTPEnrollment(for: ada.id, by: after.admin)
    }
  }
}
