import AuthCore
import AuthTesting
import Testing

extension CodeExample {
  /// Codes and links that are sent.
  static let codes: [CodeExample] = [
    CodeExample(.invalidVerificationCode) { home in
      try await home.signIn(.phone, try await home.sentCode(isWrong: true))
    },
    CodeExample(.invalidVerificationID) { home in
      try await home.signIn(
        .phone, ["verificationID": "unknown", "verificationCode": "123456"])
    },
    CodeExample(.codeExpired) { home in
      let sent = try await home.sentCode()
      home.clock.advance(seconds: 24 * 3600)
      try await home.signIn(.phone, sent)
    },
    CodeExample(.tooManyRequests) { home in
      let wrong = try await home.sentCode(isWrong: true)
      for _ in 0...OneTimeCodes.guesses {
        do { try await home.signIn(.phone, wrong) } catch let error as AuthError
          where error.code == .invalidVerificationCode
        {}
      }
    },
    CodeExample(.invalidActionCode) { home in
      try await home.graph.actionCode("unknown", by: home.anyone)
    },
    CodeExample(.expiredActionCode) { home in
      try await home.person()
      let request = ActionCodeRequest(
        .resetPassword, email: try EmailAddress("ada@example.com"))
      let code = try #require(try await home.graph.makeActionCode(request, by: home.admin))
      home.clock.advance(seconds: 3600)
      return try await home.graph.actionCode(code.code.reveal(), by: home.anyone)
    },
    CodeExample(.unauthorizedContinueURI) { home in
      _ = try await home.graph.configure(
        .emailLink, values: ["linkBase": "https://app.example/link"], by: home.admin)
      return try await home.graph.sendChallenge(
        .emailLink,
        ChallengeRequest(recipient: "ada@example.com", continueURL: "https://another.example/"),
        by: home.anyone)
    },
  ]

  /// Enrolling and removing second factors.
  static let secondFactors: [CodeExample] = [
    CodeExample(.invalidMultiFactorSession) { home in
      let ada = try await home.person()
      let open = try await home.graph.beginTOTPEnrollment(for: ada, by: home.admin)
      home.clock.advance(seconds: 3600)
      return try await home.graph.finishEnrollment(
        open.enrollment, code: Secret("123456"), by: home.admin)
    },
    CodeExample(.multiFactorInfoNotFound) { home in
      try await home.graph.unenroll("unknown", of: try await home.person(), by: home.admin)
    },
    CodeExample(.secondFactorAlreadyInUse) { home in
      let ada = try await home.person(phones: ["+15555550123"])
      return try await home.graph.beginPhoneEnrollment(
        of: PhoneNumber("+15555550123"), for: ada, by: home.admin)
    },
    CodeExample(.maximumSecondFactorCountExceeded) { home in
      let ada = try await home.person(phones: (1...5).map { "+1555555010\($0)" })
      return try await home.graph.beginTOTPEnrollment(for: ada, by: home.admin)
    },
    CodeExample(.unsupportedFirstFactor) { home in
      let visitor = try await home.signIn(home.graph.providers.credential(.anonymous, [:]))
      return try await home.graph.beginTOTPEnrollment(for: visitor.account.id, by: home.admin)
    },
    CodeExample(.unverifiedEmail) { home in
      let ada = try await home.person(isVerified: false)
      return try await home.graph.beginTOTPEnrollment(for: ada, by: home.session(ada))
    },
  ]
}
