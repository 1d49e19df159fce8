import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Testing

@Suite struct `Apple over loopback` {
  private func settings(_ apple: FakeApple) -> ProviderSettings {
    ProviderSettings(
      .apple, apple.providerValues,
      secrets: apple.providerSecrets.mapValues { $0.reveal() })
  }

  private func withApple(
    _ configuration: FakeApple.Configuration = .init(),
    _ body: (FakeApple, DeclaredProvider, ProviderSettings) async throws -> Void
  ) async throws {
    try await overLoopback(to: try await FakeApple.start(configuration)) { apple, transport in
      let provider = DeclaredProvider(
        .apple, transport: transport, keys: KeyCache(transport: transport))
      try await body(apple, provider, settings(apple))
    }
  }

  @Test(arguments: [FakeApple.FlagSpelling.text, .boolean])
  func `both kinds of credentials give one person, with flags in any spelling`(
    flags: FakeApple.FlagSpelling
  ) async throws {
    var configuration = FakeApple.Configuration()
    configuration.flags = flags
    try await withApple(configuration) { apple, provider, settings in
      let idToken = try apple.idToken(for: .ada, nonce: "app-nonce-93d2")
      let callback = try await provider.signIn(.ada, at: apple, settings)

      let identities = [
        try await provider.verify(
          "idToken", ["idToken": idToken, "nonce": "app-nonce-93d2"], settings, at: .now()),
        try await provider.verify("authorizationCode", callback, settings, at: .now()),
      ]

      for identity in identities {
        #expect(identity.key == IdentityKey(.apple, subject: FakePerson.ada.subject))
        #expect(identity.email?.text == FakePerson.ada.email)
        #expect(identity.emailVerified)
        #expect(!identity.uses.isEmpty)
      }
    }
  }

  @Test func `attack 14: a token for another developer's app is refused`() async throws {
    try await withApple { apple, provider, settings in
      let token = try apple.idToken(
        for: .ada, audience: FakeClient.foreign.id, nonce: "app-nonce-93d2")

      let error = try await provider.refusal(
        "idToken", ["idToken": token, "nonce": "app-nonce-93d2"], settings, at: .now())

      #expect(error.field == "aud")
    }
  }

  @Test func `a code is revoked with a secret that Apple takes`() async throws {
    try await withApple { apple, provider, settings in
      // Apps on a device get their codes in this way: without PKCE.
      let url = URLText.adding(
        [
          ("response_type", "code"), ("client_id", FakeClient.web.id), ("state", "state"),
          ("redirect_uri", "https://app.example/callback"), ("scope", "openid email"),
          ("response_mode", "form_post"),
        ], to: apple.authorizationURL)
      let code = try #require(try await apple.authorize(url, as: .ada).code)

      try await provider.revoke(
        .authorizationCode(Secret(code), redirectURI: "https://app.example/callback"),
        .test(settings, at: .now()))

      #expect(apple.server.requests(to: "/auth/revoke").count == 2)
    }
  }
}
