import AuthCore
import AuthTesting
import BuiltInProviders
import Testing
import TestSupport

@Suite struct `Apple authorization codes` {
  let settings = AppleFixture.settings()
  let grant = AuthorizationGrant.sample
  let web: [String: JSONValue?] = ["aud": "com.example.web", "nonce": "nonce-1"]

  @Test func `the person comes back by POST, as a name is asked for`() async throws {
    let url = try await AppleFixture().provider.authorizationURL(grant, .test(settings))

    #expect(url.hasPrefix("https://appleid.apple.com/auth/authorize?"))
    #expect(url.queryFields["response_mode"] == "form_post")
    #expect(url.queryFields["client_id"] == "com.example.web")
    #expect(url.queryFields["nonce"] == "nonce-1")
  }

  @Test func `a code is exchanged with a secret that the private key signed`() async throws {
    let apple = AppleFixture(idToken: AppleFixture.claims(web))

    let identity = try await apple.provider.verify("authorizationCode", grant.credential, settings)

    #expect(identity.key?.subject == AppleFixture.subject)
    #expect(!identity.uses.isEmpty)
    let sent = try #require(apple.vendor.requests(to: AppleFixture.tokenURL).first).fields
    #expect(sent["client_id"] == "com.example.web")
    let secret = try #require(sent["client_secret"])
    let parts = try #require(secret.tokenParts)
    #expect(SampleKey.p256.verifies(secret))
    #expect(parts.header == ["alg": "ES256", "kid": "KEY1234567", "typ": "JWT"])
    #expect(
      parts.claims == [
        "iss": "TEAM123456", "sub": "com.example.web", "aud": "https://appleid.apple.com",
        "iat": .integer(momentSeconds), "exp": .integer(momentSeconds + 300),
      ])
  }

  @Test func `attack 14: a code that gives a token for another client is refused`() async throws {
    let apple = AppleFixture(
      idToken: AppleFixture.claims(["aud": "com.example.app", "nonce": "nonce-1"]))

    let error = try await apple.provider.refusal("authorizationCode", grant.credential, settings)

    #expect(error.field == "aud")
  }

  @Test func `attack 18: a token for another request is refused`() async throws {
    let apple = AppleFixture(
      idToken: AppleFixture.claims(["aud": "com.example.web", "nonce": "other"]))

    let error = try await apple.provider.refusal("authorizationCode", grant.credential, settings)

    #expect(error.code == .missingOrInvalidNonce)
  }

  @Test(arguments: ["teamID", "keyID", "privateKey"])
  func `a field that is missing for the secret is named`(field: String) async throws {
    var values: [String: JSONValue] = [
      "clientIDs": ["com.example.web"], "teamID": "TEAM123456", "keyID": "KEY1234567",
    ]
    values[field] = nil
    let settings = ProviderSettings(
      .apple, values,
      secrets: field == "privateKey" ? [:] : ["privateKey": SampleKey.p256.privatePEM])

    let error = try await AppleFixture().provider.refusal(
      "authorizationCode", grant.credential, settings)

    #expect(error.code == .operationNotAllowed)
    #expect(error.field == field)
  }

  @Test func `a private key of another kind is refused and not shown`() async throws {
    for key in [SampleKey.rsa.privatePEM, "no key at all"] {
      let settings = ProviderSettings(
        .apple,
        ["clientIDs": ["com.example.web"], "teamID": "TEAM123456", "keyID": "KEY1234567"],
        secrets: ["privateKey": key])

      let error = try await AppleFixture().provider.refusal(
        "authorizationCode", grant.credential, settings)

      #expect(error.code == .operationNotAllowed)
      #expect(error.field == "privateKey")
      #expect(!error.debugDescription.contains(key))
    }
  }

  @Test func `revoking an app's code exchanges it as the app and revokes both tokens`()
    async throws
  {
    let apple = AppleFixture()

    try await apple.provider.revoke(
      .authorizationCode(Secret("device-code"), redirectURI: nil), .test(settings))

    let exchanged = try #require(apple.vendor.requests(to: AppleFixture.tokenURL).first).fields
    #expect(exchanged["client_id"] == "com.example.app")
    #expect((exchanged["redirect_uri"] ?? "").isEmpty)
    let revoked = apple.vendor.requests(to: AppleFixture.revocationURL).map(\.fields)
    #expect(revoked.map { $0["token"] } == ["apple-refresh", "apple-access"])
    #expect(revoked.map { $0["token_type_hint"] } == ["refresh_token", "access_token"])
    #expect(revoked.allSatisfy { $0["client_id"] == "com.example.app" })
  }

  @Test func `revoking a token sends it as the service`() async throws {
    let apple = AppleFixture()

    try await apple.provider.revoke(.refreshToken(Secret("r")), .test(settings))

    let revoked = try #require(apple.vendor.requests(to: AppleFixture.revocationURL).first).fields
    #expect(revoked["token"] == "r")
    #expect(revoked["client_id"] == "com.example.web")
  }

  @Test func `a refresh gives the same person`() async throws {
    let apple = AppleFixture(
      idToken: AppleFixture.claims(["aud": "com.example.web", "nonce": nil]))

    let identity = try await apple.provider.refresh(
      Secret("apple-refresh"), of: IdentityKey(.apple, subject: AppleFixture.subject),
      .test(settings))

    #expect(identity.key?.subject == AppleFixture.subject)
  }

  @Test func `attack 20: a refresh that speaks of another person is refused`() async throws {
    let apple = AppleFixture(idToken: AppleFixture.claims(["aud": "com.example.web"]))

    let error = await #expect(throws: AuthError.self) {
      try await apple.provider.refresh(
        Secret("apple-refresh"), of: IdentityKey(.apple, subject: "somebody else"),
        .test(settings))
    }

    #expect(error?.code == .userMismatch)
  }
}
