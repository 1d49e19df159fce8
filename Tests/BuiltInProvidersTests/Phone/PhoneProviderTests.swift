import AuthCore
import AuthTesting
import BuiltInProviders
import ProviderChecks
import Testing

@Suite struct PhoneProviderTests {
  private let home = CodeHome(PhoneProvider())
  private let number = "+4915112345678"

  @Test(arguments: ProviderCheck.all)
  func `the provider keeps a provider's promises`(promise: ProviderCheck) async throws {
    try await promise.run(PhoneProvider())
  }

  private func fields(_ challenge: (id: String, proof: String)) -> [String: String] {
    ["verificationID": challenge.id, "verificationCode": challenge.proof]
  }

  @Test func `the code that was sent proves the number`() async throws {
    let challenge = try await home.challenge(number, requestedFrom: "203.0.113.7")

    let identity = try await home.verify(fields(challenge))

    #expect(identity.key == .phone(try PhoneNumber(number)))
    #expect(identity.phoneNumber?.text == number)
    #expect(identity.profile == IdentityProfile(phoneNumber: number))
    #expect(identity.email == nil && !identity.emailVerified)
    #expect(identity.uses.count == 1)
  }

  @Test func `the message has its purpose and its expiry`() async throws {
    let challenge = try await home.challenge(number, requestedFrom: "203.0.113.7")

    let message = try #require(home.messages.last(to: number))
    #expect(message.kind == .phoneSignIn)
    #expect(message.scope == home.scope)
    #expect(message.expiresAt == home.clock.now.adding(seconds: 300))
    #expect(message.requestedFrom == "203.0.113.7")
    #expect(message.intent == "sign-in")
    #expect(challenge.proof.wholeMatch(of: /[0-9]{6}/) != nil)
    #expect(!challenge.id.contains(challenge.proof))

    _ = try await home.challenge(number, account: "ada")
    #expect(home.messages.last()?.intent == "link")
  }

  @Test func `the code may be typed in groups`() async throws {
    let challenge = try await home.challenge(number)
    let grouped = "\(challenge.proof.prefix(3)) \(challenge.proof.suffix(3))"

    _ = try await home.verify(["verificationID": challenge.id, "verificationCode": grouped])
  }

  @Test func `a wrong code is refused, and the right one still counts`() async throws {
    let challenge = try await home.challenge(number)

    for wrong in [wrongCode(challenge.proof), "1", challenge.proof + "0", "🔑"] {
      await home.expect(.invalidVerificationCode, hiding: [challenge.proof, challenge.id]) {
        try await home.verify(["verificationID": challenge.id, "verificationCode": wrong])
      }
    }

    _ = try await home.verify(fields(challenge))
  }

  @Test func `after five wrong guesses even the right code is refused`() async throws {
    let challenge = try await home.challenge(number)
    for _ in 0..<5 {
      await home.expect(.invalidVerificationCode) {
        try await home.verify(fields((challenge.id, wrongCode(challenge.proof))))
      }
    }

    await home.expect(.tooManyRequests, hiding: [challenge.proof]) {
      try await home.verify(fields(challenge))
    }
  }

