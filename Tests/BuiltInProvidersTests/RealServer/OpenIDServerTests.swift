import AuthCore
import AuthTesting
import BuiltInProviders
import HTTPClientTransport
import Testing

@Suite(.serialized)
struct `A real OpenID provider` {
  typealias Provider = any AuthProvider & AuthorizationFlow & Refreshing & Revoking

  private static let id = ProviderID("oidc.canaille")

  private func family(_ transport: any HTTPTransport) -> OIDCFamily {
    OIDCFamily(
      transport: transport, keys: KeyCache(transport: transport),
      discovery: DiscoveryCache(transport: transport))
  }

  private func withTransport(_ body: (HTTPClientTransport) async throws -> Void) async throws {
    let transport = HTTPClientTransport()
    let outcome: Result<Void, any Error>
    do {
      outcome = .success(try await body(transport))
    } catch {
      outcome = .failure(error)
    }
    try await transport.shutdown()
    try outcome.get()
  }

  private func withProvider(
    _ server: OpenIDServer, _ body: (Provider, VerificationContext) async throws -> Void
  ) async throws {
    try await withTransport { transport in
      let provider = try #require(family(transport).provider(Self.id) as? Provider)
      try await body(provider, .test(server.settings, at: .now()))
    }
  }

  private func grant(_ name: String) -> AuthorizationGrant {
    AuthorizationGrant(
      state: "state-\(name)", nonce: "nonce-\(name)",
      codeVerifier: Secret("verifier-\(name)-0123456789-0123456789-0123456789"),
      redirectURI: OpenIDServer.redirectURI)
  }

  private func fields(_ grant: AuthorizationGrant, code: String) -> [String: String] {
    [
      "code": code, "redirectURI": grant.redirectURI, "nonce": grant.nonce,
      "codeVerifier": grant.codeVerifier.reveal(),
    ]
  }

  @Test(arguments: [("confidential", "RS256"), ("public", "ES256")])
  func `a person signs in with discovery, code and PKCE`(
    kind: String, algorithm: String
  ) async throws {
    try await OpenIDServer.run(kind, algorithm: algorithm) { server in
      try await withProvider(server) { provider, context in
        let grant = grant(kind)

        let url = try await provider.authorizationURL(grant, context)
        let callback = try server.browse(url)
        let issuer = try await provider.callbackIssuer(context)
        let identity = try await provider.verify(
          "authorizationCode", fields(grant, code: try #require(callback["code"])),
          server.settings, at: .now())

        #expect(callback["state"] == grant.state)
        #expect(issuer == CallbackIssuer(server.description.issuer, isRequired: true))
        #expect(callback["iss"] == server.description.issuer)
        #expect(
          identity.key
            == IdentityKey(Self.id, subject: server.description.person.subject))
        #expect(identity.profile.displayName == server.description.person.name)
        #expect(identity.email?.text == server.description.person.email)
        // This provider says nothing about its addresses, so none counts as verified.
        #expect(!identity.emailVerified)
        #expect(!identity.uses.isEmpty)
      }
    }
  }

  @Test func `a person is the same account the second time, and a callback is good once`()
    async throws
  {
    // Without randomness in the signature, Canaille makes the same access token twice in one second.
    try await OpenIDServer.run("confidential", algorithm: "ES256") { server in
      try await withTransport { transport in
        let home = GraphHome(families: [family(transport)])
        let (graph, anyone) = (home.graph, home.anyone)
        _ = try await graph.configure(
          Self.id, values: server.values,
          secrets: ["clientSecret": Secret(server.description.clientSecret ?? "")],
          by: home.admin)
        func callback() async throws -> [String: String] {
          let begun = try await graph.beginAuthorization(
            Self.id, redirectURI: OpenIDServer.redirectURI, session: "browser", by: anyone)
          return try server.browse(begun.url)
        }
        func signIn(_ callback: [String: String]) async throws -> SignInResult {
          let finished = try await graph.finishAuthorization(
            Self.id, callback: callback, redirectURI: OpenIDServer.redirectURI,
            session: "browser", by: anyone)
          return try await graph.signIn(finished.credential, by: anyone)
        }
        let (once, again) = (try await callback(), try await callback())

        let first = try await signIn(once)
        let second = try await signIn(again)
        let replay = await #expect(throws: AuthError.self) { try await signIn(once) }

        #expect(first.isNewUser)
        #expect(!second.isNewUser)
        #expect(first.account.id == second.account.id)
        #expect(first.account.identities.map(\.key.subject) == [server.description.person.subject])
        #expect(replay?.step == .state)
      }
    }
  }

  @Test func `attack 18: a code is good once, and only with its verifier and its nonce`()
    async throws
  {
    // ES256 for the same reason.
    try await OpenIDServer.run("public", algorithm: "ES256") { server in
      try await withProvider(server) { provider, context in
        func code(_ grant: AuthorizationGrant) async throws -> String {
          let url = try await provider.authorizationURL(grant, context)
          return try #require(try server.browse(url)["code"])
        }
        let (first, second, third) = (grant("one"), grant("two"), grant("three"))

        var wrongVerifier = fields(first, code: try await code(first))
        wrongVerifier["codeVerifier"] = second.codeVerifier.reveal()
        let verifierError = try await provider.refusal(
          "authorizationCode", wrongVerifier, server.settings, at: .now())
        var wrongNonce = fields(second, code: try await code(second))
        wrongNonce["nonce"] = first.nonce
        let nonceError = try await provider.refusal(
          "authorizationCode", wrongNonce, server.settings, at: .now())
        let used = fields(third, code: try await code(third))
        _ = try await provider.verify("authorizationCode", used, server.settings, at: .now())
        let replay = try await provider.refusal(
          "authorizationCode", used, server.settings, at: .now())

        #expect(verifierError.code == .invalidCredential)
        #expect(verifierError.step == .exchange)
        #expect(nonceError.code == .missingOrInvalidNonce)
        #expect(replay.code == .invalidCredential)
        #expect(replay.step == .exchange)
      }
    }
  }

  @Test func `attack 7: a provider is refused whose document names another issuer`() async throws {
    try await OpenIDServer.run("public") { server in
      try await withProvider(server) { provider, context in
        let settings = ProviderSettings(
          Self.id,
          [
            "issuer": .string(server.description.issuer + "/"), "clientID": "authgraph-test",
            "privateHosts": server.privateHosts,
          ])

        let error = await #expect(throws: AuthError.self) {
          try await provider.authorizationURL(grant("x"), .test(settings))
        }

        #expect(error?.step != nil)
      }
    }
  }

  @Test func `attack 29: the provider is not reached if its host is not allowed`() async throws {
    try await OpenIDServer.run("public") { server in
      try await withProvider(server) { provider, context in
        let settings = ProviderSettings(
          Self.id,
          ["issuer": .string(server.description.issuer), "clientID": "authgraph-test"])

        let error = await #expect(throws: AuthError.self) {
          try await provider.authorizationURL(grant("x"), .test(settings))
        }

        // Without TLS the issuer is not even requested.
        #expect(error?.code == .operationNotAllowed)
      }
    }
  }
}
