import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct `Second factors as the emulator has them` {
  private static let number = "+15555550100"

  @Test func `a link by e-mail is answered as a sign-in, and is there before the factor is shown`()
    async throws
  {
    try await withServer(.emulator) { home in
      let ada = try await home.person()
      try await home.guardWithPhone(ada.uid, Self.number)
      let reply = try await home.post(
        "/v1/accounts:signInWithEmailLink",
        [
          "email": .string(ada.email), "idToken": .string(ada.idToken),
          "oobCode": .string(try await home.code("EMAIL_SIGNIN", to: ada.email)),
        ])
      #expect(reply.status == 200, "\(reply.text)")
      #expect(reply.json["idToken"] == nil && reply.json["refreshToken"] == nil)
      #expect(reply.json["mfaInfo"]?.items.count == 1)
      #expect(try await home.adminRecord(ada.uid)?["emailLinkSignin"] == true)
      let done = try await home.showPhone(reply, Self.number)
      #expect(done.status == 200, "\(done.text)")
      let claims = try claims(of: try done.text("idToken"))
      #expect(claims["sub"] == .string(ada.uid))
      #expect(claims["firebase"]?["sign_in_second_factor"] == "phone")
    }
  }

  @Test func `a password is linked without the factor`() async throws {
    try await withServer(.emulator) { home in
      let ada = try await home.person()
      try await home.guardWithPhone(ada.uid, Self.number)
      let reply = try await home.post(
        ServerHome.signUp,
        [
          "idToken": .string(ada.idToken), "email": "new@example.com", "password": "opensesame",
        ])
      #expect(reply.status == 200, "\(reply.text)")
      #expect(try reply.text("localId") == ada.uid)
      _ = try reply.text("idToken")
      // A sign-in with it still needs the factor.
      let entered = try await home.enter("new@example.com", "opensesame")
      #expect(entered.json["idToken"] == nil && entered.json["mfaPendingCredential"] != nil)
    }
  }

  @Test func `attack 24: production links neither before the factor is shown`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person()
      try await home.guardWithPhone(ada.uid, Self.number)
      let linked = try await home.post(
        ServerHome.signUp,
        [
          "idToken": .string(ada.idToken), "email": "new@example.com", "password": "opensesame",
        ])
      #expect(linked.status == 400 && linked.json["idToken"] == nil, "\(linked.text)")
      #expect(try await home.adminRecord(ada.uid)?["email"] == .string(ada.email))
    }
  }

  @Test func `a vendor that is linked by its address is listed before the factor is shown`()
    async throws
  {
    try await withServer(.emulator) { home in
      let ada = try await home.person()
      try await home.guardWithPhone(ada.uid, Self.number)
      let reply = try await home.signInWithGoogle(
        #"{"sub":"g-1","email":"ada@example.com","email_verified":true}"#)
      #expect(reply.status == 200, "\(reply.text)")
      #expect(reply.json["idToken"] == nil && reply.json["mfaPendingCredential"] != nil)
      let ways = try await home.post(
        "/v1/accounts:createAuthUri",
        ["identifier": .string(ada.email), "continueUri": "http://localhost"])
      #expect(ways.json["allProviders"] == ["password", "google.com"])
      let done = try await home.showPhone(reply, Self.number)
      #expect(done.status == 200, "\(done.text)")
      let firebase = try claims(of: try done.text("idToken"))["firebase"]
      #expect(firebase?["sign_in_provider"] == "google.com")
      #expect(firebase?["sign_in_second_factor"] == "phone")
    }
  }

  @Test func `after the last one is withdrawn the list is empty, and otherwise absent`()
    async throws
  {
    // Each server of several remembers for itself.
    try await withServer(.emulator, configure: { $0.servers = 1 }) { home in
      let ada = try await home.person()
      #expect(try await home.adminRecord(ada.uid)?["mfaInfo"] == nil)
      let token = try await home.enroll(Self.number, ada.idToken).text("idToken")
      let id = try #require(
        try await home.adminRecord(ada.uid)?["mfaInfo"]?.items.first?["mfaEnrollmentId"])
      let withdrawn = try await home.post(
        "/v2/accounts/mfaEnrollment:withdraw",
        ["idToken": .string(token), "mfaEnrollmentId": id])
      #expect(withdrawn.status == 200, "\(withdrawn.text)")
      #expect(try await home.adminRecord(ada.uid)?["mfaInfo"] == [])
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `null removes no factor, wherever it stands`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.person()
      try await home.guardWithPhone(ada.uid, Self.number)
      for mfa: JSONValue in [.null, ["enrollments": .null]] {
        for uid in [ada.uid, "nobody"] {
          let reply = try await home.adminUpdate(uid, ["mfa": mfa])
          #expect(reply.status == 400, "\(reply.text)")
          // The body is read before the account.
          #expect(reply.message != "USER_NOT_FOUND")
        }
      }
      #expect(try await home.adminRecord(ada.uid)?["mfaInfo"]?.items.count == 1)
    }
  }
}
