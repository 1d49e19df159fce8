import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Testing

@Suite struct `Google over loopback` {
  private func settings(_ google: FakeGoogle) -> ProviderSettings {
    ProviderSettings(
      .google, google.providerValues, secrets: google.providerSecrets.mapValues { $0.reveal() })
  }

  private func withGoogle(
    _ body: (FakeGoogle, DeclaredProvider, ProviderSettings) async throws -> Void
  ) async throws {
    try await overLoopback(to: try await FakeGoogle.start()) { google, transport in
      let provider = DeclaredProvider(
        .google, transport: transport, keys: KeyCache(transport: transport))
      try await body(google, provider, settings(google))
    }
  }

  @Test func `the three kinds of credentials give one person`() async throws {
    try await withGoogle { google, provider, settings in
      let idToken = try google.idToken(for: .ada, nonce: "app-nonce-93d2")
      let accessToken = google.accessToken(for: .ada)
      let callback = try await provider.signIn(.ada, at: google, settings)

      let identities = [
        try await provider.verify(
          "idToken", ["idToken": idToken, "nonce": "app-nonce-93d2"], settings, at: .now()),
        try await provider.verify(
          "accessToken", ["accessToken": accessToken], settings, at: .now()),
        try await provider.verify("authorizationCode", callback, settings, at: .now()),
      ]

      for identity in identities {
        #expect(identity.key == IdentityKey(.google, subject: FakePerson.ada.subject))
        #expect(identity.email?.text == FakePerson.ada.email)
        #expect(identity.emailVerified)
        #expect(identity.profile.displayName == FakePerson.ada.name)
        #expect(identity.profile.photoURL == FakePerson.ada.picture)
      }
    }
  }

  @Test func `attack 14: tokens of another developer's app are refused`() async throws {
    try await withGoogle { google, provider, settings in
      let foreign = FakeClient.foreign.id

      let byIDToken = try await provider.refusal(
        "idToken", ["idToken": try google.idToken(for: .ada, audience: foreign)], settings,
        at: .now())
      let byAccessToken = try await provider.refusal(
        "accessToken", ["accessToken": google.accessToken(for: .ada, clientID: foreign)],
        settings, at: .now())

      #expect(byIDToken.code == .invalidCredential)
      #expect(byAccessToken.code == .invalidCredential)
      #expect(google.server.requests(to: "/v1/userinfo").isEmpty)
    }
  }

  @Test func `a revoked token is refused, and a code is good once`() async throws {
    try await withGoogle { google, provider, settings in
      let token = google.accessToken(for: .ada)
      let callback = try await provider.signIn(.ada, at: google, settings)

      try await provider.revoke(.accessToken(Secret(token)), .test(settings, at: .now()))
      _ = try await provider.verify("authorizationCode", callback, settings, at: .now())
      let replay = try await provider.refusal(
        "authorizationCode", callback, settings, at: .now())

      #expect(!google.isGood(token: token))
      #expect(replay.step == .exchange)
    }
  }

  @Test func `attack 18: an ID token signs in once, and is not used up by a refusal`() async throws
  {
    try await withGoogle { google, provider, settings in
      let home = GraphHome([provider])
      _ = try await home.graph.configure(.google, values: google.providerValues, by: home.admin)
      let builder = try #require(provider.manifest.builders.first { $0.name == "idToken" })
      let token = try google.idToken(for: .ada, nonce: "app-nonce-93d2")
      func signIn(nonce: String) async throws -> SignInResult {
        try await home.graph.signIn(
          builder.credential(for: .google, ["idToken": token, "nonce": nonce]), by: home.anyone)
      }

      let refused = await #expect(throws: AuthError.self) {
        try await signIn(nonce: "nonce-of-another-88a1")
      }
      let first = try await signIn(nonce: "app-nonce-93d2")
      let replay = await #expect(throws: AuthError.self) {
        try await signIn(nonce: "app-nonce-93d2")
      }

      #expect(refused?.code == .missingOrInvalidNonce)
      #expect(first.isNewUser)
      #expect(replay?.code == .invalidCredential)
    }
  }
}
