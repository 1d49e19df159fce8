import AuthCore
import AuthTesting
import Testing
import TestSupport

/// Attacks on e-mailed codes; the numbers are rows of the project's list of attacks.
@Suite struct `Recovery attacks` {
  let home = TestHome()

  @Test func `attack 2: a session from before the reset is over`() async throws {
    let squatted = try await home.withPassword("victim@example.com", verified: false)
    let stolen = home.session(squatted.id)
    home.clock.advance(seconds: 60)
    try await home.reset(home.code(.resetPassword, "victim@example.com"), "victims-own")
    await expectError(.userTokenExpired) {
      try await home.graph.renewSession(provider: .password, showing: nil, by: stolen)
    }
    await expectError(.userTokenExpired) {
      try await home.graph.linkForSession(
        home.credential("evil"), to: squatted.id, by: stolen)
    }
  }

  @Test func `attack 3: a reset takes away links from before the address was proven`() async throws
  {
    let squatted = try await home.withPassword("victim@example.com", verified: false)
    _ = try await home.graph.link(
      home.credential("evil", provider: TestHome.other), to: squatted.id,
      by: home.session(squatted.id))
    try await home.update(squatted.id) { $0.phoneNumber = .set(try PhoneNumber("+15550100123")) }
    home.clock.advance(seconds: 60)

    let result = try await home.reset(
      home.code(.resetPassword, "victim@example.com"), "victims-own")

    #expect(result.account.identities.map(\.provider) == [.password])
    #expect(result.account.phoneNumber == nil)
    let attacker = try await home.signIn(home.credential("evil", provider: TestHome.other))
    #expect(attacker.account.id != squatted.id)
  }

  @Test func `attack 3: a reset leaves the links of a proven account`() async throws {
    let ada = try await home.withPassword("ada@example.com")
    _ = try await home.graph.link(home.credential("a"), to: ada.id, by: home.session(ada.id))
    let result = try await home.reset(
      home.code(.resetPassword, "ada@example.com"), "second-secret")
    #expect(result.account.identities.map(\.provider) == [.password, TestHome.fake])
  }

  @Test func `attack 4: a change of address that waits is void after the recovery`() async throws {
    let squatted = try await home.withPassword("victim@example.com", verified: false)
    let waiting = try await home.code(
      .verifyAndChangeEmail, new: "evil@example.com", by: home.session(squatted.id))
    home.clock.advance(seconds: 60)
    try await home.reset(home.code(.resetPassword, "victim@example.com"), "victims-own")
    await expectError(.invalidActionCode) { try await home.apply(waiting) }
    #expect(try await home.account(squatted.id).email?.text == "victim@example.com")
  }

  @Test(arguments: [
    "a link", "an unlink", "another password", "ended sessions", "a second factor", "a merge",
  ])
  func `attack 4: a waiting change is void after`(_ change: String) async throws {
    let ada = try await home.withPassword("ada@example.com")
    let session = home.session(ada.id)
    _ = try await home.graph.link(
      home.credential("first", provider: TestHome.other), to: ada.id, by: session)
    let codes = [
      try await home.code(.verifyAndChangeEmail, new: "new@example.com", by: session),
      try await home.code(.verifyEmail, by: session),
    ]
    let reset = try await home.code(.resetPassword, "ada@example.com")
    home.clock.advance(seconds: 60)
    switch change {
    case "a link":
      _ = try await home.graph.link(home.credential("second"), to: ada.id, by: session)
    case "an unlink":
      _ = try await home.graph.unlink(TestHome.other, from: ada.id, by: session)
    case "another password": try await home.update(ada.id) { $0.password = Secret("other-one") }
    case "ended sessions": _ = try await home.graph.revokeSessions(of: ada.id, by: home.admin)
    case "a second factor": _ = try await home.enrollTOTP(ada.id)
    default:
      let other = try await home.signIn(home.credential("third")).account
      let plan = try await home.graph.planMerge(keep: ada.id, absorb: other.id, in: home.scope)
      _ = try await home.graph.commit(plan, by: home.admin)
    }
    for code in codes { await expectError(.invalidActionCode) { try await home.apply(code) } }
    await expectError(.invalidActionCode) { try await home.reset(reset, "second-secret") }
  }

  @Test func `attack 8: a code that proves one mailbox proves no other`() async throws {
    let eve = try await home.withPassword("eve@example.com")
    let code = try await home.code(.emailSignIn, "eve@example.com")
    await expectError(.invalidEmail) {
      try await home.graph.linkForSession(
        home.graph.providers.credential(
          .emailLink, ["email": "ada@example.com", "link": code.code.reveal()]),
        to: eve.id, by: home.session(eve.id))
    }
  }

  @Test func `attack 9: a mail names the requesting client and the change`() async throws {
    let ada = try await home.withPassword("ada@example.com")
    let code = try await home.code(
      .verifyAndChangeEmail, new: "new@example.com", by: home.session(ada.id))
    try await home.send(
      code,
      ActionCodeLetter(requestedFrom: "198.51.100.7") { _ in Secret("https://app.example/") })
    let message = try home.messages.last(to: "new@example.com").unwrapped("message")
    #expect(message.requestedFrom == "198.51.100.7")
    #expect(message.concerning == "ada@example.com")
    // A change of the address in between voids the sent codes.
    try await home.update(ada.id) { $0.email = .set(try EmailAddress("third@example.com")) }
    await expectError(.invalidActionCode) { try await home.apply(code) }
  }

  @Test func `attack 24: no code of an e-mail opens an account with a second factor`() async throws
  {
    let ada = try await home.withPassword("ada@example.com")
    _ = try await home.enrollTOTP(ada.id)
    let entry = try await home.code(.emailSignIn, "ada@example.com")
    await expectError(.secondFactorRequired) { try await home.enter(entry, "ada@example.com") }
    try await home.reset(home.code(.resetPassword, "ada@example.com"), "second-secret")
    #expect(try await home.account(ada.id).secondFactors.count == 1)
    await expectError(.secondFactorRequired) {
      try await home.signIn(home.password("ada@example.com", "second-secret"))
    }
  }

  @Test func `a stranger's second factor is taken away by mail`() async throws {
    let ada = try await home.withPassword("ada@example.com")
    let caller = home.session(ada.id)
    let open = try await home.graph.beginTOTPEnrollment(for: ada.id, by: caller)
    let done = try await home.graph.enroll(
      open.enrollment, code: home.code(open.secret), by: caller)
    let revert = try done.revert.unwrapped("revert")
    #expect(revert.info.operation == .revertSecondFactorAddition)
    #expect(revert.info.factor == done.factor && revert.info.email.text == "ada@example.com")
    home.clock.advance(seconds: 60)
    let reverted = try await home.apply(revert)
    #expect(reverted.account.secondFactors.isEmpty)
    await expectError(.invalidActionCode) { try await home.apply(revert) }
    _ = try await home.signIn(home.password("ada@example.com", "first-secret"))
  }

  @Test func `an address that was never verified recovers nothing`() async throws {
    let typo = try await home.withPassword("adda@example.com", verified: false)
    _ = try await home.graph.changeSettings(by: home.admin) { $0.signIn.hidesAccounts = false }
    var update = AccountUpdate()
    update.profile.email = .set(try EmailAddress("ada@example.com"))
    let result = try await home.graph.update(typo.id, update, by: home.session(typo.id))
    #expect(result.recovery == nil && result.endedSessions)
  }
}
