import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// Each limit that is 0 is none; all others are as small as possible.
@Suite struct `A limit of 0` {
  /// Runs a server whose limits are all 0 or all 1.
  private func withLimits(
    _ number: Int, _ body: @escaping @Sendable (ServerHome) async throws -> Void
  ) async throws {
    try await withServer(
      .production,
      configure: {
        $0.servers = 1
        $0.settings = { settings in
          settings.rateLimits = .none
          guard number > 0 else { return }
          settings.rateLimits.signUpsPerAddressAndHour = number
          settings.rateLimits.attemptsPerAccountAndAddressAndHour = number
          settings.rateLimits.attemptsPerAccountAndHour = number
          settings.rateLimits.codes.codesOfNetwork = number
          settings.rateLimits.codes.codes = number
          settings.rateLimits.codes.wrongCodesOfNetwork = number
          settings.rateLimits.codes.wrongCodes = number
          settings.rateLimits.codes.secondFactorCodes = number
        }
      }, body)
  }

  /// Makes a request 35 times, more often than each default limit but one allows, and expects a limit of 1 to refuse it.
  private func expectNoLimit(
    _ ask: @escaping @Sendable (ServerHome) async throws -> Reply
  ) async throws {
    for number in [0, 1] {
      try await withLimits(number) { home in
        var refused = 0
        for _ in 0..<35 where try await ask(home).isThrottled { refused += 1 }
        #expect(refused == (number == 0 ? 0 : 34))
      }
    }
  }

  @Test func `admits every sign-up`() async throws {
    try await expectNoLimit { try await $0.post(ServerHome.signUp) }
  }

  @Test func `admits every request for a link`() async throws {
    for type in ["PASSWORD_RESET", "EMAIL_SIGNIN"] {
      try await expectNoLimit {
        try await $0.post(
          "/v1/accounts:sendOobCode",
          ["requestType": .string(type), "email": "nobody@example.com"])
      }
    }
  }

  @Test func `admits every request for a phone's code`() async throws {
    try await expectNoLimit {
      try await $0.post(
        "/v1/accounts:sendVerificationCode", ["phoneNumber": "+15555550100"])
    }
  }

  @Test func `admits every wrong password`() async throws {
    try await expectNoLimit { try await $0.enter("nobody@example.com", "wrong password") }
  }

  @Test func `admits every wrong code, each code five times`() async throws {
    try await withLimits(0) { home in
      for _ in 0..<15 {
        let sent = try await home.phoneCode("+15555550100")
        let wrong = sent.code == "000000" ? "000001" : "000000"
        for guess in 1...6 {
          let reply = try await home.post(
            "/v1/accounts:signInWithPhoneNumber",
            ["sessionInfo": .string(sent.session), "code": .string(wrong)])
          #expect(reply.isThrottled == (guess > OneTimeCodes.guesses), "\(reply.text)")
        }
      }
    }
  }

  @Test func `admits every enrolment of a phone, and every wrong code of a second factor`()
    async throws
  {
    try await withLimits(0) { home in
      let ada = try await home.person()
      for _ in 0..<15 {
        let begun = try await home.post(
          "/v2/accounts/mfaEnrollment:start",
          [
            "idToken": .string(ada.idToken),
            "phoneEnrollmentInfo": ["phoneNumber": "+15555550100"],
          ])
        #expect(begun.status == 200, "\(begun.text)")
      }
      try await home.guardWithPhone(ada.uid, "+15555550100")
      for _ in 0..<15 {
        let pending = try await home.signIn(ada.email)
        let credential = try #require(pending.json["mfaPendingCredential"], "\(pending.text)")
        let begun = try await home.post(
          "/v2/accounts/mfaSignIn:start",
          ["mfaPendingCredential": credential, "mfaEnrollmentId": "factor-1"])
        let code = try #require(home.messages.last(to: "+15555550100")).proof.reveal()
        let reply = try await home.post(
          "/v2/accounts/mfaSignIn:finalize",
          [
            "mfaPendingCredential": credential,
            "phoneVerificationInfo": [
              "sessionInfo": try #require(begun.json["phoneResponseInfo"]?["sessionInfo"]),
              "code": .string(code == "000000" ? "000001" : "000000"),
            ],
          ])
        #expect(reply.message == "INVALID_CODE", "\(reply.text)")
      }
    }
  }

  @Test func `admits every message of an address, and every request`() async throws {
    var limits = RateLimits.none
    limits.codes.codes = 1
    let limiter = RequestLimits(limits: limits, limiter: RateLimiter())
    let now = Timestamp(milliseconds: 0)
    for _ in 0..<2000 {
      try limiter.takeRequest(from: "203.0.113.7", at: now)
      try limiter.takeMessage(from: "203.0.113.7", at: now)
    }
  }

  @Test func `takes effect while the server runs`() async throws {
    try await withLimits(1) { home in
      func ask() async throws -> Reply {
        try await home.post(
          "/v1/accounts:sendVerificationCode", ["phoneNumber": "+15555550100"])
      }
      let (first, second) = (try await ask(), try await ask())
      #expect(first.status == 200 && second.isThrottled, "\(second.text)")
      var settings = home.services.live.current
      settings.rateLimits = .none
      home.services.live.replace(with: settings)
      let third = try await ask()
      #expect(third.status == 200, "\(third.text)")
    }
  }

  @Test func `is every limit of the emulator`() async throws {
    try await withServer(.emulator, configure: { $0.servers = 1 }) { home in
      let ada = try await home.person()
      for _ in 0..<35 {
        #expect(try await home.post(ServerHome.signUp).status == 200)
        #expect(
          try await home.post(
            "/v1/accounts:sendVerificationCode", ["phoneNumber": "+15555550100"]
          ).status == 200)
        #expect(
          try await home.post(
            "/v2/accounts/mfaEnrollment:start",
            [
              "idToken": .string(ada.idToken),
              "phoneEnrollmentInfo": ["phoneNumber": "+15555550101"],
            ]
          ).status == 200)
      }
    }
  }
}
