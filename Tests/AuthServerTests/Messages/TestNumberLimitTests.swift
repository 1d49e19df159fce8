import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// Test numbers get no messages, so that no limit on messages applies to them.
@Suite struct `Limits and test numbers` {
  private static let number = "+15555550100"
  private static let code = "424242"
  private static let real = "+15555550199"

  /// Runs servers in production with a test number and small limits.
  private func withTestNumber(
    servers: Int = 1, _ body: @escaping @Sendable (ServerHome) async throws -> Void
  ) async throws {
    try await withServer(
      .production,
      configure: {
        $0.servers = servers
        $0.settings = { settings in
          settings.rateLimits.messagesPerAddressAndHour = 2
          settings.rateLimits.codes.codesOfNetwork = 2
          settings.rateLimits.codes.codes = 2
          settings.rateLimits.codes.secondFactorCodes = 2
        }
      }
    ) { home in
      try await home.change {
        $0.providers["phone"] = ProviderConfiguration(values: [
          "testNumbers": [Self.number: .string(Self.code)]
        ])
      }
      try await body(home)
    }
  }

  private func begin(_ home: ServerHome, _ number: String = number) async throws -> Reply {
    try await home.post(
      "/v1/accounts:sendVerificationCode", ["phoneNumber": .string(number)])
  }

  private func finish(
    _ home: ServerHome, _ begun: Reply, _ code: String = code
  ) async throws -> Reply {
    try await home.post(
      "/v1/accounts:signInWithPhoneNumber",
      ["sessionInfo": .string(try begun.text("sessionInfo")), "code": .string(code)])
  }

  @Test(arguments: [1, 2])
  func `codes of a test number are requested and shown without limit`(_ servers: Int) async throws {
    try await withTestNumber(servers: servers) { home in
      for _ in 0..<40 {
        let done = try await finish(home, try await begin(home))
        #expect(done.status == 200, "\(done.text)")
      }
      #expect(home.messages.messages.isEmpty)
    }
  }

  @Test func `a real number is limited as before, and does not close the test number`()
    async throws
  {
    try await withTestNumber { home in
      for _ in 0..<5 { #expect(try await begin(home).status == 200) }
      #expect(try await begin(home, Self.real).status == 200)
      #expect(try await begin(home, Self.real).status == 200)
      #expect(try await begin(home, Self.real).isThrottled)
      let done = try await finish(home, try await begin(home))
      #expect(done.status == 200, "\(done.text)")
      #expect(home.messages.messages.count == 2)
    }
  }

  @Test func `a second factor with a test number is enrolled and shown without limit`()
    async throws
  {
    try await withTestNumber { home in
      let ada = try await home.person()
      for _ in 0..<5 {
        let begun = try await home.post(
          "/v2/accounts/mfaEnrollment:start",
          [
            "idToken": .string(ada.idToken),
            "phoneEnrollmentInfo": ["phoneNumber": .string(Self.number)],
          ])
        #expect(begun.status == 200, "\(begun.text)")
      }
      try await home.guardWithPhone(ada.uid, Self.number)
      for _ in 0..<5 {
        let pending = try await home.signIn(ada.email)
        let credential = try #require(pending.json["mfaPendingCredential"], "\(pending.text)")
        let begun = try await home.post(
          "/v2/accounts/mfaSignIn:start",
          [
            "mfaPendingCredential": credential, "mfaEnrollmentId": "factor-1",
            "phoneSignInInfo": [:],
          ])
        let session = try #require(
          begun.json["phoneResponseInfo"]?["sessionInfo"], "\(begun.text)")
        let done = try await home.post(
          "/v2/accounts/mfaSignIn:finalize",
          [
            "mfaPendingCredential": credential,
            "phoneVerificationInfo": ["sessionInfo": session, "code": .string(Self.code)],
          ])
        #expect(done.status == 200, "\(done.text)")
      }
      #expect(home.messages.messages.isEmpty)
    }
  }

  @Test func `a second factor with a real number is limited as before`() async throws {
    try await withTestNumber { home in
      let ada = try await home.person()
      try await home.guardWithPhone(ada.uid, Self.real)
      let pending = try await home.signIn(ada.email)
      func start() async throws -> Reply {
        try await home.post(
          "/v2/accounts/mfaSignIn:start",
          [
            "mfaPendingCredential": try #require(pending.json["mfaPendingCredential"]),
            "mfaEnrollmentId": "factor-1", "phoneSignInInfo": [:],
          ])
      }
      for _ in 0..<2 { #expect(try await start().status == 200) }
      #expect(try await start().isThrottled)
      #expect(home.messages.messages.count == 2)
    }
  }

  @Test func `attack 31: a test number's code is not guessed, however many codes are requested`()
    async throws
  {
    try await withTestNumber { home in
      var wrong = 0
      for _ in 0..<30 {
        let reply = try await finish(home, try await begin(home), "000000")
        if reply.message == "INVALID_CODE" { wrong += 1 } else { #expect(reply.isThrottled) }
      }
      #expect(wrong == CodeLimits().wrongCodesOfNetwork)
      #expect(try await finish(home, try await begin(home)).isThrottled)
      home.clock.advance(seconds: 3601)
      #expect(try await finish(home, try await begin(home)).status == 200)
    }
  }
}

extension Reply {
  /// True if a limit refused the request.
  var isThrottled: Bool { message?.hasPrefix("TOO_MANY_ATTEMPTS_TRY_LATER") == true }
}
