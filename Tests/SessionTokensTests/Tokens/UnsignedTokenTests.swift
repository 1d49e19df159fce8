import AuthCore
import AuthTesting
import FakeVendors
import Foundation
import SessionTokens
import Testing

@Suite struct UnsignedTokenTests {
  let home = TokenHome(.unsigned)

  @Test func `a token has three parts, the last one empty`() async throws {
    let tokens = try await home.issue(home.account())
    let parts = tokens.idToken.reveal().split(separator: ".", omittingEmptySubsequences: false)
    #expect(parts.count == 3)
    #expect(parts[2].isEmpty)
    #expect(tokens.header == ["alg": "none", "typ": "JWT"])
  }

  @Test func `a refresh token has the fields of the emulator's`() async throws {
    let account = try await home.account(tenant: "north") {
      $0.secondFactors = [SecondFactor(id: "f", kind: .totp)]
    }
    let tokens = try await home.issue(
      account, provider: .emailLink, factor: SessionGrant.Factor(kind: "totp", id: "f"),
      claims: ["role": "editor"])

    let data = try #require(Data(base64Encoded: tokens.refreshToken.reveal()))

    #expect(
      try JSONValue(text: String(decoding: data, as: UTF8.self)) == [
        "_AuthEmulatorRefreshToken": "DO NOT MODIFY", "localId": "ada", "provider": "password",
        "extraClaims": ["role": "editor"], "projectId": "demo-shop", "tenantId": "north",
        "secondFactor": ["identifier": "f", "provider": "totp"],
      ])
  }

  @Test func `a plain session's refresh token has no more than it needs`() async throws {
    let tokens = try await home.issue(home.account())
    let data = try #require(Data(base64Encoded: tokens.refreshToken.reveal()))
    #expect(
      try JSONValue(text: String(decoding: data, as: UTF8.self)) == [
        "_AuthEmulatorRefreshToken": "DO NOT MODIFY", "localId": "ada", "provider": "google.com",
        "extraClaims": [:], "projectId": "demo-shop",
      ])
  }

  @Test(arguments: [
    "", "x", "!!!", "e30", "bnVsbA==", "{}",
    Data(#"{"localId":"ada","provider":"google.com","projectId":"demo-shop"}"#.utf8)
      .base64EncodedString(),
    Data(
      #"{"_AuthEmulatorRefreshToken":"DO NOT MODIFY","localId":"ada","provider":"google.com","projectId":"other"}"#
        .utf8
    ).base64EncodedString(),
  ])
  func `a refresh token of another form or project is refused`(text: String) async {
    await expect(.invalidRefreshToken) {
      try await home.tokens.session(ofRefreshToken: text, project: TokenHome.project)
    }
  }

  @Test func `any token is believed, with any signature and of any age`() async throws {
    let claims: JSONValue = [
      "user_id": "ada", "iat": 1, "exp": 2, "aud": "other", "role": "editor",
      "firebase": ["sign_in_provider": "custom", "tenant": "north"],
    ]
    let stranger = SigningKey.p256(keyID: "stranger")

    for text in [
      stranger.unsecured(claims), try stranger.jws(claims), stranger.confusedJWS(claims),
    ] {
      let token = try await home.verify(text)
      #expect(token.account == AccountID("ada"))
      #expect(token.scope == Scope(project: TokenHome.project, tenant: "north"))
      #expect(token.issuedAt == Timestamp(milliseconds: 1000))
      #expect(token.provider == .custom)
      #expect(token.claims == claims)
    }
  }

  @Test(
    arguments: [
      ["firebase": ["sign_in_provider": "custom"]],
      ["user_id": "", "firebase": [:]],
      ["user_id": 5, "firebase": [:]],
      ["user_id": "ada"],
      ["user_id": "ada", "firebase": "custom"],
      [],
    ] as [JSONValue])
  func `a token without a user or a firebase claim is none`(claims: JSONValue) async {
    let text = SigningKey.p256(keyID: "any").unsecured(claims)
    await expect(.invalidUserToken) { try await home.verify(text) }
  }

  @Test(arguments: ["", "a.b", "a.b.c", "....", "e30.e30.!", "not a token"])
  func `a text that is no token is refused, and names no tenant`(text: String) async {
    await expect(.invalidUserToken) { try await home.verify(text) }
    #expect(UncheckedIDToken(text) == nil)
  }

  @Test func `times that are missing, odd or huge are harmless`() async throws {
    for moment: JSONValue in [
      .null, "1", .number(1.5), -1, .integer(.max), .integer(.min), .number(1e300), .array([]),
    ] {
      let text = SigningKey.p256(keyID: "any").unsecured([
        "user_id": "ada", "iat": moment, "exp": moment, "auth_time": moment,
        "firebase": .object([:]),
      ])
      let token = try await home.verify(text)
      #expect(token.issuedAt <= home.clock.now)
    }
  }

  @Test func `a session is compared with the account's in whole seconds of iat`() async throws {
    let account = try await home.account()
    let token = try await home.verify(try await home.issue(account).idToken.reveal())
    #expect(
      token.caller(nil).authority
        == .session(
          account.id, signedInAt: Timestamp(milliseconds: 1_750_000_000_999), secondFactor: false))
  }

  @Test func `a session that ended all others goes on with their end as its beginning`()
    async throws
  {
    let then = home.clock.now
    home.clock.advance(seconds: 500)
    let account = try await home.account {
      $0.lastSignInAt = then
      $0.validSince = home.clock.now
    }

    let tokens = try await home.issue(account)
    home.clock.advance(seconds: 500)
    let later = try await home.refresh(tokens)

    #expect(tokens.claims["auth_time"] == 1_750_000_500)
    #expect(later.claims["auth_time"] == 1_750_000_500)
  }

  @Test func `a session cookie is unsigned too`() async throws {
    let token = try await home.verify(try await home.issue(home.account()).idToken.reveal())
    let cookie = try await home.tokens.sessionCookie(for: token, lifetime: 300).reveal()
    #expect(cookie.hasSuffix("."))
    let read = try await home.tokens.verify(sessionCookie: cookie, project: TokenHome.project)
    #expect(read.claims["iss"] == "https://session.firebase.google.com/demo-shop")
    #expect(read.expiresAt == read.issuedAt.adding(seconds: 300))
  }

  @Test func `no key is ever made`() async throws {
    _ = try await home.issue(home.account())
    #expect(try await home.tokens.keys.list(project: TokenHome.project).isEmpty)
    #expect(
      try await home.tokens.publication.keySet(.idToken, project: TokenHome.project)
        == ["keys": []])
  }
}
