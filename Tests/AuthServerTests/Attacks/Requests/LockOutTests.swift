import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// A stranger's attempts to lock a chosen person out, and the ways that stay open.
@Suite struct `Attacks that lock a person out` {
  private static let usual = RateLimits()

  /// Runs a server behind a proxy that names the clients' addresses.
  private func withProxy(
    _ limits: RateLimits = usual, _ body: @escaping @Sendable (ServerHome) async throws -> Void
  ) async throws {
    try await withServer(
      .production,
      configure: {
        // The limits under test are counted by each server for itself.
        $0.servers = 1
        $0.settings = { settings in
          settings.trustedProxies = ["127.0.0.1"]
          settings.rateLimits = limits
          settings.rateLimits.requestsPerAddressAndMinute = 0
        }
      }, body)
  }

  private static let owner = "198.51.100.1"
  private static let stranger = "203.0.113.7"

  @Test func `S12 attack 46: after 120 wrong passwords every way in is open to the owner`()
    async throws
  {
    try await withProxy { home in
      let ada = try await home.person()
      try await home.adminUpdate(ada.uid, ["phoneNumber": "+15555550123"])
      var refused = 0
      for number in 0..<150 {
        let reply = try await home.guess("wrong-\(number)", from: "203.0.113.\(number % 4)")
        if reply.isThrottled { refused += 1 }
      }
      // The four networks have used up their guesses, and are refused even with the right password.
      #expect(refused == 150 - 4 * Self.usual.attemptsPerAccountAndAddressAndHour)
      #expect(try await home.guess(Person.password, from: "203.0.113.1").isThrottled)

      #expect(try await home.guess(Person.password, from: Self.owner).status == 200)
      for from in [Self.owner, "203.0.113.1"] {
        for type in ["PASSWORD_RESET", "EMAIL_SIGNIN"] {
          let reply = try await home.ask(
            "/v1/accounts:sendOobCode",
            ["requestType": .string(type), "email": "ada@example.com"], from: from)
          #expect(reply.status == 200, "\(type): \(reply.text)")
        }
      }
      let link = try #require(home.messages.last(to: "ada@example.com")).proof.reveal()
      let entered = try await home.ask(
        "/v1/accounts:signInWithEmailLink",
        [
          "email": "ada@example.com",
          "oobCode": .string(try #require(parameters(of: link)["oobCode"])),
        ], from: Self.owner)
      #expect(entered.status == 200, "\(entered.text)")
      let phone = try await home.phoneCode("+15555550123")
      let called = try await home.ask(
        "/v1/accounts:signInWithPhoneNumber",
        ["sessionInfo": .string(phone.session), "code": .string(phone.code)], from: Self.owner)
      #expect(called.status == 200, "\(called.text)")
      let reset = try await home.code("PASSWORD_RESET", to: "ada@example.com")
      let changed = try await home.ask(
        "/v1/accounts:resetPassword",
        ["oobCode": .string(reset), "newPassword": "another one"], from: Self.owner)
      #expect(changed.status == 200, "\(changed.text)")
      #expect(try await home.guess("another one", from: Self.owner).status == 200)
    }
  }

  @Test func `a right password uses no attempts up`() async throws {
    var limits = Self.usual
    limits.attemptsPerAccountAndAddressAndHour = 3
    limits.attemptsPerAccountAndHour = 4
    try await withProxy(limits) { home in
      _ = try await home.person()
      for round in 1...3 {
        for _ in 1...10 {
          #expect(try await home.guess(Person.password, from: Self.owner).status == 200)
        }
        // Nor does a right one give back what wrong ones used up.
        let reply = try await home.guess("wrong-\(round)", from: Self.owner)
        #expect(reply.message == "INVALID_LOGIN_CREDENTIALS")
      }
      #expect(try await home.guess(Person.password, from: Self.owner).isThrottled)
      // Nor do requests count that are refused for another reason.
      for _ in 1...5 {
        _ = try await home.guess("", from: Self.stranger)
      }
      #expect(try await home.guess(Person.password, from: Self.stranger).status == 200)
      home.clock.advance(seconds: 7200)
      #expect(try await home.guess(Person.password, from: Self.owner).status == 200)
    }
  }

  @Test func `S12 the total of all networks closes the password for an hour, and nothing else`()
    async throws
  {
    var limits = Self.usual
    limits.attemptsPerAccountAndAddressAndHour = 3
    limits.attemptsPerAccountAndHour = 10
    try await withProxy(limits) { home in
      _ = try await home.person()
      _ = try await home.person("bo@example.com")
      for number in 0..<20 {
        let reply = try await home.guess("wrong", from: "203.0.113.\(number)")
        #expect(reply.isThrottled == (number >= 10))
      }
      #expect(try await home.guess(Person.password, from: Self.owner).isThrottled)
      // Refused guesses do not count, and other accounts are not affected.
      #expect(
        try await home.guess(Person.password, at: "bo@example.com", from: Self.owner).status == 200)
      let reset = try await home.code("PASSWORD_RESET", to: "ada@example.com")
      let changed = try await home.post(
        "/v1/accounts:resetPassword", ["oobCode": .string(reset), "newPassword": "another one"])
      #expect(changed.status == 200, "\(changed.text)")
      home.clock.advance(seconds: 7200)
      #expect(try await home.guess("another one", from: Self.owner).status == 200)
    }
  }

