import AuthCore
import AuthTesting
import FakeVendors
import TestSupport
import Testing

@testable import IdentityToolkitService

/// Hostile tokens over HTTP, which production must refuse.
@Suite(.serialized) struct `Attacks with tokens of identity providers` {
  static let vendors: [ProviderID] = [.google, .apple, ProviderID("facebook.com"), Federation.work]
  static let address: [HostileToken] = [
    .emailVerifiedFalse, .emailVerifiedTextFalse, .emailVerifiedNumber, .emailVerifiedYes,
    .emailVerifiedAbsent,
  ]
  static let signatures: [HostileToken] = [
    .algorithmNone, .algorithmNoneOddCase, .hs256WithPublicKey, .hs256WithKeyNumber,
    .emptySignature, .corruptedSignature, .tamperedPayload, .notThreeParts, .notAToken,
  ]
  static let keys: [HostileToken] = [
    .foreignSignature, .unknownKeyID, .keyIDTraversal, .duplicateKeyID, .keyOfAnotherType,
    .jkuHeader, .x5uHeader, .jwkHeader, .critHeader,
  ]
  static let claims: [HostileToken] = [
    .wrongIssuer, .issuerMissing, .wrongAudience, .audienceMissing, .audienceEmpty,
    .untrustedAudienceToo, .expired, .expiryMissing, .notYetValid, .subjectMissing, .subjectEmpty,
    .subjectNumeric,
  ]

  @Test(arguments: [ProviderID.google, Federation.work], address)
  func `attack 5: an address that the provider did not verify enters no account`(
    _ provider: ProviderID, _ token: HostileToken
  ) async throws {
    try await withFederation(.production) { home in
      try await home.trust(provider)
      let id = try await home.account(email: "ada@example.com", verified: true)
      let attacker = FakePerson(subject: "666", email: "ada@example.com")

      let reply = try await home.signIn(
        postBody: try home.postBody(provider, attacker, hostile: token))

      #expect(reply.json["idToken"] == nil)
      #expect(try await home.stored(id).identities(of: provider).isEmpty)
    }
  }

  @Test(arguments: [JSONValue.bool(false), "false", "yes", .null, .integer(0), [true]])
  func `attack 5: an unverified address enters no account of the emulator`(_ word: JSONValue)
    async throws
  {
    try await withFederation(.emulator) { home in
      let id = try await home.account(email: "ada@example.com", verified: true)

      let reply = try await home.signIn(
        .google, FakePerson(subject: "666", email: "ada@example.com"),
        claims: ["email_verified": word])

      expectNoTokens(reply)
      #expect(reply.json["needConfirmation"] == true)
      #expect(try await home.stored(id).identities(of: .google).isEmpty)
    }
  }

  @Test func `attack 6: an address that the holder may change is no identity`() async throws {
    try await withFederation(.production) { home in
      try await home.trust(Federation.work)
      let first = try await home.signIn(
        Federation.work, FakePerson(subject: "tenant-1|ada", email: "ada@example.com"))

      let reply = try await home.signIn(
        Federation.work, FakePerson(subject: "tenant-2|mallory", email: "ada@example.com"))

      #expect(reply.json["idToken"] == nil)
      #expect(reply.json["needConfirmation"] == true)
      #expect(try await home.stored(first).identities.count == 1)
    }
  }

  @Test(arguments: vendors)
  func `attack 7: the token of another issuer is refused without asking that issuer`(
    _ provider: ProviderID
  ) async throws {
    try await withFederation(.production) { home in
      let clock = home.server.clock
      var configuration = FakeOIDC.Configuration()
      configuration.clock = { clock.now }
      let attacker = try await FakeOIDC.start(configuration)
      let token = try attacker.idToken(for: .ada, nonce: "n")

      let reply = try await home.signIn(
        postBody: "providerId=\(provider)&id_token=\(token)&nonce=n")
      let requests = attacker.server.requests
      await attacker.stop()

      expectFailure(reply, "INVALID_IDP_RESPONSE")
      #expect(requests.isEmpty)
    }
  }

  @Test func `attack 8: a pending token of one identity links no other`() async throws {
    try await withFederation(.production) { home in
      let id = try await home.account(email: "ada@example.com", verified: true)
      let refused = try await home.signIn(.google, .ada)
      let token = try await home.session(email: "ada@example.com")
      let other = FakePerson(subject: "another", email: "ada@example.com")

      let reply = try await home.signIn(
        postBody: try home.postBody(.google, other),
        ["pendingToken": .string(try refused.text("pendingToken")), "idToken": .string(token)])

      expectTokens(reply)
      let subjects = try await home.stored(id).identities(of: .google).map(\.key.subject)
      #expect(subjects == [FakePerson.ada.subject])
    }
  }

  @Test(arguments: vendors, claims)
  func `attack 14: a token that was made for something else is refused`(
    _ provider: ProviderID, _ token: HostileToken
  ) async throws {
    try await expectRefusal(of: token, by: provider)
  }

  @Test(arguments: [ProviderID.google, ProviderID("facebook.com")])
  func `attack 14: an access token of another app is refused`(
    _ provider: ProviderID
  ) async throws {
    try await withFederation(.production) { home in
      let token = home.vendor(provider).accessToken(for: .ada, clientID: FakeClient.foreign.id)

      let reply = try await home.signIn(
        postBody: "providerId=\(provider)&access_token=\(URLText.escaped(token))")

      expectFailure(reply, "INVALID_IDP_RESPONSE")
      #expect(try await home.accountCount() == 0)
    }
  }

