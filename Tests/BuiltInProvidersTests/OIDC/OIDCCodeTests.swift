import AuthCore
import AuthTesting
import BuiltInProviders
import Foundation
import Testing
import TestSupport

@Suite struct `OpenID Connect authorization codes` {
  let settings = OIDCFixture.settings()
  let grant = AuthorizationGrant.sample
  let good = OIDCFixture.claims(["nonce": "nonce-1"])

  private func flow(_ oidc: OIDCFixture) throws -> any AuthorizationFlow {
    try #require(oidc.provider as? any AuthorizationFlow)
  }

  @Test func `the person is sent to the endpoint of discovery, with PKCE`() async throws {
    let url = try await flow(OIDCFixture()).authorizationURL(grant, .test(settings))

    #expect(url.hasPrefix(OIDCFixture.issuer + "/authorize?"))
    #expect(url.queryFields["scope"] == "openid email profile")
    #expect(url.queryFields["code_challenge_method"] == "S256")
    #expect(url.queryFields["client_id"] == "authgraph")
    #expect(!url.contains(grant.codeVerifier.reveal()))
  }

  @Test func `the scopes can be configured`() async throws {
    let settings = OIDCFixture.settings(["scopes": ["openid", "groups"]])

    let url = try await flow(OIDCFixture()).authorizationURL(grant, .test(settings))

    #expect(url.queryFields["scope"] == "openid groups")
  }

  @Test func `a code is exchanged with the verifier`() async throws {
    let oidc = OIDCFixture(idToken: good)

    let identity = try await oidc.provider.verify("authorizationCode", grant.credential, settings)

    #expect(identity.key?.subject == "u-1")
    #expect(!identity.uses.isEmpty)
    let sent = try #require(oidc.vendor.requests(to: OIDCFixture.tokenURL).first)
    #expect(sent.fields["code_verifier"] == grant.codeVerifier.reveal())
  }

  @Test(
    arguments: [
      (nil, nil, "basic"), (nil, ["client_secret_post"], "post"),
      (nil, ["client_secret_post", "client_secret_basic"], "basic"),
      ("post", ["client_secret_basic"], "post"), ("none", nil, "none"), ("basic", nil, "basic"),
    ] as [(JSONValue?, JSONValue?, String)])
  func `the client proves itself as configured, or as the provider offers`(
    configured: JSONValue?, offered: JSONValue?, way: String
  ) async throws {
    let oidc = OIDCFixture(
      document: OIDCFixture.document(["token_endpoint_auth_methods_supported": offered]),
      idToken: good)
    let settings = OIDCFixture.settings(configured.map { ["clientAuthentication": $0] } ?? [:])

    _ = try await oidc.provider.verify("authorizationCode", grant.credential, settings)

    let sent = try #require(oidc.vendor.requests(to: OIDCFixture.tokenURL).first)
    #expect((sent.headerField("Authorization") != nil) == (way == "basic"))
    #expect((sent.fields["client_secret"] != nil) == (way == "post"))
  }

  @Test func `a client without secret proves itself by PKCE alone`() async throws {
    let oidc = OIDCFixture(idToken: good)

    _ = try await oidc.provider.verify(
      "authorizationCode", grant.credential, OIDCFixture.settings(secret: nil))

    let sent = try #require(oidc.vendor.requests(to: OIDCFixture.tokenURL).first)
    #expect(sent.headerField("Authorization") == nil)
    #expect(sent.fields["client_secret"] == nil)
    #expect(sent.fields["client_id"] == "authgraph")
  }

  @Test func `an unknown way to prove a client is refused`() async throws {
    let error = try await OIDCFixture().provider.refusal(
      "authorizationCode", grant.credential,
      OIDCFixture.settings(["clientAuthentication": "handshake"]))

    #expect(error.field == "clientAuthentication")
    #expect(error.code == .operationNotAllowed)
  }

  @Test(arguments: ["another nonce", nil] as [JSONValue?])
  func `attack 18: an ID token for another request is refused`(nonce: JSONValue?) async throws {
    let oidc = OIDCFixture(idToken: OIDCFixture.claims(["nonce": nonce]))

    let error = try await oidc.provider.refusal("authorizationCode", grant.credential, settings)

    #expect(error.code == .missingOrInvalidNonce)
  }

