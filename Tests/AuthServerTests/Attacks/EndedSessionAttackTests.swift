import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

/// Sessions that began with an identity that the account has lost.
@Suite struct `Attacks by a session whose identity is gone` {
  /// Every request that takes a client's ID token.
  private static let calls: [(path: String, body: [String: JSONValue])] = [
    ("/v1/accounts:lookup", [:]),
    ("/v1/accounts:update", ["displayName": "Thief", "returnSecureToken": true]),
    ("/v1/accounts:update", ["password": "thief's own"]),
    ("/v1/accounts:update", ["deleteProvider": ["oidc.work"]]),
    ("/v1/accounts:signUp", ["email": "thief@evil.example", "password": "thief's own"]),
    ("/v1/accounts:sendOobCode", ["requestType": "VERIFY_EMAIL"]),
    (
      "/v1/accounts:sendOobCode",
      ["requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "thief@evil.example"]
    ),
    (
      "/v2/accounts/mfaEnrollment:start",
      ["phoneEnrollmentInfo": ["phoneNumber": "+15555550100"]]
    ),
    ("/v2/accounts/mfaEnrollment:withdraw", ["mfaEnrollmentId": "x"]),
    (
      "/v2/accounts:revokeToken",
      ["providerId": "apple.com", "tokenType": "ACCESS_TOKEN", "token": "x"]
    ),
    ("/v1/accounts:delete", [:]),
  ]

  /// Expects that no operation accepts an ID token any more, nor its refresh token.
  func expectOver(_ home: ServerHome, _ thief: SignedUp, beside owner: String) async throws {
    for call in Self.calls {
      var body = call.body
      body["idToken"] = .string(thief.idToken)
      let reply = try await home.post(call.path, .object(body))
      #expect(reply.message == "TOKEN_EXPIRED", "\(call.path) \(reply.status) \(reply.text)")
    }
    for path in [ServerHome.merge, ServerHome.planMerge] {
      let asSurvivor = try await home.merge(owner, into: thief.idToken, at: path)
      let asAbsorbed = try await home.merge(thief.idToken, into: owner, at: path)
      #expect(asSurvivor.message == "TOKEN_EXPIRED", "\(asSurvivor.text)")
      #expect(asAbsorbed.message?.hasPrefix("TOKEN_EXPIRED") == true, "\(asAbsorbed.text)")
    }
    let cookie = try await home.admin(
      "POST", "/v1/projects/\(ServerHome.project):createSessionCookie",
      ["idToken": .string(thief.idToken)])
    #expect(cookie.message == "TOKEN_EXPIRED", "\(cookie.text)")
    let renewed = try await home.post(
      "/v1/token",
      ["grant_type": "refresh_token", "refresh_token": .string(thief.refreshToken)])
    #expect(renewed.message == "TOKEN_EXPIRED", "\(renewed.text)")
  }

  func person(_ subject: String) -> FakePerson {
    var person = FakePerson.bo
    person.subject = subject
    person.email = nil
    return person
  }

  @Test func `S3 attack 37: a session of one identity does not live on in another of its provider`()
    async throws
  {
    try await withFederation(.production) { home in
      let owner = try SignedUp(try await home.signIn(Federation.work, person("owner")))
      let other = try SignedUp(try await home.signIn(Federation.work, person("thief")))
      let merged = try await home.server.merge(other.idToken, into: owner.idToken)
      #expect(merged.status == 200, "\(merged.text)")
      let thief = try SignedUp(try await home.signIn(Federation.work, person("thief")))
      #expect(thief.uid == owner.uid)
      let bo = try await home.server.openAccount("bo@example.com")

      _ = try await home.graph.unlink(
        Federation.work, subject: "thief", from: AccountID(owner.uid), by: home.server.admin)

      try await expectOver(home.server, thief, beside: bo.idToken)
      let still = try await home.server.post("/v1/accounts:lookup", owner.session)
      #expect(still.status == 200, "the owner's own session goes on: \(still.text)")
    }
  }

  @Test(arguments: [true, false])
  func `S3 attack 37: a session stays over when its provider, or itself, is linked again`(
    _ isSame: Bool
  ) async throws {
    try await withFederation(.production) { home in
      let owner = try await home.server.person("owner@example.com")
      let linked = try await home.signIn(
        Federation.work, person("thief"), idToken: owner.idToken)
      #expect(linked.status == 200, "\(linked.text)")
      let thief = try SignedUp(try await home.signIn(Federation.work, person("thief")))
      let bo = try await home.server.openAccount("bo@example.com")
      home.server.clock.advance(seconds: 1)
      let session = try await home.server.signedIn("owner@example.com")
      let unlinked = try await home.server.post(
        ServerHome.update,
        ["idToken": .string(session.idToken), "deleteProvider": ["oidc.work"]])
      #expect(unlinked.status == 200, "\(unlinked.text)")

      let again = try await home.signIn(
        Federation.work, person(isSame ? "thief" : "owner"), idToken: session.idToken)
      #expect(again.status == 200, "\(again.text)")

      try await expectOver(home.server, thief, beside: bo.idToken)
    }
  }

  @Test func `S3: a session whose identity is unlinked goes on by another way in`() async throws {
    try await withFederation(.production) { home in
      let owner = try await home.server.person("owner@example.com")
      let linked = try SignedUp(
        try await home.signIn(Federation.work, person("owner"), idToken: owner.idToken))

      let unlinked = try await home.server.post(
        ServerHome.update,
        [
          "idToken": .string(linked.idToken), "deleteProvider": ["oidc.work"],
          "returnSecureToken": true,
        ])

      let next = try SignedUp(unlinked)
      #expect(try claimsOf(next.idToken)["firebase"]?["sign_in_provider"] == "password")
      let lookup = try await home.server.post("/v1/accounts:lookup", next.session)
      #expect(lookup.status == 200, "\(lookup.text)")
      let renewed = try await home.server.post(
        "/v1/token",
        ["grant_type": "refresh_token", "refresh_token": .string(next.refreshToken)])
      #expect(renewed.status == 200, "\(renewed.text)")
    }
  }

  @Test func `S3: a session ends with the last way in, and hangs on nothing`() async throws {
    try await withFederation(.production) { home in
      try await home.settings { $0.allowsUnlinkingLastMethod = true }
      let owner = try SignedUp(try await home.signIn(Federation.work, person("owner")))
      let bo = try await home.server.openAccount("bo@example.com")

      let unlinked = try await home.server.post(
        ServerHome.update,
        [
          "idToken": .string(owner.idToken), "deleteProvider": ["oidc.work"],
          "returnSecureToken": true,
        ])

      #expect(unlinked.status == 200, "\(unlinked.text)")
      #expect(unlinked.json["refreshToken"] == nil)
      try await expectOver(home.server, owner, beside: bo.idToken)
    }
  }

  @Test func `S3: the claims of an ID token do not name the identity`() async throws {
    try await withFederation(.production) { home in
      let owner = try SignedUp(try await home.signIn(Federation.work, person("owner")))

      let claims = try claimsOf(owner.idToken)

      #expect(
        claims.names == [
          "iss", "aud", "auth_time", "user_id", "sub", "iat", "exp", "firebase", "name",
        ])
    }
  }
}