  @Test func `attack 15: an identity does not depend on its address`() async throws {
    try await withFederation(.production) { home in
      let first = try await home.signIn(
        .apple, FakePerson(subject: "a", email: "ada@example.com"))
      let moved = try await home.signIn(.apple, FakePerson(subject: "a", email: "new@example.com"))
      #expect(moved.json["localId"] == first.json["localId"])

      let other = try await home.signIn(
        .apple, FakePerson(subject: "b", email: "ada@example.com"))
      #expect(other.json["idToken"] == nil)
      #expect(try await home.stored(first).identities.map(\.key.subject) == ["a"])
    }
  }

  @Test(arguments: vendors, signatures)
  func `attack 16: a token without the vendor's signature is refused`(
    _ provider: ProviderID, _ token: HostileToken
  ) async throws {
    try await expectRefusal(of: token, by: provider)
  }

  @Test(arguments: vendors, keys)
  func `attack 17: a token does not choose its key`(
    _ provider: ProviderID, _ token: HostileToken
  ) async throws {
    try await expectRefusal(of: token, by: provider)
  }

  @Test(arguments: vendors)
  func `attack 18: a used ID token is good for its client alone, and for minutes`(
    _ provider: ProviderID
  ) async throws {
    try await withFederation(.production) { home in
      let body = try home.postBody(provider, .bo)
      let first = try await home.signIn(postBody: body)
      expectTokens(first)

      let again = try await home.signIn(postBody: body)
      expectTokens(again)
      #expect(again.json["localId"] == first.json["localId"])
      let token = try await home.anonymousSession()
      let link = try await home.signIn(
        postBody: body, ["idToken": .string(token), "returnIdpCredential": true])
      expectNoTokens(link)
      #expect(link.json["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED")
      home.server.clock.advance(seconds: 1200)
      expectFailure(try await home.signIn(postBody: body), "INVALID_IDP_RESPONSE")
    }
  }

  @Test(arguments: vendors)
  func `attack 18: a token that another client used is refused`(_ provider: ProviderID) async throws
  {
    try await withFederation(.production) { home in
      let body = try home.postBody(provider, .bo)
      expectTokens(try await home.signIn(postBody: body))
      let sent = Dictionary(
        try FormText.pairs(body, of: "postBody").map { ($0.name, $0.value) }
      ) { _, last in last }
      let credential = try home.graph.providers.credential(
        provider,
        ["idToken": "id_token", "nonce": "nonce"].compactMapValues { sent[$0] })
      let error = await expectError(.invalidCredential) {
        try await home.graph.signIn(
          credential,
          by: Caller(
            scope: home.server.scope, authority: .anyone,
            client: ClientDescription(network: "elsewhere")))
      }
      #expect(error?.step == .token)
    }
  }

  @Test func `attack 23: a reassigned address enters no account`() async throws {
    try await withFederation(.production) { home in
      try await home.trust(.google)
      let first = try await home.signIn(
        .google, FakePerson(subject: "leaver", email: "post@example.com"))

      let reply = try await home.signIn(
        .google, FakePerson(subject: "joiner", email: "post@example.com"))

      #expect(reply.json["idToken"] == nil)
      #expect(try await home.stored(first).identities.map(\.key.subject) == ["leaver"])
    }
  }

  @Test func `attack 29: a provider on a private address is not asked`() async throws {
    try await withFederation(.production) { home in
      let inner = ProviderID("oidc.inner")
      _ = try await home.graph.configure(
        inner,
        values: ["issuer": .string("https://\(home.oidc.server.host)"), "clientID": "1010101010"],
        by: home.server.admin)
      let before = home.oidc.server.requests.count
      let token = try home.oidc.idToken(for: .ada, nonce: "n")

      let reply = try await home.signIn(postBody: "providerId=oidc.inner&id_token=\(token)&nonce=n")

      #expect(reply.status == 400)
      #expect(reply.json["idToken"] == nil)
      #expect(home.oidc.server.requests.count == before)
    }
  }

  @Test func `attack 33: an untrusted provider vouches for no address`() async throws {
    let liar = FakeProvider(id: ProviderID("liar.example"), behavior: .claimsVerified)
    try await withFederation(
      .production, configure: { $0.providers = { registry, _ in registry.adding([liar]) } }
    ) { home in
      let id = try await home.account(email: "ada@example.com", verified: true)

      let reply = try await home.signIn(
        postBody: "providerId=liar.example&subject=666&email=ada@example.com")

      expectNoTokens(reply)
      #expect(reply.json["needConfirmation"] == true)
      #expect(try await home.stored(id).identities.count == 1)
    }
  }

  private func expectRefusal(of token: HostileToken, by provider: ProviderID) async throws {
    try await withFederation(.production) { home in
      let reply = try await home.signIn(
        postBody: try home.postBody(provider, .ada, hostile: token))

      expectFailure(reply, "INVALID_IDP_RESPONSE")
      #expect(try await home.accountCount() == 0)
      let server = home.vendor(provider).server
      #expect(server.requests(to: HostileToken.attackerKeysPath).isEmpty)
      #expect(server.requests(to: HostileToken.attackerCertificatePath).isEmpty)
    }
  }
}
