import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct `Enrolling second factors` {
  let home = TestHome()

  @Test func `an authenticator app is enrolled with its first code`() async throws {
    let ada = try await home.person("ada")
    let (factor, secret) = try await home.enrollTOTP(ada.id, name: "Phone app")
    let now = try await home.account(ada.id)
    #expect(now.secondFactors.map(\.id) == [factor.id])
    #expect(now.secondFactors.first?.displayName == "Phone app")
    #expect(factor.id.count == 28)
    let stored = try (now.secondFactors.first?.secret?.encoded).unwrapped("secret")
    #expect(!stored.contains(secret.reveal()), "the secret is stored in the clear")
  }

  @Test func `a phone is enrolled with the code that was sent to it`() async throws {
    let ada = try await home.person("ada")
    let factor = try await home.enrollPhone(ada.id, "+15555550123")
    #expect(factor.phoneNumber == "+*******0123")
    #expect(try await home.account(ada.id).secondFactors.first?.factorID == "phone")
  }

  @Test func `a test number is enrolled and challenged without a message`() async throws {
    _ = try await home.graph.configure(
      .phone, values: ["testNumbers": ["+15555550100": "123456"]], by: home.admin)
    let ada = try await home.person("ada")
    let open = try await home.graph.beginPhoneEnrollment(
      of: PhoneNumber("+15555550100"), for: ada.id, by: home.session(ada.id))
    let (factor, _) = try await home.graph.finishEnrollment(
      open, code: Secret("123456"), by: home.session(ada.id))
    home.clock.advance(seconds: 60)
    let resolver = try await home.resolver { try await home.signIn(home.credential("ada")) }
    let challenge = try await home.graph.challenge(factor.id, of: resolver, by: home.anyone)
    let result = try await home.graph.resolve(
      resolver,
      with: .phone(
        verificationID: challenge.verificationID.unwrapped("ID"), code: Secret("123456")),
      by: home.anyone)
    #expect(result.account.id == ada.id)
    #expect(home.messages.messages.isEmpty)
  }

  @Test func `messages go to the regions that an admin allowed`() async throws {
    _ = try await home.graph.configure(
      .phone, values: ["allowedRegions": ["+49"]], by: home.admin)
    let ada = try await home.person("ada")
    await expectError(.operationNotAllowed) {
      try await home.graph.beginPhoneEnrollment(
        of: PhoneNumber("+15555550123"), for: ada.id, by: home.session(ada.id))
    }
    #expect(home.messages.messages.isEmpty)
  }

  @Test func `enrolling and taking away end every session`() async throws {
    let ada = try await home.person("ada")
    let before = home.session(ada.id)
    home.clock.advance(seconds: 1)
    let (factor, _) = try await home.enrollTOTP(ada.id)
    await expectError(.userTokenExpired) {
      try await home.graph.link(
        home.credential("x", provider: TestHome.other), to: ada.id, by: before)
    }
    let after = home.session(ada.id, secondFactor: true)
    home.clock.advance(seconds: 1)
    _ = try await home.graph.unenroll(factor.id, of: ada.id, by: after)
    #expect(try await home.account(ada.id).secondFactors.isEmpty)
    await expectError(.userTokenExpired) {
      try await home.graph.revokeSessions(of: ada.id, by: after)
    }
  }

  @Test func `a wrong first code enrols nothing, and five of them end the enrolment`() async throws
  {
    let ada = try await home.person("ada")
    let open = try await home.graph.beginTOTPEnrollment(for: ada.id, by: home.session(ada.id))
    let right = try home.code(open.secret)
    let wrong = Secret(right.reveal() == "000000" ? "000001" : "000000")
    for _ in 0..<5 {
      await expectError(.invalidVerificationCode) {
        try await home.graph.finishEnrollment(
          open.enrollment, code: wrong, by: home.session(ada.id))
      }
    }
    await expectError(.invalidMultiFactorSession) {
      try await home.graph.finishEnrollment(open.enrollment, code: right, by: home.session(ada.id))
    }
    #expect(try await home.account(ada.id).secondFactors.isEmpty)
  }

  @Test func `an enrolment ends with its time and with its use`() async throws {
    let ada = try await home.person("ada")
    let late = try await home.graph.beginTOTPEnrollment(for: ada.id, by: home.admin)
    home.clock.advance(seconds: 901)
    await expectError(.invalidMultiFactorSession) {
      try await home.graph.finishEnrollment(
        late.enrollment, code: home.code(late.secret), by: home.admin)
    }
    let open = try await home.graph.beginTOTPEnrollment(for: ada.id, by: home.admin)
    _ = try await home.graph.finishEnrollment(
      open.enrollment, code: home.code(open.secret), by: home.admin)
    home.clock.advance(seconds: 60)
    await expectError(.invalidMultiFactorSession) {
      try await home.graph.finishEnrollment(
        open.enrollment, code: home.code(open.secret), by: home.admin)
    }
  }

  @Test func `five factors are the most, and one number is one factor`() async throws {
    let ada = try await home.person("ada")
    for digit in 1...5 { _ = try await home.enrollPhone(ada.id, "+1555555010\(digit)") }
    await expectError(.maximumSecondFactorCountExceeded) {
      try await home.graph.beginTOTPEnrollment(
        for: ada.id, by: home.session(ada.id, secondFactor: true))
    }
    let bob = try await home.person("bob")
    _ = try await home.enrollPhone(bob.id, "+15555550101")
    await expectError(.secondFactorAlreadyInUse) {
      try await home.enrollPhone(bob.id, "+15555550101")
    }
  }

  @Test func `a second factor cannot lock an unproven address`() async throws {
    let squatter = try await home.signIn(home.credential("s", email: "victim@example.com")).account
    await expectError(.unverifiedEmail) {
      try await home.graph.beginTOTPEnrollment(for: squatter.id, by: home.session(squatter.id))
    }
  }

  @Test func `ways in that cannot be guarded are refused`() async throws {
    let anonymous = try await home.signIn(home.graph.providers.credential(.anonymous, [:])).account
    await expectError(.unsupportedFirstFactor) {
      try await home.graph.beginTOTPEnrollment(for: anonymous.id, by: home.session(anonymous.id))
    }
  }

  @Test func `an enrolment needs a recent sign-in, the account itself, and a factor that exists`()
    async throws
  {
    let ada = try await home.person("ada")
    let bob = try await home.person("bob")
    await expectError(.operationNotAllowed) {
      try await home.graph.beginTOTPEnrollment(for: ada.id, by: home.session(bob.id))
    }
    await expectError(.operationNotAllowed) {
      try await home.graph.beginTOTPEnrollment(for: ada.id, by: home.anyone)
    }
    let old = home.session(ada.id)
    home.clock.advance(seconds: 301)
    await expectError(.requiresRecentLogin) {
      try await home.graph.beginTOTPEnrollment(for: ada.id, by: old)
    }
    let (factor, _) = try await home.enrollTOTP(ada.id)
    await expectError(.multiFactorInfoNotFound) {
      try await home.graph.unenroll("nothing", of: ada.id, by: home.admin)
    }
    let stale = home.session(ada.id, secondFactor: true)
    home.clock.advance(seconds: 301)
    await expectError(.requiresRecentLogin) {
      try await home.graph.unenroll(factor.id, of: ada.id, by: stale)
    }
    await expectError(.secondFactorRequired) {
      try await home.graph.unenroll(factor.id, of: ada.id, by: home.session(ada.id))
    }
  }

  @Test func `an admin recovers an account, with a reason`() async throws {
    let ada = try await home.person("ada")
    _ = try await home.enrollTOTP(ada.id)
    _ = try await home.enrollPhone(ada.id, "+15555550123")
    var silent = home.admin
    silent.reason = "  "
    await expectError(.invalidArgument) { try await home.graph.recover(ada.id, by: silent) }
    await expectError(.operationNotAllowed) {
      try await home.graph.recover(ada.id, by: home.session(ada.id, secondFactor: true))
    }
    var caller = home.admin
    caller.reason = "lost both, passport seen"
    let receipt = try await home.graph.recover(ada.id, by: caller)
    #expect(try await home.account(ada.id).secondFactors.isEmpty)
    let event = try await home.graph.event(receipt.id, in: home.scope)
    #expect(event.reason == "lost both, passport seen")
    _ = try await home.signIn(home.credential("ada"))
    await expectError(.multiFactorInfoNotFound) { try await home.graph.recover(ada.id, by: caller) }
  }

  @Test func `a second factor keeps a number from being a way in of its own`() async throws {
    let ada = try await home.person("ada")
    let link = try await home.graph.sendChallenge(
      .phone, ChallengeRequest(recipient: "+15555550123"), by: home.anyone)
    let credential = try home.graph.providers.credential(
      .phone,
      [
        "verificationID": link.verificationID,
        "verificationCode": home.sentCode("+15555550123").reveal(),
      ])
    _ = try await home.graph.link(credential, to: ada.id, by: home.session(ada.id))
    _ = try await home.enrollTOTP(ada.id)
    let again = try await home.graph.sendChallenge(
      .phone, ChallengeRequest(recipient: "+15555550123"), by: home.anyone)
    await expectError(.unsupportedFirstFactor) {
      try await home.signIn(
        home.graph.providers.credential(
          .phone,
          [
            "verificationID": again.verificationID,
            "verificationCode": home.sentCode("+15555550123").reveal(),
          ]))
    }
    await expectError(.lastSignInMethod) {
      try await home.graph.unlink(
        TestHome.fake, from: ada.id, by: home.session(ada.id, secondFactor: true))
    }
  }
}
