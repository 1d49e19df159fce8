import AuthCore
import AuthTesting
import SessionTokens
import Testing

@Suite struct SignedTokenTests {
  @Test(arguments: StoreKind.allCases, TokenService.algorithms)
  func `a token that was given is good for an hour`(
    kind: StoreKind, algorithm: SigningAlgorithm
  ) async throws {
    let home = TokenHome(.signed(algorithm), store: try kind.open())
    let tokens = try await home.issue(home.account())
    let text = tokens.idToken.reveal()

    let token = try await home.verify(text)

    #expect(tokens.lifetime == 3600)
    #expect(tokens.header["alg"] == .string(algorithm.rawValue))
    #expect(tokens.header["typ"] == "JWT")
    #expect(text.split(separator: ".", omittingEmptySubsequences: false).count == 3)
    #expect(!text.contains("="))
    #expect(token.account == AccountID("ada"))
    #expect(token.scope == home.scope)
    #expect(token.authTime == home.clock.now)
    #expect(
      token.caller(nil).authority
        == .session(AccountID("ada"), signedInAt: home.clock.now, secondFactor: false))
    home.clock.advance(seconds: 3599)
    _ = try await home.verify(text)
    home.clock.advance(seconds: 1)
    await expect(.userTokenExpired) { try await home.verify(text) }
  }

  @Test func `two sessions of one second are distinct`() async throws {
    let home = TokenHome()
    let account = try await home.account()
    let early = try await home.issue(account)
    home.clock.set(Timestamp(milliseconds: home.clock.now.milliseconds + 100))
    let late = try await home.issue(account)

    let first = try await home.verify(early.idToken.reveal())
    let second = try await home.verify(late.idToken.reveal())

    #expect(first.claims["auth_time"] == second.claims["auth_time"])
    #expect(first.authTime < second.authTime)
  }

  @Test(arguments: StoreKind.allCases)
  func `a refresh token finds its session, and the store holds no more than its digest`(
    kind: StoreKind
  ) async throws {
    let home = TokenHome(store: try kind.open())
    let key = IdentityKey(.google, subject: "g-1")
    let account = try await home.account(tenant: "north") {
      $0.identities = [Identity(key: key, origin: .credential, linkedAt: home.clock.now)]
    }
    let grant = try await home.grant(account, identity: key, claims: ["role": "editor"])
    let tokens = try await home.tokens.issue(grant, account)
    let text = tokens.refreshToken.reveal()

    let (scope, session) = try await home.tokens.session(
      ofRefreshToken: text, project: TokenHome.project)

    #expect(scope == account.scope)
    #expect(session.account == account.id)
    #expect(session.provider == .google)
    #expect(session.identity == key)
    #expect(session.signedInAt == home.clock.now)
    #expect(session.claims == ["role": "editor"])
    #expect(!text.contains(session.id) && session.id.count == 43)
    #expect(try await home.issue(account).refreshToken != tokens.refreshToken)
  }

  @Test func `a refresh token of another project, tenant or form is refused`() async throws {
    let home = TokenHome()
    let own = try await home.issue(home.account()).refreshToken.reveal()
    let north = try await home.issue(home.account("bo", tenant: "north")).refreshToken.reveal()
    let random = try #require(north.split(separator: ".").last).description

    for text in [
      "", ".", "..", "a.b.c", "not a token", own + "A", String(own.dropLast()), random,
      "c291dGg.\(random)", ".\(random)", "bm9ydGg.\(own)", "bm9ydGg.\(own).\(own)",
      String(repeating: "A", count: 100_000),
    ] {
      await expect(.invalidRefreshToken) {
        try await home.tokens.session(ofRefreshToken: text, project: TokenHome.project)
      }
    }
    await expect(.invalidRefreshToken) {
      try await home.tokens.session(ofRefreshToken: own, project: "other")
    }
    _ = try await home.tokens.session(ofRefreshToken: north, project: TokenHome.project)
  }

  @Test func `attack 2: a session that was ended gets no more tokens`() async throws {
    let home = TokenHome()
    let account = try await home.account()
    let tokens = try await home.issue(account)
    let now = home.clock.now
    try await home.store.write { writer in
      guard let old = try writer.account(account.id, in: account.scope) else { return }
      var new = old
      new.validSince = Timestamp(milliseconds: now.milliseconds + 1)
      try writer.update(new, replacing: old)
    }

    await expect(.userTokenExpired) { try await home.refresh(tokens) }
  }

  @Test(arguments: TokenService.algorithms)
  func `a session cookie has the token's claims and a life of its own`(
    algorithm: SigningAlgorithm
  ) async throws {
    let home = TokenHome(.signed(algorithm))
    let text = try await home.issue(home.account()).idToken.reveal()
    let token = try await home.verify(text)
    home.clock.advance(seconds: 60)

    let cookie = try await home.tokens.sessionCookie(for: token, lifetime: 1_209_600).reveal()
    let read = try await home.tokens.verify(sessionCookie: cookie, project: TokenHome.project)

    #expect(read.claims["iss"] == "https://session.firebase.google.com/demo-shop")
    #expect(read.issuedAt == token.issuedAt.adding(seconds: 60))
    #expect(read.expiresAt == read.issuedAt.adding(seconds: 1_209_600))
    #expect(read.authTime == token.authTime)
    #expect(read.claims["firebase"] == token.claims["firebase"])
    await expect(.invalidUserToken) { try await home.verify(cookie) }
    await expect(.invalidUserToken) {
      try await home.tokens.verify(sessionCookie: text, project: TokenHome.project)
    }
    home.clock.advance(seconds: 1_209_599)
    _ = try await home.tokens.verify(sessionCookie: cookie, project: TokenHome.project)
    home.clock.advance(seconds: 1)
    await expect(.userTokenExpired) {
      try await home.tokens.verify(sessionCookie: cookie, project: TokenHome.project)
    }
  }

  @Test(arguments: [299, 1_209_601, 0, -1, Int64.max])
  func `a session cookie lives for five minutes to two weeks`(lifetime: Int64) async throws {
    let home = TokenHome()
    let token = try await home.verify(try await home.issue(home.account()).idToken.reveal())
    await expect(.invalidArgument) {
      try await home.tokens.sessionCookie(for: token, lifetime: lifetime)
    }
  }

  @Test func `the issuer is the configured one`() async throws {
    let home = TokenHome { $0.issuerPrefix = "https://login.example/" }
    let token = try await home.issue(home.account())
    #expect(token.claims["iss"] == "https://login.example/demo-shop")
    await expect(.invalidUserToken) { try await home.another().verify(token.idToken.reveal()) }
  }
}
