import AuthCore
import AuthTesting
import SessionTokens
import Testing

@testable import IdentityToolkitService

/// Attacks on merges by the holder of two tokens.
@Suite struct `Attacks on merging one's own accounts` {
  private static let number = "+15555550100"
  private static let paths = [ServerHome.merge, ServerHome.planMerge]

  /// Expects that both orders of two tokens are refused with one code, and that nothing is written.
  private func expectRefused(
    _ home: ServerHome, _ bad: String, beside good: String, code: String,
    asAbsorbed absorbedCode: String? = nil, accounts: Int
  ) async throws {
    for path in Self.paths {
      let asSurvivor = try await home.merge(good, into: bad, at: path)
      let asAbsorbed = try await home.merge(bad, into: good, at: path)
      #expect(asSurvivor.message == code, "\(asSurvivor.text)")
      #expect(asAbsorbed.message == absorbedCode ?? "\(code) : absorbIdToken", "\(asAbsorbed.text)")
    }
    #expect(try await home.accountCount() == accounts)
  }

  /// The claims of an unsigned token are chosen by its bearer.
  @Test func `attack 25: a claim that an admin took away does not live on in a merge`() async throws
  {
    try await withServer(.production) { home in
      let (ada, bo) = try await home.twoAccounts()
      try await home.claim(bo.uid, "{\"admin\": true}")
      let entered = try await home.enter("bo@example.com", "opensesame")
      let token = try entered.text("idToken")
      #expect(try claimsOf(token)["admin"] == true)
      try await home.claim(bo.uid, "{}")

      let merged = try await home.merge(ada.idToken, into: token)

      #expect(merged.status == 200, "\(merged.text)")
      #expect(try claimsOf(try merged.text("idToken"))["admin"] == nil)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `attack 2: a token from before a revocation proves nothing`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let (ada, bo) = try await home.twoAccounts()
      home.clock.advance(seconds: 2)
      _ = try await home.graph.revokeSessions(of: AccountID(ada.uid), by: home.admin)

      try await expectRefused(
        home, ada.idToken, beside: bo.idToken, code: "TOKEN_EXPIRED", accounts: 2)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `attack 2: sessions of the absorbed account are over, its refresh token too`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let (ada, bo) = try await home.twoAccounts()
      let merged = try await home.merge(ada.idToken, into: bo.idToken)
      #expect(merged.status == 200, "\(merged.text)")

      let lookup = try await home.post("/v1/accounts:lookup", ada.session)
      let renewed = try await home.post(
        "/v1/token", ["grant_type": "refresh_token", "refresh_token": .string(ada.refreshToken)])

      #expect(lookup.message == "USER_NOT_FOUND")
      #expect(renewed.status == 400, "\(renewed.text)")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `attack 18: the tokens of a merge merge nothing again`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let (ada, bo) = try await home.twoAccounts()
      let carol = try await home.openAccount("carol@example.com")
      let merged = try await home.merge(ada.idToken, into: bo.idToken)
      #expect(merged.status == 200, "\(merged.text)")

      try await expectRefused(
        home, ada.idToken, beside: bo.idToken, code: "USER_NOT_FOUND", accounts: 2)
      try await expectRefused(
        home, ada.idToken, beside: carol.idToken, code: "USER_NOT_FOUND", accounts: 2)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `attack 27: one account twice is no merge, by any of its tokens`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()
      home.clock.advance(seconds: 1)
      let again = try await home.enter("ada@example.com", "opensesame").text("idToken")
      let code = "MERGE_REFUSED : Both sessions are of the same account."

      try await expectRefused(
        home, ada.idToken, beside: ada.idToken, code: code, asAbsorbed: code, accounts: 1)
      try await expectRefused(
        home, ada.idToken, beside: again, code: code, asAbsorbed: code, accounts: 1)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `attack 27: a plan of two accounts is none of a third`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let (ada, bo) = try await home.twoAccounts()
      let carol = try await home.openAccount("carol@example.com")
      let plan = try await home.merge(ada.idToken, into: bo.idToken, at: ServerHome.planMerge)

      let merged = try await home.merge(
        carol.idToken, into: bo.idToken, ["revisions": try #require(plan.json["revisions"])])

      #expect(merged.message?.hasPrefix("PLAN_OUTDATED") == true, "\(merged.text)")
      #expect(try await home.accountCount() == 3)
    }
  }

  @Test
  func `attack 14: tokens of another project, session cookies and refresh tokens prove nothing`()
    async throws
  {
    try await withServer(.production) { home in
      let (ada, bo) = try await home.twoAccounts()
      let cookie = try await home.admin(
        "POST", "/v1/projects/\(ServerHome.project):createSessionCookie",
        ["idToken": .string(ada.idToken), "validDuration": "3600"]
      ).text("sessionCookie")
      let account = try #require(try await home.graph.account(AccountID(ada.uid), in: home.scope))
      let foreign = try await home.services.tokens.sign(
        ["sub": .string(account.id.rawValue), "aud": "other-shop"], project: "other-shop")

      let parts = ada.idToken.split(separator: ".")
      let forged = "\(parts[0]).\(parts[1]).\(String(parts[2].reversed()))"
      for bad in [cookie, ada.refreshToken, foreign, forged, ada.uid] {
        try await expectRefused(
          home, bad, beside: bo.idToken, code: "INVALID_ID_TOKEN", accounts: 2)
      }
    }
  }

  @Test func `attack 25: an old session brings no account into another, nor takes it away`()
    async throws
  {
    try await withServer(.production) { home in
      let victim = try await home.openAccount("ada@example.com")
      home.clock.advance(seconds: 1800)
      let own = try await home.openAccount("mallory@example.com")

      let code = "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"
      try await expectRefused(
        home, victim.idToken, beside: own.idToken, code: code, asAbsorbed: code, accounts: 2)

      let recent = try await home.enter("ada@example.com", "opensesame").text("idToken")
      #expect(try await home.merge(own.idToken, into: recent).localID == victim.uid)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `attack 24: an account with a second factor is proved only by a session that has shown it`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let ada = try await home.person()
      _ = try await home.enroll(Self.number, ada.idToken)
      let own = try await home.openAccount("mallory@example.com")
      home.clock.advance(seconds: 1)
      let old = "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"
      // In production the enrollment has ended the session.
      try await expectRefused(
        home, ada.idToken, beside: own.idToken, code: mode == .production ? "TOKEN_EXPIRED" : old,
        asAbsorbed: mode == .production ? nil : old, accounts: 2)
      let pending = try await home.signIn(ada.email)
      #expect(pending.json["idToken"] == nil)
    }
  }

  @Test(arguments: ServerMode.allCases, [true, false])
  func
    `attack 24: the result asks for the factors of both, and only the session that showed one goes on`(
      _ mode: ServerMode, _ guardedSurvives: Bool
    ) async throws
  {
    try await withServer(mode) { home in
      let ada = try await home.person()
      _ = try await home.enroll(Self.number, ada.idToken)
      let bo = try await home.openAccount("bo@example.com")
      home.clock.advance(seconds: 1)
      let shown = try await home.showPhone(try await home.signIn(ada.email), Self.number)
      let guarded = try shown.text("idToken")
      home.clock.advance(seconds: 1)

      let merged =
        try await guardedSurvives
        ? home.merge(bo.idToken, into: guarded) : home.merge(guarded, into: bo.idToken)

      #expect(merged.localID == (guardedSurvives ? ada.uid : bo.uid), "\(merged.text)")
      let token = try merged.text("idToken")
      #expect(try claimsOf(token)["firebase"]?["sign_in_second_factor"] == "phone")
      #expect(try await home.ownRecord(token)["mfaInfo"]?.items.count == 1)
      let unshown = try await home.post("/v1/accounts:lookup", bo.session)
      #expect(unshown.status == 400, "\(unshown.text)")
      let entered = try await home.enter(ada.email, Person.password)
      #expect(entered.json["idToken"] == nil, "\(entered.text)")
      #expect(entered.json["mfaPendingCredential"] != nil, "\(entered.text)")
      // The result has one password, that of its address.
      #expect(try await home.enter("bo@example.com", "opensesame").status == 400)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `attack 34: accounts of two tenants are never merged`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      try await home.touch()
      for tenant in ["tenant-a", "tenant-b"] {
        _ = try await home.graph.createTenant(
          tenant, in: ServerHome.project, settings: ProjectSettings(), by: home.admin)
      }
      let tokens = try await ["tenant-a", "tenant-b", nil].asyncMap { tenant in
        var body: [String: JSONValue] = ["email": "ada@example.com", "password": "opensesame"]
        body["tenantId"] = tenant.map(JSONValue.string)
        return try await home.post(ServerHome.signUp, .object(body)).text("idToken")
      }
      for path in Self.paths {
        for (survivor, absorbed) in [(0, 1), (1, 0), (0, 2), (2, 0)] {
          let reply = try await home.merge(tokens[absorbed], into: tokens[survivor], at: path)
          #expect(reply.status == 400, "\(survivor) \(absorbed): \(reply.text)")
          let isSaid =
            reply.message?.contains("TENANT_ID_MISMATCH") == true
            || reply.message?.contains("Parsed token that belongs to tenant") == true
          #expect(isSaid, "\(reply.text)")
        }
      }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a disabled account is not let in through another one`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let (ada, bo) = try await home.twoAccounts()
      try await home.adminUpdate(ada.uid, ["disableUser": true])

      try await expectRefused(
        home, ada.idToken, beside: bo.idToken, code: "USER_DISABLED", accounts: 2)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `two merges at once, each into the other's account, leave one account`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let (ada, bo) = try await home.twoAccounts()
      async let first = home.merge(ada.idToken, into: bo.idToken)
      async let second = home.merge(bo.idToken, into: ada.idToken)
      let statuses = try await [first.status, second.status]

      #expect(statuses.sorted() == [200, 400])
      #expect(try await home.accountCount() == 1)
    }
  }
}

extension Array {
  fileprivate func asyncMap<Result>(
    _ transform: (Element) async throws -> Result
  ) async throws -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
