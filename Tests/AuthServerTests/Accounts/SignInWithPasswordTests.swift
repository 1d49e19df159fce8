import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct `Signing in with a password` {
  static let refusals: [RefusedCall] = [
    RefusedCall(["password": "opensesame"], "MISSING_EMAIL"),
    RefusedCall(["email": "", "password": "opensesame"], "INVALID_EMAIL"),
    RefusedCall(["email": "ada", "password": "opensesame"], "INVALID_EMAIL"),
    RefusedCall(["email": "ada@example.com"], "MISSING_PASSWORD"),
    RefusedCall(["email": "ada@example.com", "password": ""], "MISSING_PASSWORD"),
    RefusedCall(
      ["email": "bob@example.com", "password": "opensesame"], "EMAIL_NOT_FOUND", in: [.emulator]),
    RefusedCall(
      ["email": "ada@example.com", "password": "wrong-one"], "INVALID_PASSWORD", in: [.emulator]),
    RefusedCall(
      ["email": "bob@example.com", "password": "opensesame"], "INVALID_LOGIN_CREDENTIALS",
      in: [.production]),
    RefusedCall(
      ["email": "ada@example.com", "password": "wrong-one"], "INVALID_LOGIN_CREDENTIALS",
      in: [.production]),
  ]

  @Test(arguments: refusals)
  func `an impossible request is refused`(_ call: RefusedCall) async throws {
    for mode in call.modes {
      try await withServer(mode) { home in
        _ = try await home.openAccount()
        expectFailure(try await home.post(ServerHome.signIn, call.body), call.message)
      }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `the right password gives tokens, and the time of it is kept`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount(named: "Ada")
      home.clock.advance(seconds: 5)
      let reply = try await home.enter("ADA@example.com", "opensesame")

      #expect(reply.json["kind"] == "identitytoolkit#VerifyPasswordResponse")
      #expect(reply.json["registered"] == true)
      #expect(reply.json["localId"] == .string(ada.uid))
      #expect(reply.json["email"] == "ada@example.com")
      #expect(reply.json["displayName"] == (mode == .production ? "Ada" : nil))
      #expect(reply.json["mfaPendingCredential"] == nil)
      let again = try SignedUp(reply)
      let claims = try claimsOf(again.idToken)
      #expect(claims["auth_time"] == .integer(home.clock.now.milliseconds / 1000))
      #expect(claims["firebase"]?["sign_in_provider"] == "password")
      let record = try await home.ownRecord(again.idToken)
      #expect(record["lastLoginAt"] == .string("\(home.clock.now.milliseconds)"))
      #expect(record["createdAt"] != record["lastLoginAt"])
      #expect(record["lastRefreshAt"] == .string(home.clock.now.wireText))
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a missing account is reported only if accounts are not hidden`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      _ = try await home.openAccount()
      for hides in [true, false] {
        try await home.setSettings { $0.signIn.hidesAccounts = hides }
        let unknown = try await home.enter("bob@example.com", "opensesame")
        let wrong = try await home.enter("ada@example.com", "wrong-one")

        expectFailure(unknown, hides ? "INVALID_LOGIN_CREDENTIALS" : "EMAIL_NOT_FOUND")
        expectFailure(wrong, hides ? "INVALID_LOGIN_CREDENTIALS" : "INVALID_PASSWORD")
      }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an account without a password is not entered with one`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      try await home.touch()
      try await home.setSettings { $0.signIn.hidesAccounts = false }
      try await home.makeAccount("ada", email: "ada@example.com")
      expectFailure(try await home.enter("ada@example.com", "opensesame"), "INVALID_PASSWORD")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a disabled account is not entered`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()
      try await home.adminUpdate(ada.uid, ["disableUser": true])
      expectFailure(try await home.enter("ada@example.com", "opensesame"), "USER_DISABLED")
      expectFailure(
        try await home.enter("ada@example.com", "wrong-one"),
        mode == .emulator ? "USER_DISABLED" : "INVALID_LOGIN_CREDENTIALS")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a closed way in is refused`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      _ = try await home.openAccount()
      try await home.setSettings { $0.signIn.closedProviders = [.password] }
      expectFailure(
        try await home.enter("ada@example.com", "opensesame"), "PASSWORD_LOGIN_DISABLED")
    }
  }

  @Test func `the emulator names the fields that it does not support`() async throws {
    try await withServer(.emulator) { home in
      for name in ["captchaResponse", "captchaChallenge", "idToken", "pendingIdToken"] {
        let reply = try await home.post(
          ServerHome.signIn,
          ["email": "ada@example.com", "password": "opensesame", name: "x"])
        #expect(reply.status == 501)
      }
    }
  }

  @Test func `a password below the policy is reported, and refused if the policy says so`()
    async throws
  {
    try await withServer(.production) { home in
      _ = try await home.openAccount()
      try await home.setSettings { $0.signIn.passwordPolicy.needsDigit = true }
      let told = try await home.enter("ada@example.com", "opensesame")
      #expect(
        told.json["userNotifications"]?.items.first?["notificationCode"]
          == "MISSING_NUMERIC_CHARACTER")

      try await home.setSettings { $0.signIn.passwordPolicy.enforcement = .enforce }
      #expect(try await home.enter("ada@example.com", "opensesame").status == 200)
      let weak = try await home.post(
        ServerHome.signUp, ["email": "bob@example.com", "password": "opensesame"])
      #expect(weak.message?.hasPrefix("PASSWORD_DOES_NOT_MEET_REQUIREMENTS : ") == true)

      try await home.setSettings { $0.signIn.passwordPolicy.appliesToSignIn = true }
      let refused = try await home.enter("ada@example.com", "opensesame")
      #expect(refused.message?.hasPrefix("PASSWORD_DOES_NOT_MEET_REQUIREMENTS : ") == true)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a second factor is asked for before any token`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()
      try await home.guardWithPhone(ada.uid)
      let before = try #require(try await home.adminRecord(ada.uid))["lastLoginAt"]
      home.clock.advance(seconds: 5)
      let reply = try await home.enter("ada@example.com", "opensesame")

      #expect(reply.status == 200)
      #expect(reply.json["idToken"] == nil && reply.json["refreshToken"] == nil)
      #expect(reply.json["localId"] == .string(ada.uid))
      #expect(try !reply.text("mfaPendingCredential").isEmpty)
      let factor = try #require(reply.json["mfaInfo"]?.items.first)
      #expect(factor["phoneInfo"] == "+*******0123")
      #expect(factor["mfaEnrollmentId"] == "factor-1")
      #expect(factor["displayName"] == "Phone")
      #expect(try #require(try await home.adminRecord(ada.uid))["lastLoginAt"] == before)
    }
  }
}
