import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct `Changing an own account` {
  @Test(arguments: ServerMode.allCases)
  func `a request without an account, or for an admin's change, is refused`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()
      let refusals: [([String: JSONValue], String)] = [
        ([:], "INVALID_REQ_TYPE : Unsupported request parameters."),
        (["localId": .string(ada.uid)], "INVALID_REQ_TYPE : Unsupported request parameters."),
        (["idToken": .string(ada.idToken), "customAttributes": "{}"], "INSUFFICIENT_PERMISSION"),
        (["idToken": .string(ada.idToken), "disableUser": true], "OPERATION_NOT_ALLOWED"),
        (["idToken": "x"], "INVALID_ID_TOKEN"), (["oobCode": "x"], "INVALID_OOB_CODE"),
        (["idToken": .string(ada.idToken), "email": "ada"], "INVALID_EMAIL"),
        (
          ["idToken": .string(ada.idToken), "password": "short"],
          "WEAK_PASSWORD : Password should be at least 6 characters"
        ),
        (
          ["idToken": .string(ada.idToken), "linkProviderUserInfo": ["rawId": "1"]],
          "MISSING_PROVIDER_ID"
        ),
        (
          ["idToken": .string(ada.idToken), "linkProviderUserInfo": ["providerId": "google.com"]],
          "MISSING_RAW_ID"
        ),
      ]
      for (body, message) in refusals {
        expectFailure(try await home.post(ServerHome.update, .object(body)), message)
      }
      for name in ["provider", "upgradeToFederatedLogin"] {
        let reply = try await home.post(
          ServerHome.update, ["idToken": .string(ada.idToken), name: .null])
        #expect(reply.status == 501)
      }
      for name in ["PROVIDER", "RAW_USER_INFO"] {
        let reply = try await home.post(
          ServerHome.update,
          ["idToken": .string(ada.idToken), "deleteAttribute": [.string(name)]])
        #expect(reply.status == 501)
      }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an update that changes nothing answers with the account, and an admin's has no event`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()
      let own = try await home.post(ServerHome.update, ["idToken": .string(ada.idToken)])
      #expect(own.status == 200 && own.json["localId"] == .string(ada.uid), "\(own.text)")
      let before = try await home.graph.events(limit: 100, in: home.scope).count

      for body in [[:], ["disableUser": false]] as [[String: JSONValue]] {
        let reply = try await home.admin(
          "POST", "\(home.accountsPath):update",
          .object(body.merging(["localId": .string(ada.uid)]) { $1 }))
        #expect(reply.status == 200 && reply.json["localId"] == .string(ada.uid), "\(reply.text)")
      }

      #expect(try await home.graph.events(limit: 100, in: home.scope).count == before)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a name and a picture are changed without new tokens, and taken away`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()
      let reply = try await home.post(
        ServerHome.update,
        [
          "idToken": .string(ada.idToken), "displayName": "Ada",
          "photoUrl": "https://example.com/a.png", "emailVerified": true,
          "phoneNumber": "+15555550100", "createdAt": "1", "lastLoginAt": "1",
        ])

      #expect(reply.json["kind"] == "identitytoolkit#SetAccountInfoResponse", "\(reply.text)")
      #expect(reply.json["localId"] == .string(ada.uid))
      #expect(reply.json["displayName"] == "Ada")
      #expect(reply.json["photoUrl"] == "https://example.com/a.png")
      #expect(reply.json["emailVerified"] == false)
      #expect(reply.json["passwordHash"] != nil)
      #expect(reply.json["providerUserInfo"]?.items.first?["displayName"] == "Ada")
      #expect(reply.json["idToken"] == nil)
      let record = try await home.ownRecord(ada.idToken)
      #expect(record["phoneNumber"] == nil && record["createdAt"] != "1")
      let cleared = try await home.post(
        ServerHome.update,
        ["idToken": .string(ada.idToken), "deleteAttribute": ["DISPLAY_NAME", 4]])
      #expect(cleared.json["displayName"] == nil && cleared.json["photoUrl"] == nil)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a new password ends other sessions and gives this one new tokens`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()
      home.clock.advance(seconds: 2)
      let reply = try await home.post(
        ServerHome.update, ["idToken": .string(ada.idToken), "password": "opensesame2"])
      let next = try SignedUp(reply)

      #expect(next.uid == ada.uid)
      #expect(try claimsOf(next.idToken)["firebase"]?["sign_in_provider"] == "password")
      expectFailure(try await home.post("/v1/accounts:lookup", ada.session), "TOKEN_EXPIRED")
      let record = try await home.ownRecord(next.idToken)
      #expect(record["validSince"] == .string("\(home.clock.now.milliseconds / 1000)"))
      #expect(try await home.enter("ada@example.com", "opensesame").status == 400)
      #expect(try await home.enter("ada@example.com", "opensesame2").status == 200)
    }
  }

  @Test func `a new address in the emulator is unverified and the first one gets a way back`()
    async throws
  {
    try await withServer(.emulator) { home in
      let ada = try await home.openAccount()
      _ = try await home.openAccount("bob@example.com")
      home.clock.advance(seconds: 2)
      let change: @Sendable (String) -> JSONValue = {
        ["idToken": .string(ada.idToken), "email": .string($0)]
      }
      expectFailure(
        try await home.post(ServerHome.update, change("Bob@example.com")), "EMAIL_EXISTS")
      let same = try await home.post(ServerHome.update, change("ADA@example.com"))
      #expect(same.status == 200 && same.json["idToken"] == nil)
      let reply = try await home.post(ServerHome.update, change("Ada2@example.com"))

      #expect(reply.json["email"] == "ada2@example.com", "\(reply.text)")
      #expect(reply.json["emailVerified"] == false)
      let next = try SignedUp(reply)
      let record = try await home.ownRecord(next.idToken)
      #expect(record["initialEmail"] == "ada@example.com")
      let codes = try await home.call(
        "GET", "/emulator/v1/projects/\(ServerHome.project)/oobCodes")
      let code = try #require(codes.json["oobCodes"]?.items.first, "\(codes.text)")
      #expect(code["requestType"] == "RECOVER_EMAIL")
      #expect(code["email"] == "ada@example.com")
      let recovered = try await home.post(
        ServerHome.update, ["oobCode": try #require(code["oobCode"])])
      #expect(recovered.json["email"] == "ada@example.com", "\(recovered.text)")
      #expect(recovered.json["emailVerified"] == true)
    }
  }

  @Test func `production changes an address only after it was verified`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.openAccount()
      let body: JSONValue = ["idToken": .string(ada.idToken), "email": "ada2@example.com"]
      expectFailure(
        try await home.post(ServerHome.update, body),
        "OPERATION_NOT_ALLOWED : Please verify the new email before changing email.")
      try await home.setSettings { $0.signIn.hidesAccounts = false }
      home.clock.advance(seconds: 1)
      let reply = try await home.post(ServerHome.update, body)
      #expect(reply.json["email"] == "ada2@example.com", "\(reply.text)")
      #expect(try SignedUp(reply).uid == ada.uid)
    }
  }

  @Test func `production gives tokens with a changed profile if they are asked for`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.openAccount()
      let reply = try await home.post(
        ServerHome.update,
        ["idToken": .string(ada.idToken), "displayName": "Ada", "returnSecureToken": true])
      #expect(try claimsOf(try SignedUp(reply).idToken)["name"] == "Ada")
    }
  }

  @Test func `the claims of a custom token stay with production's session`() async throws {
    try await withServer(.production) { home in
      let maker = TokenMaker()
      try await maker.register(in: home)
      let token = try maker.token(home, ["uid": "ada", "claims": ["role": "editor"]])
      let ada = try SignedUp(
        try await home.post("/v1/accounts:signInWithCustomToken", ["token": .string(token)]))
      let reply = try await home.post(
        ServerHome.update,
        ["idToken": .string(ada.idToken), "displayName": "Ada", "returnSecureToken": true])
      let claims = try claimsOf(try SignedUp(reply).idToken)

      #expect(claims["role"] == "editor" && claims["name"] == "Ada")
      #expect(claims["firebase"]?["sign_in_provider"] == "custom")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `any time from which tokens are good ends the sessions now`(_ mode: ServerMode) async throws
  {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()
      home.clock.advance(seconds: 5)
      let reply = try await home.post(
        ServerHome.update, ["idToken": .string(ada.idToken), "validSince": "1"])
      let next = try SignedUp(reply)
      #expect(
        try await home.ownRecord(next.idToken)["validSince"]
          == .string("\(home.clock.now.milliseconds / 1000)"))
      expectFailure(try await home.post("/v1/accounts:lookup", ada.session), "TOKEN_EXPIRED")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an unlinked vendor is gone, and one that was not linked no error`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()
      try await home.adminUpdate(
        ada.uid, ["linkProviderUserInfo": ["providerId": "google.com", "rawId": "g1"]])
      let reply = try await home.post(
        ServerHome.update,
        ["idToken": .string(ada.idToken), "deleteProvider": ["google.com", "facebook.com"]])

      #expect(reply.status == 200, "\(reply.text)")
      #expect(
        reply.json["providerUserInfo"]?.items.map { $0["providerId"] } == ["password"])
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `without its password an account keeps its address in production alone`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()
      // A provider counts only if it is configured.
      if mode == .production {
        _ = try await home.graph.configure(
          .google, values: ["clientIDs": ["app"]], by: home.admin)
      }
      try await home.adminUpdate(
        ada.uid, ["linkProviderUserInfo": ["providerId": "google.com", "rawId": "g1"]])
      let reply = try await home.post(
        ServerHome.update,
        ["idToken": .string(ada.idToken), "deleteProvider": ["password"]])

      #expect(reply.json["email"] == (mode == .production ? "ada@example.com" : nil))
      #expect(reply.json["passwordHash"] == nil)
      #expect(reply.json["providerUserInfo"]?.items.map { $0["providerId"] } == ["google.com"])
    }
  }

  @Test func `the emulator's clients may link on their word and set second factors`()
    async throws
  {
    try await withServer(.emulator) { home in
      let ada = try await home.openAccount()
      let reply = try await home.post(
        ServerHome.update,
        [
          "idToken": .string(ada.idToken),
          "linkProviderUserInfo": ["providerId": "google.com", "rawId": "g1"],
          "mfa": ["enrollments": [["mfaEnrollmentId": "f1", "phoneInfo": "+15555550100"]]],
        ])
      #expect(reply.json["providerUserInfo"]?.items.count == 2, "\(reply.text)")
      #expect(try await home.ownRecord(ada.idToken)["mfaInfo"]?.items.count == 1)
    }
  }

  @Test func `production's clients may not`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.openAccount()
      for (name, value) in [
        ("linkProviderUserInfo", JSONValue.object(["providerId": "google.com", "rawId": "g1"])),
        ("mfa", ["enrollments": [["mfaEnrollmentId": "f1", "phoneInfo": "+15555550100"]]]),
      ] {
        let reply = try await home.post(
          ServerHome.update, ["idToken": .string(ada.idToken), name: value])
        #expect(reply.message?.hasPrefix("OPERATION_NOT_ALLOWED") == true, "\(reply.text)")
      }
    }
  }
}

