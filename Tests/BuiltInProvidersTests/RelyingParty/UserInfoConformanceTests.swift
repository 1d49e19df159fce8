import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Testing

/// The cases of OpenID's conformance profiles about profiles; ``RelyingParty`` has the list of all cases.
@Suite struct `Relying party: userinfo` {
  /// An ID token that says nothing of the person, so that userinfo is asked.
  private static let thin = RelyingParty.Lie.claims([
    "email": .null, "email_verified": .null, "name": .null, "picture": .null,
  ])

  @Test func `rp-userinfo-bearer-header: the access token is sent in the header alone`()
    async throws
  {
    try await RelyingParty.run { party in
      try await party.signIn(.code, Self.thin)

      let request = try #require(party.vendor.server.requests(to: "/userinfo").first)
      let token = try #require(request.bearerToken)
      #expect(party.vendor.isGood(token: token))
      #expect(request.method == "GET")
      #expect(request.query.isEmpty && request.form.isEmpty && request.body.isEmpty)
    }
  }

  @Test func `rp-userinfo-bad-sub-claim: a profile of another subject is refused`() async throws {
    try await RelyingParty.run { party in
      party.vendor.misbehave {
        $0.profilePerson = .bo
        $0.idTokenClaims = ["email": .null]
      }
      let callback = try await party.provider.signIn(.ada, at: party.vendor, party.settings)

      let error = try await party.provider.refusal(
        "authorizationCode", callback, party.settings, at: party.clock.now)

      #expect(error.code == .invalidCredential)
      #expect(error.field == "sub")
      #expect(error.step == .profile)
    }
  }

  @Test func `rp-scope-userinfo-claims: the scopes openid, email and profile give the profile`()
    async throws
  {
    try await RelyingParty.run { party in
      let identity = try await party.signIn(.code, Self.thin)

      let request = try #require(party.vendor.server.requests(to: "/authorize").first)
      #expect(request.query["scope"] == "openid email profile")
      #expect(identity.key?.subject == FakePerson.ada.subject)
      #expect(identity.email?.text == FakePerson.ada.email)
      #expect(identity.emailVerified)
      #expect(identity.profile.displayName == FakePerson.ada.name)
      #expect(identity.profile.photoURL == FakePerson.ada.picture)
    }
  }

  @Test(arguments: ["id_token", "userinfo"])
  func `rp-claims_request-id_token and rp-claims_request-userinfo: an app's claims are asked for`(
    member: String
  ) async throws {
    try await RelyingParty.run { party in
      let claims = JSONValue.object([member: ["acr": ["essential": true]]]).text

      let callback = try await party.provider.signIn(
        .ada, at: party.vendor, party.settings, parameters: ["claims": claims])
      _ = try await party.provider.verify(
        "authorizationCode", callback, party.settings, at: party.clock.now)

      let request = try #require(party.vendor.server.requests(to: "/authorize").first)
      #expect(request.query["claims"] == claims)
    }
  }
}