  @Test func `attack 18: the digest of the nonce does not match the nonce`() async throws {
    let oidc = OIDCFixture(
      idToken: OIDCFixture.claims(["nonce": .string("nonce-1".sha256Hex)]))

    let error = try await oidc.provider.refusal("authorizationCode", grant.credential, settings)

    #expect(error.code == .missingOrInvalidNonce)
  }

  @Test func `attack 19: a profile of another subject than the exchanged token is refused`()
    async throws
  {
    let oidc = OIDCFixture(
      userInfo: ["sub": "u-2", "email": "eve@example.com"],
      idToken: OIDCFixture.claims(["nonce": "nonce-1", "email": nil]))

    let error = try await oidc.provider.refusal("authorizationCode", grant.credential, settings)

    #expect(error.step == .profile)
  }

  @Test func `attack 13: the callback has to name the issuer if the provider promises it`()
    async throws
  {
    let promised = try await flow(OIDCFixture()).callbackIssuer(.test(settings))
    let silent = try await flow(
      OIDCFixture(
        document: OIDCFixture.document([
          "authorization_response_iss_parameter_supported": nil
        ]))
    ).callbackIssuer(.test(settings))

    #expect(promised == CallbackIssuer(OIDCFixture.issuer, isRequired: true))
    #expect(silent == CallbackIssuer(OIDCFixture.issuer, isRequired: false))
  }

  @Test func `a complete configuration needs no discovery document`() async throws {
    let oidc = OIDCFixture(idToken: good)
    let settings = OIDCFixture.settings([
      "endpoints": [
        "authorize": "https://id.example/a", "token": .string(OIDCFixture.tokenURL),
        "keys": .string(OIDCFixture.keysURL),
      ]
    ])

    let url = try await flow(oidc).authorizationURL(grant, .test(settings))
    _ = try await oidc.provider.verify("authorizationCode", grant.credential, settings)

    #expect(url.hasPrefix("https://id.example/a?"))
    #expect(oidc.vendor.requests(to: OIDCFixture.discoveryURL).isEmpty)
  }

  @Test func `a refresh gives the same person, by token or by profile`() async throws {
    let key = IdentityKey(ProviderID("oidc.work"), subject: "u-1")
    let byToken = try #require(OIDCFixture(idToken: good).provider as? any Refreshing)
    let byProfile = try #require(
      OIDCFixture(userInfo: ["sub": "u-1", "name": "Ada"]).provider as? any Refreshing)

    let first = try await byToken.refresh(Secret("rt-1"), of: key, .test(settings))
    let second = try await byProfile.refresh(Secret("rt-1"), of: key, .test(settings))

    #expect(first.key == key)
    #expect(second.key == key)
    #expect(second.profile.displayName == "Ada")
  }

  @Test func `attack 20: a refresh that speaks of another person is refused`() async throws {
    let key = IdentityKey(ProviderID("oidc.work"), subject: "u-1")
    let swapped = [
      OIDCFixture(idToken: OIDCFixture.claims(["sub": "u-2"])),
      OIDCFixture(userInfo: ["sub": "u-2"]),
    ]

    for oidc in swapped {
      let provider = try #require(oidc.provider as? any Refreshing)
      let error = await #expect(throws: AuthError.self) {
        try await provider.refresh(Secret("rt-1"), of: key, .test(settings))
      }
      #expect(error?.code == .userMismatch)
    }
  }

  @Test func `revoking goes to the endpoint of discovery, or is not allowed`() async throws {
    let oidc = OIDCFixture()
    let without = OIDCFixture(document: OIDCFixture.document(["revocation_endpoint": nil]))

    try await #require(oidc.provider as? any Revoking).revoke(
      .refreshToken(Secret("rt-1")), .test(settings))
    let error = await #expect(throws: AuthError.self) {
      try await #require(without.provider as? any Revoking).revoke(
        .refreshToken(Secret("rt-1")), .test(settings))
    }

    let sent = try #require(oidc.vendor.requests(to: OIDCFixture.revocationURL).first).fields
    #expect(sent["token"] == "rt-1")
    #expect(sent["token_type_hint"] == "refresh_token")
    #expect(error?.code == .operationNotAllowed)
  }
}
