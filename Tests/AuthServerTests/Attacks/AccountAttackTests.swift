import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// Attacks by clients on accounts with passwords.
@Suite struct `Attacks on accounts with passwords` {
  private static let lookup = "/v1/accounts:lookup"

  private func refresh(_ home: ServerHome, _ session: SignedUp) async throws -> Reply {
    try await home.post(
      "/v1/token",
      ["grantType": "refresh_token", "refreshToken": .string(session.refreshToken)])
  }

  @Test func `attack 1: the first holder of an address keeps nothing after its owner's reset`()
    async throws
  {
    try await withServer(.production) { home in
      let attacker = try await home.openAccount("victim@example.com", password: "attackers")
      home.clock.advance(seconds: 5)
      let made = try await home.admin(
        "POST", "\(home.accountsPath):sendOobCode",
        ["requestType": "PASSWORD_RESET", "email": "victim@example.com", "returnOobLink": true])
      let reset = try await home.post(
        "/v1/accounts:resetPassword",
        ["oobCode": .string(try made.text("oobCode")), "newPassword": "the-victims"])

      #expect(reset.status == 200, "\(reset.text)")
      #expect(try await home.enter("victim@example.com", "attackers").status == 400)
      #expect(try await refresh(home, attacker).status == 400)
    }
  }

  @Test func `attack 2: a session from before a new password is over`() async throws {
    try await withServer(.production) { home in
      let attacker = try await home.openAccount()
      let owner = try SignedUp(try await home.enter("ada@example.com", "opensesame"))
      home.clock.advance(seconds: 1)
      let next = try SignedUp(
        try await home.post(
          ServerHome.update, ["idToken": .string(owner.idToken), "password": "opensesame2"]))

      expectFailure(try await home.post(Self.lookup, attacker.session), "TOKEN_EXPIRED")
      #expect(try await refresh(home, attacker).message == "TOKEN_EXPIRED")
      #expect(try await refresh(home, next).status == 200)
    }
  }

  @Test func `attack 3: an identity that was linked before is no way in after a reset`()
    async throws
  {
    try await withServer(.production) { home in
      let attacker = try await home.openAccount("victim@example.com", password: "attackers")
      try await home.adminUpdate(
        attacker.uid, ["linkProviderUserInfo": ["providerId": "github.com", "rawId": "evil"]])
      let made = try await home.admin(
        "POST", "\(home.accountsPath):sendOobCode",
        ["requestType": "PASSWORD_RESET", "email": "victim@example.com", "returnOobLink": true])
      _ = try await home.post(
        "/v1/accounts:resetPassword",
        ["oobCode": .string(try made.text("oobCode")), "newPassword": "the-victims"])
      let record = try #require(try await home.adminRecord(attacker.uid))

      #expect(record["providerUserInfo"]?.items.map { $0["providerId"] } == ["password"])
      #expect(record["emailVerified"] == true)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `attack 24: no way past the second factor with a password`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()
      try await home.guardWithPhone(ada.uid)
      let reply = try await home.enter("ada@example.com", "opensesame")

      #expect(reply.status == 200)
      #expect(!reply.text.contains("\"idToken\"") && !reply.text.contains("\"refreshToken\""))
      #expect(try await home.enter("ada@example.com", "wrong-one").json["mfaInfo"] == nil)
    }
  }

  @Test func `attack 24: no way past the second factor with a session from before it`()
    async throws
  {
    try await withServer(.production) { home in
      let ada = try await home.openAccount()
      try await home.guardWithPhone(ada.uid)
      for body: [String: JSONValue] in [
        ["password": "opensesame2"], ["deleteProvider": ["password"]],
      ] {
        let reply = try await home.post(
          ServerHome.update, .object(body.merging(["idToken": .string(ada.idToken)]) { $1 }))
        #expect(reply.status == 400, "\(reply.text)")
        #expect(reply.json["idToken"] == nil)
      }
    }
  }