@Suite struct `Changing accounts as an admin` {
  @Test(arguments: ServerMode.allCases)
  func `a password that an admin sets gives tokens in the emulator alone`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      try await home.makeAccount("ada", email: "ada@example.com")
      let reply = try await home.adminUpdate("ada", ["password": "opensesame"])
      #expect(reply.status == 200, "\(reply.text)")
      let named = try await home.adminUpdate("ada", ["displayName": "Ada"])
      #expect(named.json["idToken"] == nil)
      guard mode == .emulator else {
        #expect(reply.json["idToken"] == nil && reply.json["refreshToken"] == nil)
        return
      }
      let signedIn = try SignedUp(reply)
      #expect(reply.json["expiresIn"] == "3600")
      let claims = try claimsOf(signedIn.idToken)
      #expect(claims["firebase"]?["sign_in_provider"] == "password")
      #expect(try await home.ownRecord(signedIn.idToken)["localId"] == "ada")
    }
  }

  @Test func `the emulator gives no tokens of a disabled account`() async throws {
    try await withServer(.emulator) { home in
      try await home.makeAccount("ada", email: "ada@example.com", disabled: true)
      let reply = try await home.adminUpdate("ada", ["password": "opensesame"])
      #expect(reply.status == 200 && reply.json["idToken"] == nil, "\(reply.text)")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an impossible request is refused`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      try await home.touch()
      try await home.makeAccount("ada", email: "ada@example.com")
      try await home.makeAccount("bob", email: "bob@example.com", phone: "+15555550199")
      let refusals: [([String: JSONValue], String)] = [
        ([:], "MISSING_LOCAL_ID"), (["localId": "nobody"], "USER_NOT_FOUND"),
        (["localId": "ada", "email": "bob@example.com"], "EMAIL_EXISTS"),
        (["localId": "ada", "phoneNumber": "5"], "INVALID_PHONE_NUMBER : Invalid format."),
        (["localId": "ada", "phoneNumber": "+15555550199"], "PHONE_NUMBER_EXISTS"),
        (["localId": "ada", "customAttributes": "no"], "INVALID_CLAIMS"),
        (["localId": "ada", "customAttributes": "[]"], "INVALID_CLAIMS"),
        (
          [
            "localId": "ada",
            "customAttributes": .string("{\"a\":\"\(String(repeating: "x", count: 1000))\"}"),
          ], "CLAIMS_TOO_LARGE"
        ),
        (["localId": "ada", "customAttributes": "{\"acr\":1}"], "FORBIDDEN_CLAIM : acr"),
        (
          ["localId": "ada", "mfa": ["enrollments": [["phoneInfo": "+15555550100"]]]],
          // Production makes the ID, and then refuses the account.
          mode == .emulator
            ? "INVALID_MFA_ENROLLMENT_ID : mfaEnrollmentId must be defined."
            : "UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors."
        ),
        (
          [
            "localId": "ada",
            "mfa": [
              "enrollments": [
                ["mfaEnrollmentId": "f", "phoneInfo": "+15555550100"],
                ["mfaEnrollmentId": "f", "phoneInfo": "+15555550101"],
              ]
            ],
          ], "DUPLICATE_MFA_ENROLLMENT_ID"
        ),
      ]
      for (body, message) in refusals {
        expectFailure(
          try await home.admin("POST", "\(home.accountsPath):update", .object(body)), message)
      }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an admin changes everything, exactly`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      try await home.touch()
      try await home.makeAccount("ada", email: "ada@example.com")
      let reply = try await home.adminUpdate(
        "ada",
        [
          "emailVerified": true, "phoneNumber": "+15555550100", "createdAt": "1000",
          "lastLoginAt": 2000, "validSince": 3, "customAttributes": "{\"role\":\"editor\"}",
          "displayName": "Ada",
          "linkProviderUserInfo": ["providerId": "google.com", "rawId": "g1"],
        ])
      #expect(reply.status == 200, "\(reply.text)")
      #expect(reply.json["idToken"] == nil)
      let record = try #require(try await home.adminRecord("ada"))
      #expect(record["emailVerified"] == true)
      #expect(record["phoneNumber"] == "+15555550100")
      #expect(record["createdAt"] == "1000")
      #expect(record["lastLoginAt"] == "2000")
      #expect(record["validSince"] == "3")
      #expect(record["customAttributes"] == "{\"role\":\"editor\"}")
      try await home.adminUpdate(
        "ada",
        [
          "mfa": [
            "enrollments": [
              [
                "mfaEnrollmentId": "f1", "phoneInfo": "+15555550101",
                "enrolledAt": "2020-01-01T00:00:00.000Z",
              ]
            ]
          ]
        ])
      let guarded = try #require(try await home.adminRecord("ada"))
      #expect(guarded["mfaInfo"]?.items.first?["enrolledAt"] == "2020-01-01T00:00:00.000Z")
      try await home.adminUpdate(
        "ada", ["mfa": [:], "deleteProvider": ["phone"], "customAttributes": "{}"])
      let after = try #require(try await home.adminRecord("ada"))
      #expect(after["mfaInfo"] == nil && after["phoneNumber"] == nil)
      #expect(after["customAttributes"] == "{}")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a disabled account is enabled again`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      _ = try await home.openAccount()
      let ada = try SignedUp(try await home.enter("ada@example.com", "opensesame"))
      try await home.adminUpdate(ada.uid, ["disableUser": true])
      #expect(try await home.adminRecord(ada.uid)?["disabled"] == true)
      try await home.adminUpdate(ada.uid, ["disableUser": false])
      #expect(try await home.enter("ada@example.com", "opensesame").status == 200)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `claims stand in the next token`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()
      try await home.adminUpdate(ada.uid, ["customAttributes": "{\"role\":\"editor\"}"])
      let next = try SignedUp(try await home.enter("ada@example.com", "opensesame"))
      #expect(try claimsOf(next.idToken)["role"] == "editor")
    }
  }

  @Test func `the emulator moves an identity, production refuses it`() async throws {
    for mode in ServerMode.allCases {
      try await withServer(mode) { home in
        try await home.touch()
        try await home.makeAccount("ada")
        try await home.makeAccount("bob")
        let link: [String: JSONValue] = [
          "linkProviderUserInfo": ["providerId": "google.com", "rawId": "g1", "email": "a@b.com"]
        ]
        try await home.adminUpdate("ada", link)
        let second = try await home.adminUpdate("bob", link)

        #expect(second.status == (mode == .emulator ? 200 : 400), "\(second.text)")
        let owner = try #require(
          try await home.adminRecord(mode == .emulator ? "bob" : "ada"))
        #expect(owner["providerUserInfo"]?.items.first?["email"] == "a@b.com")
      }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a code by e-mail verifies the address it was made for, once`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()
      let made = try await home.admin(
        "POST", "\(home.accountsPath):sendOobCode",
        ["requestType": "VERIFY_EMAIL", "email": "ada@example.com", "returnOobLink": true])
      let code = try made.text("oobCode")
      let reply = try await home.post(ServerHome.update, ["oobCode": .string(code)])

      #expect(reply.json["emailVerified"] == true, "\(reply.text)")
      #expect(reply.json["localId"] == .string(ada.uid))
      #expect(reply.json["idToken"] == nil)
      expectFailure(
        try await home.post(ServerHome.update, ["oobCode": .string(code)]), "INVALID_OOB_CODE")
    }
  }
}