  @Test func `no more than five of many guesses at once count`() async throws {
    let challenge = try await home.challenge(number)
    let wrong = wrongCode(challenge.proof)

    let codes = await withTaskGroup(of: AuthError.Code?.self) { group in
      for _ in 0..<64 {
        group.addTask {
          do {
            _ = try await home.verify(fields((challenge.id, wrong)))
            return nil
          } catch {
            return (error as? AuthError)?.code
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }

    #expect(codes.count { $0 == .invalidVerificationCode } == 5)
    #expect(codes.count { $0 == .tooManyRequests } == 59)
  }

  @Test(arguments: [(nil, 300), (30, 30), (3600, 3600)] as [(Int64?, Int64)])
  func `a code ends with its time`(setting: Int64?, seconds: Int64) async throws {
    var home = home
    home.settings["codeSeconds"] = setting.map(JSONValue.integer)
    let (early, late) = (try await home.challenge(number), try await home.challenge(number))

    home.clock.advance(seconds: seconds - 1)
    _ = try await home.verify(fields(early))
    home.clock.advance(seconds: 1)
    await home.expect(.codeExpired) { try await home.verify(fields(late)) }
  }

  @Test(arguments: [0, -1, 29, 3601, Int64.max])
  func `a time that makes no sense is refused before anything is sent`(setting: Int64) async {
    var home = home
    home.settings["codeSeconds"] = .integer(setting)

    let error = await home.expect(.operationNotAllowed) { try await home.challenge(number) }

    #expect(error?.field == "codeSeconds")
    #expect(home.messages.messages.isEmpty)
  }

  @Test func `a code is used up by its commit, not by a check`() async throws {
    let challenge = try await home.challenge(number)
    _ = try await home.verify(fields(challenge))
    let identity = try await home.verify(fields(challenge))

    try await home.commit(identity)

    await home.expect(.codeExpired) { try await home.verify(fields(challenge)) }
  }

  @Test func `attack 8: a code sent to one number cannot be used for another`() async throws {
    let mine = try await home.challenge("+15555550100")
    let victim = try await home.challenge("+15555550199")

    if mine.proof != victim.proof {
      await home.expect(.invalidVerificationCode) {
        try await home.verify(fields((victim.id, mine.proof)))
      }
    }
    await home.expect(.invalidCredential) {
      try await home.verify(fields(mine).merging(["phoneNumber": "+15555550199"]) { $1 })
    }
    let identity = try await home.verify(fields(mine))
    #expect(identity.key?.subject == "+15555550100")
  }

  @Test func `attack 8: a code to link one account neither signs in nor links another`()
    async throws
  {
    let challenge = try await home.challenge(number, account: "ada")

    for other in [nil, "mallory", "Ada"] {
      await home.expect(.invalidVerificationID, hiding: ["ada", number]) {
        try await home.verify(fields(challenge), account: other)
      }
    }
    _ = try await home.verify(fields(challenge), account: "ada")
  }

  @Test func `attack 4: a code of an account is void once the account's records are removed`()
    async throws
  {
    let challenge = try await home.challenge(number, account: "ada")
    let scope = home.scope
    try await home.store.write {
      try $0.apply([.removeRecords(of: AccountID("ada"))], in: scope)
    }

    await home.expect(.invalidVerificationID) {
      try await home.verify(fields(challenge), account: "ada")
    }
  }

  @Test func `attack 34: a code of one tenant is unknown to the others`() async throws {
    let challenge = try await home.challenge(number)

    for scope in [Scope(project: "shop"), Scope(project: "shop", tenant: "paris")] {
      var other = home
      other.scope = scope
      await home.expect(.invalidVerificationID) { try await other.verify(fields(challenge)) }
    }
  }

  @Test(arguments: ["", " ", "no such code", "attempts:issued:phone-sign-in:+4915112345678", "é"])
  func `an ID that was never issued is refused`(id: String) async throws {
    _ = try await home.challenge(number)
    let credential = Credential(
      provider: .phone, builder: "credential",
      fields: ["verificationID": id, "verificationCode": "123456"])

    await home.expect(id.isEmpty ? .invalidCredential : .invalidVerificationID) {
      try await home.provider.verify(credential, home.context())
    }
  }

  @Test func `the code of an e-mail link is none of a phone`() async throws {
    var mail = CodeHome(EmailLinkProvider(), ["linkBase": "https://app.example/in"])
    mail.scope = home.scope
    let link = try await mail.challenge("ada@example.com")
    let code = try #require(link.proof.firstMatch(of: /oobCode=[^.]+\.([A-Za-z0-9]+)/)?.1)
    let credential = Credential(
      provider: .phone, builder: "credential",
      fields: ["verificationID": link.id, "verificationCode": String(code)])

    await home.expect(.invalidVerificationID) {
      try await home.provider.verify(credential, mail.context())
    }
  }

  @Test func `attack 31: a number gets ten codes an hour`() async throws {
    for _ in 0..<10 { _ = try await home.challenge(number) }
    await home.expect(.tooManyRequests) { try await home.challenge(number) }
    #expect(home.messages.messages.count == 10)
    _ = try await home.challenge("+4915112345679")

    home.clock.advance(seconds: 3599)
    await home.expect(.tooManyRequests) { try await home.challenge(number) }
    home.clock.advance(seconds: 1)
    _ = try await home.challenge(number)
  }

  @Test func `a reason not to send is reported, and other codes stay good`() async throws {
    let challenge = try await home.challenge(number)
    home.messages.fail(
      with: AuthError(.quotaExceeded, "Enough for today.", remedy: "Come back tomorrow."))

    let error = await home.expect(.quotaExceeded) { try await home.challenge(number) }

    #expect(error?.remedy == "Come back tomorrow.")
    _ = try await home.verify(fields(challenge))
  }

  @Test func `a sender's own error becomes one of ours, and the code stays`() async throws {
    let sender = FailingSender(box: home.messages)

    let error = await home.expect(.internalError) {
      try await home.provider.issueChallenge(
        ChallengeRequest(recipient: number), home.context(sender: sender))
    }

    #expect(error?.cause is FailingSender.Broken)
    #expect(home.messages.last(to: number) != nil)
  }

  @Test(arguments: [
    "", "015112345678", "4915112345678", "+0151", "+49 151 12345678", "+49151123456789012",
    "+４９15112345678", "+49151\u{0}", "ada@example.com", "+49151-1234",
  ])
  func `a text that is no number in E.164 form is refused`(recipient: String) async {
    await home.expect(.invalidPhoneNumber) { try await home.challenge(recipient) }
  }

  @Test func `without a store there are no codes`() async {
    let context = VerificationContext(
      scope: home.scope, purpose: .signIn, now: home.clock.now, messages: home.messages)

    await home.expect(.operationNotAllowed) {
      try await home.provider.issueChallenge(ChallengeRequest(recipient: number), context)
    }
  }
}

/// Delivers a message, and then fails.
private struct FailingSender: MessageSender {
  struct Broken: Error {}
  let box: CollectingMessageSender

  func send(_ message: OutgoingMessage) async throws {
    try await box.send(message)
    throw Broken()
  }
}
