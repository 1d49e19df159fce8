import AuthCore
import AuthTesting
import BuiltInProviders
import Testing
import TestSupport

@Suite struct `Facebook authorization codes` {
  let settings = FacebookFixture.settings()
  let grant = AuthorizationGrant.sample

  @Test func `a code is exchanged, and its token checked like any other`() async throws {
    let facebook = FacebookFixture()

    let identity = try await facebook.provider.verify(
      "authorizationCode", grant.credential, settings)

    #expect(identity.key?.subject == "99")
    let sent = try #require(facebook.vendor.requests(to: FacebookFixture.tokenURL).first).fields
    #expect(sent["client_secret"] == "the app's secret")
    #expect(sent["code_verifier"] == grant.codeVerifier.reveal())
    let debug = try #require(facebook.vendor.requests(to: FacebookFixture.debugURL).first).fields
    #expect(debug["input_token"] == "EAAB")
  }

  @Test func `attack 14: a code that gives another app's token is refused`() async throws {
    let error = try await FacebookFixture(debug: ["app_id": "666"]).provider.refusal(
      "authorizationCode", grant.credential, settings)

    #expect(error.field == "app_id")
  }

  @Test func `an ID token that comes too has to be of the request and of the same person`()
    async throws
  {
    let good = FacebookFixture(idToken: FacebookFixture.claims(["nonce": "nonce-1"]))
    let other = FacebookFixture(
      idToken: FacebookFixture.claims(["nonce": "nonce-1", "sub": "98"]))
    let replayed = FacebookFixture(idToken: FacebookFixture.claims())

    let identity = try await good.provider.verify("authorizationCode", grant.credential, settings)
    let another = try await other.provider.refusal(
      "authorizationCode", grant.credential, settings)
    let old = try await replayed.provider.refusal(
      "authorizationCode", grant.credential, settings)

    #expect(!identity.uses.isEmpty)
    #expect(another.field == "sub")
    #expect(old.code == .missingOrInvalidNonce)
  }

  @Test func `revoking takes the permissions from the app`() async throws {
    let facebook = FacebookFixture()

    try await facebook.provider.revoke(.accessToken(Secret("EAAB-secret")), .test(settings))
    try await facebook.provider.revoke(
      .authorizationCode(Secret("c"), redirectURI: grant.redirectURI), .test(settings))

    let sent = facebook.vendor.requests(to: FacebookFixture.permissionsURL)
    #expect(sent.map(\.method) == [.delete, .delete])
    #expect(sent.map { $0.headerField("Authorization") } == ["Bearer EAAB-secret", "Bearer EAAB"])
    #expect(sent.allSatisfy { $0.fields["appsecret_proof"]?.count == 64 })
  }

  @Test func `there are no refresh tokens to revoke`() async throws {
    let error = await #expect(throws: AuthError.self) {
      try await FacebookFixture().provider.revoke(.refreshToken(Secret("r")), .test(settings))
    }

    #expect(error?.code == .operationNotAllowed)
  }
}
