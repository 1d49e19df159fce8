import AuthCore
import AuthTesting
import BuiltInProviders
import Testing
import TestSupport

@Suite struct `Google authorization codes` {
  let settings = GoogleFixture.settings()
  let grant = AuthorizationGrant.sample

  private func google(_ claims: JSONValue?) -> GoogleFixture {
    var tokens: [String: JSONValue] = [
      "access_token": "ya29", "token_type": "Bearer", "refresh_token": "1//r",
      "expires_in": 3599,
    ]
    tokens["id_token"] = claims.map { .string(SampleKey.rsa.sign($0)) }
    return GoogleFixture(tokens: .object(tokens))
  }

  @Test func `the person is sent with state, nonce and the challenge, never the verifier`()
    async throws
  {
    let url = try await google(nil).provider.authorizationURL(
      grant, .test(GoogleFixture.settings(["hostedDomains": ["example.com"]])))

    let fields = url.queryFields
    #expect(url.hasPrefix("https://accounts.google.com/o/oauth2/v2/auth?"))
    #expect(fields["client_id"] == "web.example")
    #expect(fields["redirect_uri"] == grant.redirectURI)
    #expect(fields["state"] == grant.state)
    #expect(fields["nonce"] == grant.nonce)
    #expect(fields["scope"] == "openid email profile")
    #expect(fields["code_challenge_method"] == "S256")
    #expect(fields["login_hint"] == "ada@example.com")
    #expect(fields["hd"] == "example.com")
    #expect(!url.contains(grant.codeVerifier.reveal()))
  }

  @Test func `a code is exchanged with the verifier and the secret`() async throws {
    let google = google(GoogleFixture.claims(["nonce": "nonce-1"]))

    let identity = try await google.provider.verify(
      "authorizationCode", grant.credential, settings)

    #expect(identity.key == IdentityKey(.google, subject: "1122"))
    #expect(!identity.uses.isEmpty)
    let sent = try #require(google.vendor.requests(to: GoogleFixture.tokenURL).first).fields
    #expect(sent["code"] == "code-1")
    #expect(sent["code_verifier"] == grant.codeVerifier.reveal())
    #expect(sent["redirect_uri"] == grant.redirectURI)
    #expect(sent["client_id"] == "web.example")
    #expect(sent["client_secret"] == "the client's secret")
  }

  @Test(arguments: ["another nonce", nil] as [JSONValue?])
  func `attack 18: an ID token for another request is refused`(nonce: JSONValue?) async throws {
    let google = google(GoogleFixture.claims(["nonce": nonce]))

    let error = try await google.provider.refusal("authorizationCode", grant.credential, settings)

    #expect(error.code == .missingOrInvalidNonce)
  }

  @Test func `attack 18: a code without the nonce of its request is refused before it is used`()
    async throws
  {
    let google = google(GoogleFixture.claims())
    var fields = grant.credential
    fields["nonce"] = nil

    let error = try await google.provider.refusal("authorizationCode", fields, settings)

    #expect(error.field == "nonce")
    #expect(google.vendor.requests.isEmpty)
  }

  @Test func `an answer without ID token is refused`() async throws {
    let error = try await google(nil).provider.refusal(
      "authorizationCode", grant.credential, settings)

    #expect(error.code == .invalidCredential)
    #expect(error.step == .exchange)
  }

  @Test func `without the secret there are no codes, and the error names the field`() async throws {
    let settings = ProviderSettings(.google, ["clientIDs": ["web.example"]])

    let error = try await google(nil).provider.refusal(
      "authorizationCode", grant.credential, settings)

    #expect(error.code == .operationNotAllowed)
    #expect(error.field == "clientSecret")
  }

  @Test func `a refresh gives the same person`() async throws {
    let google = google(GoogleFixture.claims(["email": "new@example.com"]))

    let identity = try await google.provider.refresh(
      Secret("1//r"), of: IdentityKey(.google, subject: "1122"), .test(settings))

    #expect(identity.profile.email == "new@example.com")
  }

  @Test func `attack 20: a refresh that speaks of another person is refused`() async throws {
    let key = IdentityKey(.google, subject: "1122")

    let byToken = await #expect(throws: AuthError.self) {
      try await google(GoogleFixture.claims(["sub": "3344"])).provider.refresh(
        Secret("1//r"), of: key, .test(settings))
    }
    let byProfile = await #expect(throws: AuthError.self) {
      try await google(nil).provider.refresh(
        Secret("1//r"), of: IdentityKey(.google, subject: "3344"), .test(settings))
    }

    #expect(byToken?.code == .userMismatch)
    #expect(byProfile?.code == .userMismatch)
  }

  @Test func `revoking a code revokes both tokens, and a token itself`() async throws {
    let google = google(nil)

    try await google.provider.revoke(
      .authorizationCode(Secret("c"), redirectURI: grant.redirectURI), .test(settings))
    try await google.provider.revoke(.accessToken(Secret("direct")), .test(settings))

    let tokens = google.vendor.requests(to: GoogleFixture.revocationURL).map { $0.fields["token"] }
    #expect(tokens == ["1//r", "ya29", "direct"])
  }
}