  @Test func `attack 25: an old session changes no way in`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.openAccount()
      try await home.adminUpdate(
        ada.uid, ["linkProviderUserInfo": ["providerId": "google.com", "rawId": "g1"]])
      home.clock.advance(seconds: 301)
      for body: [String: JSONValue] in [
        ["password": "opensesame2"], ["deleteProvider": ["google.com"]],
        ["deleteAttribute": ["PASSWORD"]],
      ] {
        expectFailure(
          try await home.post(
            ServerHome.update, .object(body.merging(["idToken": .string(ada.idToken)]) { $1 })),
          "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
      }
      expectFailure(
        try await home.post(
          ServerHome.signUp,
          [
            "idToken": .string(ada.idToken), "email": "ada@example.com", "password": "opensesame2",
          ]), "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
      expectFailure(
        try await home.post("/v1/accounts:delete", ada.session),
        "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
    }
  }

  @Test func `attack 26: an unknown address and a wrong password answer alike`() async throws {
    try await withServer(.production) { home in
      _ = try await home.openAccount()
      let disabled = try await home.openAccount("off@example.com")
      try await home.adminUpdate(disabled.uid, ["disableUser": true])
      let wrong = try await home.enter("ada@example.com", "wrong-one")
      let unknown = try await home.enter("nobody@example.com", "wrong-one")
      let shut = try await home.enter("off@example.com", "wrong-one")

      #expect(wrong.text == unknown.text && wrong.status == unknown.status)
      #expect(shut.text == unknown.text)
    }
  }

  @Test func `attack 26: the refusal of a link does not reveal an address's owner`() async throws {
    try await withServer(.production) { home in
      let owner = try await home.openAccount("ada@example.com", named: "Ada Lovelace")
      let other = try await home.openAnonymously()
      let reply = try await home.post(
        ServerHome.signUp,
        [
          "idToken": .string(other.idToken), "email": "ada@example.com", "password": "opensesame",
        ])

      expectFailure(reply, "EMAIL_EXISTS")
      #expect(!reply.text.contains(owner.uid) && !reply.text.contains("Lovelace"))
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `attack 27: linking never changes the session's account`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      _ = try await home.openAccount("ada@example.com")
      let mine = try await home.openAnonymously()
      let refused = try await home.post(
        ServerHome.signUp,
        ["idToken": .string(mine.idToken), "email": "ada@example.com", "password": "opensesame"])
      expectFailure(refused, "EMAIL_EXISTS")
      let linked = try SignedUp(
        try await home.post(
          ServerHome.signUp,
          [
            "idToken": .string(mine.idToken), "email": "bob@example.com",
            "password": "opensesame",
          ]))
      #expect(linked.uid == mine.uid)
    }
  }

  @Test func `attack 28: two accounts with one unverified address are never chosen between`()
    async throws
  {
    try await withServer(.production) { home in
      try await home.upload([
        ["localId": "a", "email": "shared@example.com"],
        ["localId": "b", "email": "shared@example.com"],
      ])
      expectFailure(
        try await home.enter("shared@example.com", "opensesame"), "INVALID_LOGIN_CREDENTIALS")
      expectFailure(
        try await home.post(
          ServerHome.signUp, ["email": "shared@example.com", "password": "opensesame"]),
        "EMAIL_EXISTS")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `attack 34: a session of one tenant is no session in another`(_ mode: ServerMode)
    async throws
  {
    try await withServer(mode) { home in
      try await home.touch()
      for tenant in ["t1", "t2"] {
        if try await !home.graph.tenantExists(Scope(project: ServerHome.project, tenant: tenant)) {
          _ = try await home.graph.createTenant(
            tenant, in: ServerHome.project, settings: ProjectSettings(), by: home.admin)
        }
      }
      let ada = try SignedUp(
        try await home.post(
          ServerHome.signUp,
          ["email": "ada@example.com", "password": "opensesame", "tenantId": "t1"]))
      #expect(try claimsOf(ada.idToken)["firebase"]?["tenant"] == "t1")

      for path in [Self.lookup, ServerHome.update, "/v1/accounts:delete"] {
        expectFailure(
          try await home.post(path, ["idToken": .string(ada.idToken), "tenantId": "t2"]),
          "TENANT_ID_MISMATCH")
      }
      #expect(try await home.enter("ada@example.com", "opensesame").status == 400)
      let elsewhere = try await home.post(
        ServerHome.signIn,
        ["email": "ada@example.com", "password": "opensesame", "tenantId": "t2"])
      #expect(elsewhere.status == 400)
      #expect(try await home.ownRecord(ada.idToken)["tenantId"] == "t1")
    }
  }
}
