import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct `Opening accounts` {
  static let refusals: [RefusedCall] = [
    RefusedCall(["localId": "ada"], "UNEXPECTED_PARAMETER : User ID"),
    RefusedCall(["email": "ada@example.com"], "MISSING_PASSWORD"),
    RefusedCall(["password": "opensesame"], "MISSING_EMAIL", in: [.production]),
    RefusedCall(["email": "", "password": "opensesame"], "INVALID_EMAIL"),
    RefusedCall(["email": "ada", "password": "opensesame"], "INVALID_EMAIL"),
    RefusedCall(["idToken": "x"], "MISSING_EMAIL"),
    RefusedCall(
      ["idToken": "x", "email": "ada@example.com", "password": "opensesame"], "INVALID_ID_TOKEN"),
    RefusedCall(
      ["email": "ada@example.com", "password": "short"],
      "WEAK_PASSWORD : Password should be at least 6 characters"),
    RefusedCall(
      ["mfaInfo": [["phoneInfo": "5555550100"]]], "INVALID_MFA_PHONE_NUMBER : Invalid format.",
      in: [.emulator]),
    RefusedCall(
      ["mfaInfo": [["phoneInfo": "+15555550100"]]], "INSUFFICIENT_PERMISSION", in: [.production]),
    RefusedCall(
      ["colour": "red"],
      "Invalid JSON payload received. Unknown name \"colour\": Cannot find field.",
      in: [.production]),
  ]

  @Test(arguments: refusals)
  func `a client's request that cannot be carried out is refused`(_ call: RefusedCall) async throws
  {
    for mode in call.modes {
      try await withServer(mode) { home in
        expectFailure(try await home.post(ServerHome.signUp, call.body), call.message)
      }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an address and a password open an account`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let reply = try await home.post(
        ServerHome.signUp,
        ["email": "Ada@Example.com", "password": "opensesame", "displayName": "Ada"])

      #expect(reply.status == 200, "\(reply.text)")
      #expect(reply.json["kind"] == "identitytoolkit#SignupNewUserResponse")
      #expect(reply.json["email"] == "ada@example.com")
      #expect(reply.json["displayName"] == "Ada")
      #expect(reply.json["expiresIn"] == "3600")
      #expect(try reply.text("localId").count == 28)
      let claims = try claimsOf(try reply.text("idToken"))
      #expect(claims["user_id"] == reply.json["localId"])
      #expect(claims["sub"] == reply.json["localId"])
      #expect(claims["email"] == "ada@example.com")
      #expect(claims["email_verified"] == false)
      #expect(claims["name"] == "Ada")
      #expect(claims["provider_id"] == nil)
      #expect(claims["firebase"]?["sign_in_provider"] == "password")
      #expect(claims["firebase"]?["identities"] == ["email": ["ada@example.com"]])
      let record = try await home.ownRecord(try reply.text("idToken"))
      #expect(record["passwordUpdatedAt"] == .integer(home.clock.now.milliseconds))
      #expect(record["createdAt"] == .string("\(home.clock.now.milliseconds)"))
      #expect(record["lastLoginAt"] == record["createdAt"])
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `nothing at all opens an anonymous account`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let reply = try await home.post(ServerHome.signUp, ["returnSecureToken": true])

      let signedUp = try SignedUp(reply)
      #expect(reply.json["email"] == nil)
      #expect(reply.json["displayName"] == nil)
      let claims = try claimsOf(signedUp.idToken)
      #expect(claims["provider_id"] == "anonymous")
      #expect(claims["firebase"]?["sign_in_provider"] == "anonymous")
      let record = try await home.ownRecord(signedUp.idToken)
      #expect(record["providerUserInfo"] == nil)
      #expect(record["passwordHash"] == nil)
      #expect(record["emailVerified"] == nil)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a taken address is refused, in any case of letters`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      _ = try await home.openAccount("ada@example.com")
      expectFailure(
        try await home.post(
          ServerHome.signUp, ["email": "ADA@example.com", "password": "opensesame"]),
        "EMAIL_EXISTS")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a closed provider is refused`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      try await home.touch()
      try await home.setSettings { $0.signIn.closedProviders = [.password, .anonymous] }

      expectFailure(
        try await home.post(
          ServerHome.signUp, ["email": "ada@example.com", "password": "opensesame"]),
        "OPERATION_NOT_ALLOWED")
      expectFailure(try await home.post(ServerHome.signUp), "ADMIN_ONLY_OPERATION")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an anonymous account becomes one with a password and keeps its uid`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let before = try await home.openAnonymously()
      home.clock.advance(seconds: 2)
      let reply = try await home.post(
        ServerHome.signUp,
        [
          "idToken": .string(before.idToken), "email": "ada@example.com",
          "password": "opensesame",
        ])

      let after = try SignedUp(reply)
      #expect(after.uid == before.uid)
      #expect(reply.json["email"] == "ada@example.com")
      let claims = try claimsOf(after.idToken)
      #expect(claims["provider_id"] == nil)
      #expect(claims["firebase"]?["sign_in_provider"] == "password")
      let old = try await home.post("/v1/accounts:lookup", before.session)
      expectFailure(old, "TOKEN_EXPIRED")
      #expect(try await home.ownRecord(after.idToken)["email"] == "ada@example.com")
      #expect(try await home.enter("ada@example.com", "opensesame").status == 200)
    }
  }

  @Test func `the emulator refuses an own address and clears the name`() async throws {
    try await withServer(.emulator) { home in
      let ada = try await home.openAccount(named: "Ada")
      let link: @Sendable (String) -> JSONValue = { email in
        ["idToken": .string(ada.idToken), "email": .string(email), "password": "opensesame2"]
      }

      expectFailure(
        try await home.post(ServerHome.signUp, link("ada@example.com")), "EMAIL_EXISTS")
      let reply = try await home.post(ServerHome.signUp, link("ada2@example.com"))

      #expect(reply.json["localId"] == .string(ada.uid))
      #expect(reply.json["displayName"] == nil)
      #expect(reply.json["email"] == "ada2@example.com")
    }
  }

  @Test func `production takes a new password for an own address and keeps the name`()
    async throws
  {
    try await withServer(.production) { home in
      let ada = try await home.openAccount(named: "Ada")
      let reply = try await home.post(
        ServerHome.signUp,
        [
          "idToken": .string(ada.idToken), "email": "ada@example.com", "password": "opensesame2",
        ])

      #expect(reply.json["localId"] == .string(ada.uid), "\(reply.text)")
      #expect(reply.json["displayName"] == "Ada")
      #expect(try await home.enter("ada@example.com", "opensesame").status == 400)
      #expect(try await home.enter("ada@example.com", "opensesame2").status == 200)
    }
  }

  @Test func `the emulator's clients may begin with second factors`() async throws {
    try await withServer(.emulator) { home in
      let ada = try SignedUp(
        try await home.post(
          ServerHome.signUp,
          [
            "email": "ada@example.com", "password": "opensesame",
            "mfaInfo": [
              ["phoneInfo": "+15555550100", "displayName": "One", "mfaEnrollmentId": "mine"],
              ["phoneInfo": "+15555550100"], ["phoneInfo": "+15555550101"],
            ],
          ]))
      let factors = try await home.ownRecord(ada.idToken)["mfaInfo"]?.items ?? []

      #expect(factors.map { $0["phoneInfo"] } == ["+15555550100", "+15555550101"])
      #expect(factors.first?["displayName"] == "One")
      #expect(factors.allSatisfy { $0["mfaEnrollmentId"]?.stringValue?.count == 28 })
      #expect(factors.first?["unobfuscatedPhoneInfo"] == "+15555550100")
    }
  }
}

