import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct `Accounts as the emulator keeps them` {
  @Test func `an account without an address may be verified, and its token says so`() async throws {
    try await withServer(.emulator) { home in
      let made = try await home.admin(
        "POST", home.accountsPath, ["localId": "ada", "emailVerified": true])
      #expect(made.status == 200, "\(made.text)")
      #expect(try await home.adminRecord("ada")?["emailVerified"] == true)
      // Another change leaves it.
      try await home.adminUpdate("ada", ["displayName": "Ada"])
      #expect(try await home.adminRecord("ada")?["emailVerified"] == true)
      let entered = try await home.post(
        "/v1/accounts:signInWithCustomToken", ["token": #"{"uid":"ada"}"#])
      #expect(try claimsOf(try entered.text("idToken"))["email_verified"] == true)
      try await home.adminUpdate("ada", ["emailVerified": false])
      #expect(try await home.adminRecord("ada")?["emailVerified"] == false)
    }
  }

  @Test func `in production nothing is verified without an address`() async throws {
    try await withServer(.production) { home in
      _ = try await home.admin(
        "POST", home.accountsPath, ["localId": "ada", "emailVerified": true])
      #expect(try await home.adminRecord("ada")?["emailVerified"] == false)
    }
  }

  @Test func `a function verifies an account without an address`() async throws {
    try await withServer(.emulator, configure: { $0.hooks = VerifyingHooks() }) { home in
      let shown = try await home.phoneCode("+15555550100")
      let entered = try await home.post(
        "/v1/accounts:signInWithPhoneNumber",
        ["sessionInfo": .string(shown.session), "code": .string(shown.code)])
      #expect(entered.status == 200, "\(entered.text)")
      let token = try entered.text("idToken")
      #expect(try claimsOf(token)["email_verified"] == true)
      #expect(try await home.ownRecord(token)["emailVerified"] == true)
    }
  }

  @Test(arguments: [true, false])
  func `an identity that was asserted comes back as it was sent`(_ isEmulator: Bool) async throws {
    try await withServer(isEmulator ? .emulator : .production) { home in
      try await home.makeAccount("ada", email: "ada@example.com")
      let sent: JSONValue = [
        "providerId": "google.com", "rawId": "g-1", "photoUrl": "photo.png", "displayName": "A",
      ]
      let reply = try await home.adminUpdate("ada", ["linkProviderUserInfo": sent])
      #expect(reply.status == 200, "\(reply.text)")
      let entry = try #require(reply.json["providerUserInfo"]?.items.first)
      #expect(entry == (isEmulator ? sent : sent.merging(["federatedId": "g-1"])))
      #expect(try await home.adminRecord("ada")?["providerUserInfo"]?.items.first == entry)
    }
  }

  @Test func `once an asserted identity signs in, it has its federated ID`() async throws {
    try await withServer(.emulator) { home in
      try await home.makeAccount("ada")
      try await home.adminUpdate(
        "ada", ["linkProviderUserInfo": ["providerId": "google.com", "rawId": "g-1"]])
      let entered = try await home.signInWithGoogle(#"{"sub":"g-1"}"#)
      #expect(try entered.text("localId") == "ada")
      let entry = try await home.adminRecord("ada")?["providerUserInfo"]?.items.first
      #expect(entry?["federatedId"] == "g-1")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a change to an address that was taken meanwhile uses its code up in the emulator alone`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let ada = try await home.person()
      let code = try await home.code(
        "VERIFY_AND_CHANGE_EMAIL", to: "new@example.com",
        ["idToken": .string(ada.idToken), "newEmail": "new@example.com"])
      _ = try await home.person("new@example.com")
      for number in 1...2 {
        let reply = try await home.post(ServerHome.update, ["oobCode": .string(code)])
        let isSpent = mode == .emulator && number == 2
        #expect(reply.message == (isSpent ? "INVALID_OOB_CODE" : "EMAIL_EXISTS"), "\(reply.text)")
      }
      #expect(try await home.adminRecord(ada.uid)?["email"] == .string(ada.email))
    }
  }

  @Test func `a subject may be the person's own address`() async throws {
    try await withServer(.emulator) { home in
      let claims = #"{"sub":"ada@example.com","email":"ada@example.com","email_verified":true}"#
      let first = try await home.signInWithGoogle(claims)
      #expect(first.status == 200, "\(first.text)")
      let again = try await home.signInWithGoogle(claims)
      #expect(try again.text("localId") == first.text("localId"))
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an admin's account without an address has no way in by its password`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let made = try await home.admin(
        "POST", home.accountsPath, ["localId": "ada", "password": "opensesame"])
      #expect(made.status == 200, "\(made.text)")
      let record = try #require(try await home.adminRecord("ada"))
      #expect(record["providerUserInfo"] == nil, "\(record.text)")
      let weak = try await home.admin("POST", home.accountsPath, ["password": "short"])
      #expect(weak.message?.hasPrefix("WEAK_PASSWORD") == true, "\(weak.text)")
    }
  }
}

/// A function of the app that marks every account as verified.
private struct VerifyingHooks: SignInHooks {
  func answer(_ event: SignInHookEvent) async throws -> SignInHookAnswer? {
    guard event.kind == .beforeCreate else { return nil }
    var answer = SignInHookAnswer()
    answer.emailVerified = true
    return answer
  }
}

extension ServerHome {
  /// Signs in with made-up claims of Google.
  func signInWithGoogle(_ claims: String) async throws -> Reply {
    try await post(
      "/v1/accounts:signInWithIdp",
      [
        "requestUri": "http://localhost",
        "postBody": .string(
          URLText.form([
            (name: "providerId", value: "google.com"), (name: "id_token", value: claims),
          ])
        ),
      ])
  }
}
