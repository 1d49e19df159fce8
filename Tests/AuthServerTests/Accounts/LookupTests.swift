import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct `Looking accounts up` {
  static let path = "/v1/accounts:lookup"

  @Test(arguments: ServerMode.allCases)
  func `a client without a good token is refused`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      expectFailure(try await home.post(Self.path), "MISSING_ID_TOKEN")
      expectFailure(
        try await home.post(Self.path, ["localId": ["ada"]]), "MISSING_ID_TOKEN")
      expectFailure(try await home.post(Self.path, ["idToken": "x"]), "INVALID_ID_TOKEN")
      let ada = try await home.openAccount()
      _ = try await home.graph.delete(AccountID(ada.uid), by: home.admin)
      expectFailure(try await home.post(Self.path, ada.session), "USER_NOT_FOUND")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a disabled account gets its own error`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()
      try await home.adminUpdate(ada.uid, ["disableUser": true])
      let reply = try await home.post(Self.path, ada.session)
      #expect(["USER_DISABLED", "TOKEN_EXPIRED"].contains(reply.message), "\(reply.text)")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a client sees itself, and its hash only from the emulator`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount(named: "Ada")
      let reply = try await home.post(Self.path, ada.session)

      #expect(reply.json["kind"] == "identitytoolkit#GetAccountInfoResponse")
      #expect(reply.json["users"]?.items.count == 1)
      let record = try #require(reply.json["users"]?.items.first)
      #expect(record["localId"] == .string(ada.uid))
      let hash = try #require(record["passwordHash"]?.stringValue)
      if mode == .production {
        #expect(hash == "UkVEQUNURUQ=" && record["salt"] == nil)
      } else {
        let salt = try #require(record["salt"]?.stringValue)
        #expect(salt.hasPrefix("fakeSalt") && salt.count == 28)
        #expect(hash == "fakeHash:salt=\(salt):password=opensesame")
      }
      #expect(
        record["providerUserInfo"] == [
          [
            "providerId": "password", "rawId": "ada@example.com",
            "federatedId": "ada@example.com", "email": "ada@example.com", "displayName": "Ada",
          ]
        ])
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an admin names accounts in four ways and gets each once`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      try await home.touch()
      try await home.makeAccount("ada", email: "ada@example.com")
      try await home.makeAccount("bob", phone: "+15555550100")
      try await home.makeAccount("cleo")
      _ = try await home.graph.assert(
        IdentityKey(.google, subject: "g1"), profile: IdentityProfile(), on: AccountID("cleo"),
        by: home.admin)
      let reply = try await home.admin(
        "POST", "\(home.accountsPath):lookup",
        [
          "localId": ["bob", "nobody"], "email": ["ADA@example.com", "no", "x@example.com"],
          "phoneNumber": ["+15555550100", "5"],
          "federatedUserId": [
            ["providerId": "google.com", "rawId": "g1"], ["providerId": "google.com"],
          ],
        ])
      let uids = reply.json["users"]?.items.compactMap { $0["localId"]?.stringValue }

      #expect(uids == ["bob", "ada", "cleo"], "\(reply.text)")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an empty result has no list`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let reply = try await home.admin(
        "POST", "\(home.accountsPath):lookup", ["localId": ["nobody"]])
      #expect(reply.status == 200)
      #expect(reply.json == ["kind": "identitytoolkit#GetAccountInfoResponse"])
    }
  }

  @Test func `the emulator finds no account by a first address`() async throws {
    try await withServer(.emulator) { home in
      let reply = try await home.admin(
        "POST", "\(home.accountsPath):lookup", ["initialEmail": ["ada@example.com"]])
      #expect(reply.status == 501)
    }
  }
}

@Suite struct `Records of accounts` {
  private func record(_ mode: ServerMode, _ change: (inout Account) throws -> Void) throws
    -> JSONValue
  {
    var account = Account(
      id: AccountID("ada"), scope: Scope(project: "p"), createdAt: Timestamp(milliseconds: 1000))
    try change(&account)
    return try mode.behavior.record(account, seesHashes: false).value
  }