@Suite struct `Opening accounts as an admin` {
  static let refusals: [RefusedCall] = [
    RefusedCall(["idToken": "x", "localId": "ada"], "UNEXPECTED_PARAMETER : User ID"),
    RefusedCall(["localId": "taken"], "DUPLICATE_LOCAL_ID"),
    RefusedCall(["phoneNumber": "555"], "INVALID_PHONE_NUMBER : Invalid format."),
    RefusedCall(["phoneNumber": "+15555550199"], "PHONE_NUMBER_EXISTS"),
    RefusedCall(["email": "nobody"], "INVALID_EMAIL"),
    RefusedCall(["email": "taken@example.com"], "EMAIL_EXISTS"),
    RefusedCall(
      ["email": "ada@example.com", "password": "short"],
      "WEAK_PASSWORD : Password should be at least 6 characters"),
    RefusedCall(["mfaInfo": [["phoneInfo": "1"]]], "INVALID_MFA_PHONE_NUMBER : Invalid format."),
  ]

  @Test(arguments: refusals)
  func `an impossible request is refused`(_ call: RefusedCall) async throws {
    for mode in call.modes {
      try await withServer(mode) { home in
        try await home.touch()
        try await home.makeAccount("taken", email: "taken@example.com", phone: "+15555550199")
        expectFailure(
          try await home.admin("POST", home.accountsPath, call.body), call.message)
      }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an admin says everything of a new account and gets no tokens`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let reply = try await home.admin(
        "POST", home.accountsPath,
        [
          "localId": "ada", "email": "ada@example.com", "password": "opensesame",
          "emailVerified": true, "displayName": "Ada", "photoUrl": "https://example.com/a.png",
          "phoneNumber": "+15555550100", "disabled": true,
          "mfaInfo": [["phoneInfo": "+15555550101"]],
        ])

      #expect(reply.status == 200, "\(reply.text)")
      #expect(reply.json["localId"] == "ada")
      #expect(reply.json["idToken"] == nil && reply.json["refreshToken"] == nil)
      let record = try #require(try await home.adminRecord("ada"))
      #expect(record["emailVerified"] == true)
      #expect(record["disabled"] == true)
      #expect(record["photoUrl"] == "https://example.com/a.png")
      #expect(record["phoneNumber"] == "+15555550100")
      #expect(record["mfaInfo"]?.items.first?["phoneInfo"] == "+15555550101")
      #expect(record["providerUserInfo"]?.items.count == 2)
      #expect(record["passwordHash"] != nil)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a client cannot name a project`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      expectFailure(
        try await home.post(home.accountsPath),
        "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id.")
    }
  }
}
