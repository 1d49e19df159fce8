import AuthCore
import AuthTesting
import BuiltInProviders
import Testing

@Suite struct AllowedRegionTests {
  @Test func `only allowed regions get messages`() async throws {
    let home = CodeHome(PhoneProvider(), ["allowedRegions": ["+49", "+1"]])

    _ = try await home.challenge("+4915112345678")
    _ = try await home.challenge("+15555550100")
    for number in ["+33612345678", "+8801812345678", "+4"] {
      let error = await home.expect(number.count > 2 ? .operationNotAllowed : .invalidPhoneNumber) {
        try await home.challenge(number)
      }
      #expect(error?.field == "phoneNumber")
    }
    #expect(home.messages.messages.count == 2)
  }

  @Test(arguments: ["49", "+", "", "DE", "+0", "+49 ", "+4９"])
  func `a region that is no calling code allows no number`(region: String) async {
    let home = CodeHome(PhoneProvider(), ["allowedRegions": ["+49", .string(region)]])

    let error = await home.expect(.operationNotAllowed) {
      try await home.challenge("+4915112345678")
    }

    #expect(error?.field == "allowedRegions")
    #expect(home.messages.messages.isEmpty)
  }
}

@Suite struct TestNumberTests {
  private let number = "+15555550100"
  private let home = CodeHome(
    PhoneProvider(),
    [
      "testNumbers": ["+15555550100": "246810", "+15555550101": "24681"],
      "allowedRegions": ["+49"],
    ])

  private func verify(
    _ id: String, _ code: String, in home: CodeHome? = nil, account: String? = nil
  ) async throws -> VerifiedIdentity {
    try await (home ?? self.home).verify(
      ["verificationID": id, "verificationCode": code], account: account)
  }

  @Test func `a test number gets no message, and its code is right`() async throws {
    let challenge = try await home.challenge(number)

    let identity = try await verify(challenge.id, "246 810")

    #expect(home.messages.messages.isEmpty)
    #expect(identity.key?.subject == number)
    #expect(identity.phoneNumber?.text == number)
  }

  @Test func `other numbers get messages as ever`() async throws {
    let challenge = try await home.challenge("+4915112345678")

    #expect(home.messages.messages.count == 1)
    if challenge.proof != "246810" {
      await home.expect(.invalidVerificationCode) { try await verify(challenge.id, "246810") }
    }
    _ = try await verify(challenge.id, challenge.proof)
  }

  @Test func `a test number's code is as hard to guess as one that was sent`() async throws {
    let challenge = try await home.challenge(number)
    let inner = challenge.id.split(separator: ".").map(String.init)
    for guess in ["000000", inner[2], inner[1], "24681", "2468100"] {
      await home.expect(.invalidVerificationCode, hiding: ["246810", inner[2]]) {
        try await verify(challenge.id, guess)
      }
    }

    await home.expect(.tooManyRequests) { try await verify(challenge.id, "246810") }
    // A new challenge is free, and gives no more guesses than one that was sent.
    for _ in 0..<5 {
      let next = try await home.challenge(number)
      for _ in 0..<3 {
        await home.expect(.invalidVerificationCode) { try await verify(next.id, "000000") }
      }
    }
    let last = try await home.challenge(number)
    await home.expect(.tooManyRequests) { try await verify(last.id, "246810") }
    home.clock.advance(seconds: 3601)
    _ = try await verify(try await home.challenge(number).id, "246810")
  }

  @Test func `a right code of a test number uses nothing up`() async throws {
    for _ in 0..<100 {
      let challenge = try await home.challenge(number)
      try await home.commit(try await verify(challenge.id, "246810"))
    }
    #expect(home.messages.messages.isEmpty)
  }

  @Test func `a made-up ID is refused although the code is right`() async throws {
    let challenge = try await home.challenge(number)
    let inner = challenge.id.split(separator: ".").map(String.init)

    for id in [
      "test.\(number).x", "test..", "test.\(inner[1]).", "test.\(inner[1]).\(inner[1])",
      "\(inner[1])", "test.\(inner[1])", "test.\(inner[1]).\(inner[2]).",
    ] {
      do {
        _ = try await verify(id, "246810")
        Issue.record("\(id) was taken")
      } catch let error as AuthError {
        #expect(
          [.invalidVerificationID, .invalidVerificationCode].contains(error.code), "\(error)")
      }
    }
  }

  @Test
  func `a test number's challenge ends with its use and its time, and is bound to its account`()
    async throws
  {
    let (used, bound) = (
      try await home.challenge(number), try await home.challenge(number, account: "ada")
    )
    try await home.commit(try await verify(used.id, "246810"))

    await home.expect(.codeExpired) { try await verify(used.id, "246810") }
    await home.expect(.invalidVerificationID) { try await verify(bound.id, "246810") }
    _ = try await verify(bound.id, "246810", account: "ada")
    home.clock.advance(seconds: 300)
    await home.expect(.codeExpired) { try await verify(bound.id, "246810", account: "ada") }
  }

  @Test func `a former test number has no right code`() async throws {
    let challenge = try await home.challenge(number)
    var later = home
    later.settings["testNumbers"] = [:]

    for code in ["246810", challenge.id.split(separator: ".").map(String.init)[2]] {
      await home.expect(.invalidVerificationCode) {
        try await verify(challenge.id, code, in: later)
      }
    }
  }

  @Test func `a configured code without six digits is refused at the challenge`() async {
    let error = await home.expect(.operationNotAllowed, hiding: ["24681"]) {
      try await home.challenge("+15555550101")
    }

    #expect(error?.field == "testNumbers")
  }
}