  @Test func `S12 attack 31: a network, a spelling and a path more are no further guesses`()
    async throws
  {
    var limits = Self.usual
    limits.attemptsPerAccountAndAddressAndHour = 4
    try await withProxy(limits) { home in
      _ = try await home.person()
      let tries = [
        ("ada@example.com", "2001:db8:0:1::1"), ("ADA@example.com", "2001:db8:0:1::2"),
        ("ada@EXAMPLE.com", "2001:db8:0:1:ffff::3"), ("Ada@Example.Com", "2001:db8:0:1:1:1:1:1"),
      ]
      for (email, from) in tries {
        let reply = try await home.guess("wrong", at: email, from: from)
        #expect(reply.message == "INVALID_LOGIN_CREDENTIALS")
      }
      for path in [ServerHome.signIn, "/identitytoolkit/v3/relyingparty/verifyPassword"] {
        let reply = try await home.ask(
          path, ["email": "aDa@example.com", "password": "wrong"], from: "2001:db8:0:1::9")
        #expect(reply.isThrottled, "\(reply.text)")
      }
      #expect(try await !home.guess("wrong", from: "2001:db8:0:2::1").isThrottled)
    }
  }

  @Test func `many guesses at once are no more than the limit`() async throws {
    var limits = Self.usual
    limits.attemptsPerAccountAndAddressAndHour = 5
    try await withProxy(limits) { home in
      _ = try await home.person()
      let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<40 {
          group.addTask {
            try await !home.guess("wrong-\(number)", from: Self.stranger).isThrottled
          }
        }
        return try await group.reduce(0) { $1 ? $0 + 1 : $0 }
      }
      #expect(wrong == 5)
    }
  }

  @Test func `S12 resets and links that a stranger asks for do not keep the owner's back`()
    async throws
  {
    try await withProxy { home in
      _ = try await home.person()
      for type in ["PASSWORD_RESET", "EMAIL_SIGNIN"] {
        func ask(_ from: String) async throws -> Reply {
          try await home.ask(
            "/v1/accounts:sendOobCode",
            ["requestType": .string(type), "email": "ada@example.com"], from: from)
        }
        for number in 1...15 {
          #expect(try await ask(Self.stranger).isThrottled == (number > 10))
        }
        #expect(try await ask(Self.owner).status == 200)
        // The mailbox has a limit: whatever the client, it gets 30 links an hour, each of which works.
        home.messages.removeAll()
        for number in 1...60 { _ = try await ask("198.51.100.\(number)") }
        #expect(home.messages.messages.count == 30 - 11)
        home.clock.advance(seconds: 3601)
        #expect(try await ask(Self.owner).status == 200)
      }
    }
  }

  @Test func `S12 a stranger's wrong codes do not keep a phone's owner out`() async throws {
    try await withProxy { home in
      let number: JSONValue = "+15555550123"
      func send(_ from: String) async throws -> (session: JSONValue, code: String) {
        let reply = try await home.ask(
          "/v1/accounts:sendVerificationCode", ["phoneNumber": number], from: from)
        let session = JSONValue.string(try reply.text("sessionInfo"))
        return (session, try #require(home.messages.last(to: "+15555550123")).proof.reveal())
      }
      func enter(_ session: JSONValue, _ code: String, _ from: String) async throws -> Reply {
        try await home.ask(
          "/v1/accounts:signInWithPhoneNumber", ["sessionInfo": session, "code": .string(code)],
          from: from)
      }
      var wrong = 0
      for _ in 1...8 {
        let sent = try await send(Self.stranger)
        for _ in 1...5 {
          let guess = sent.code == "000000" ? "000001" : "000000"
          if try await !enter(sent.session, guess, Self.stranger).isThrottled { wrong += 1 }
        }
      }
      #expect(wrong == CodeLimits().wrongCodesOfNetwork)
      let sent = try await send(Self.stranger)
      #expect(try await enter(sent.session, sent.code, Self.stranger).isThrottled)
      let own = try await send(Self.owner)
      let entered = try await enter(own.session, own.code, Self.owner)
      #expect(entered.status == 200, "\(entered.text)")
    }
  }

  @Test func `S12 enrolling a stranger's number does not keep it from signing in`() async throws {
    try await withProxy { home in
      let number = "+15555550123"
      // One account after the other, until the limit is reached.
      for account in 1...5 {
        let eve = try await home.person("eve\(account)@example.com")
        for _ in 1...4 {
          let started = try await home.ask(
            "/v2/accounts/mfaEnrollment:start",
            [
              "idToken": .string(eve.idToken),
              "phoneEnrollmentInfo": ["phoneNumber": .string(number)],
            ], from: Self.stranger)
          let session = try #require(
            started.json["phoneSessionInfo"]?["sessionInfo"], "\(started.text)")
          let code = try #require(home.messages.last(to: number)).proof.reveal()
          for _ in 1...5 {
            _ = try await home.ask(
              "/v2/accounts/mfaEnrollment:finalize",
              [
                "idToken": .string(eve.idToken),
                "phoneVerificationInfo": [
                  "sessionInfo": session, "code": .string(code == "000000" ? "000001" : "000000"),
                ],
              ], from: Self.stranger)
          }
        }
      }
      let own = try await home.phoneCode(number)
      let entered = try await home.ask(
        "/v1/accounts:signInWithPhoneNumber",
        ["sessionInfo": .string(own.session), "code": .string(own.code)], from: Self.owner)
      #expect(entered.status == 200, "\(entered.text)")
    }
  }
}

extension ServerHome {
  /// Sends a request as a client at a network address.
  fileprivate func ask(_ path: String, _ body: JSONValue, from address: String) async throws
    -> Reply
  {
    try await call("POST", "\(path)?key=test-key", body, headers: ["X-Forwarded-For": address])
  }

  fileprivate func guess(
    _ password: String, at email: String = "ada@example.com", from address: String
  ) async throws -> Reply {
    try await ask(
      Self.signIn, ["email": .string(email), "password": .string(password)], from: address)
  }
}