  @Test(arguments: [ServerMode.emulator, .production], [false, true])
  func `have their members in the order of their names`(
    mode: ServerMode, seesHashes: Bool
  ) throws {
    var account = Account(
      id: AccountID("ada"), scope: Scope(project: "p", tenant: "t"),
      createdAt: Timestamp(milliseconds: 1000))
    let (now, email) = (Timestamp(milliseconds: 2000), try EmailAddress("ada@example.com"))
    let number = try PhoneNumber("+15555550100")
    let profile = IdentityProfile(
      email: "a@gmail.com", displayName: "A \"\u{1}é", photoURL: "https://p.example/a",
      phoneNumber: "+1", screenName: "a")
    let keys: [IdentityKey] = [
      .password(email), .phone(number), IdentityKey(.passkey, subject: "c1"),
      IdentityKey(.google, subject: "g1"), IdentityKey(.emailLink, subject: email.canonical),
    ]
    account.identities = keys.map { key in
      Identity(
        key: key, profile: profile, origin: .credential, linkedAt: now,
        secret: key.provider == .password ? StoredSecret(encoded: "x", changedAt: now) : nil)
    }
    (account.email, account.phoneNumber, account.disabled) = (email, number, true)
    (account.displayName, account.photoURL) = ("Ada", "https://p.example/ada")
    (account.lastSignInAt, account.validSince) = (now, now)
    account.customClaims = try CustomClaims(text: #"{"a":1}"#)
    account.secondFactors = [
      SecondFactor(id: "f", kind: .totp, displayName: "one", enrolledAt: "2024-01-01T00:00:00Z"),
      SecondFactor(id: "g", kind: .phone(number)),
    ]
    (account.details.initialEmail, account.details.usedCustomToken) = (email, true)
    (account.details.screenName, account.details.language) = ("ada", "en")
    (account.details.timeZone, account.details.dateOfBirth) = ("UTC", "1815-12-10")
    account.details.lastRefreshAt = now

    let record = mode.behavior.record(account, seesHashes: seesHashes)

    #expect(record.json == (try record.value).text)
  }

  @Test func `times have Firebase's units and types`() throws {
    let record = try record(.production) { account in
      account.lastSignInAt = Timestamp(milliseconds: 2345)
      account.validSince = Timestamp(milliseconds: 3999)
      account.details.lastRefreshAt = Timestamp(milliseconds: 4000)
    }

    #expect(record["createdAt"] == "1000")
    #expect(record["lastLoginAt"] == "2345")
    #expect(record["validSince"] == "3")
    #expect(record["lastRefreshAt"] == "1970-01-01T00:00:04.000Z")
  }

  @Test func `an address that links sign in to has the entry of a password`() throws {
    let record = try record(.production) { account in
      let email = try EmailAddress("ada@example.com")
      account.email = email
      account.identities = [
        Identity(
          key: IdentityKey(.emailLink, subject: email.canonical), origin: .credential,
          linkedAt: Timestamp(milliseconds: 0))
      ]
    }

    #expect(record["emailLinkSignin"] == true)
    #expect(record["passwordHash"] == nil)
    #expect(record["providerUserInfo"]?.items.map { $0["providerId"] } == ["password"])
  }

  @Test func `a passkey is no entry, a vendor's identity has its subject twice`() throws {
    let record = try record(.emulator) { account in
      let now = Timestamp(milliseconds: 0)
      account.identities = [
        Identity(
          key: IdentityKey(.passkey, subject: "c1"),
          profile: IdentityProfile(displayName: "Phone"), origin: .credential, linkedAt: now),
        Identity(
          key: IdentityKey(.google, subject: "g1"),
          profile: IdentityProfile(email: "a@gmail.com", screenName: "a"), origin: .credential,
          linkedAt: now),
      ]
    }

    #expect(record["passkeyInfo"] == [["credentialId": "c1", "name": "Phone"]])
    #expect(
      record["providerUserInfo"] == [
        [
          "providerId": "google.com", "rawId": "g1", "federatedId": "g1",
          "email": "a@gmail.com", "screenName": "a",
        ]
      ])
  }

  @Test func `a phone's entry has no federated identifier`() throws {
    let record = try record(.production) { account in
      let number = try PhoneNumber("+15555550100")
      account.phoneNumber = number
      account.identities = [
        Identity(key: .phone(number), origin: .credential, linkedAt: Timestamp(milliseconds: 0))
      ]
      account.secondFactors = [SecondFactor(id: "f", kind: .totp)]
    }

    #expect(
      record["providerUserInfo"] == [
        ["providerId": "phone", "rawId": "+15555550100", "phoneNumber": "+15555550100"]
      ])
    #expect(record["mfaInfo"] == [["mfaEnrollmentId": "f", "totpInfo": [:]]])
  }
}
