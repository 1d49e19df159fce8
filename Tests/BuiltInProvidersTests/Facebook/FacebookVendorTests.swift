import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Testing

@Suite struct `Facebook over loopback` {
  private func settings(_ facebook: FakeFacebook) -> ProviderSettings {
    ProviderSettings(
      ProviderID("facebook.com"), facebook.providerValues,
      secrets: facebook.providerSecrets.mapValues { $0.reveal() })
  }

  private func withFacebook(
    _ body: (FakeFacebook, DeclaredProvider, ProviderSettings) async throws -> Void
  ) async throws {
    try await overLoopback(to: try await FakeFacebook.start()) { facebook, transport in
      let provider = DeclaredProvider(
        .facebook, transport: transport, keys: KeyCache(transport: transport))
      try await body(facebook, provider, settings(facebook))
    }
  }

  @Test func `the three kinds of credentials give one person`() async throws {
    try await withFacebook { facebook, provider, settings in
      let idToken = try facebook.idToken(for: .ada, nonce: "app-nonce-93d2")
      let accessToken = facebook.accessToken(for: .ada)
      let callback = try await provider.signIn(.ada, at: facebook, settings)

      let identities = [
        try await provider.verify(
          "limitedLogin", ["idToken": idToken, "nonce": "app-nonce-93d2"], settings, at: .now()),
        try await provider.verify(
          "accessToken", ["accessToken": accessToken], settings, at: .now()),
        try await provider.verify("authorizationCode", callback, settings, at: .now()),
      ]

      for identity in identities {
        #expect(identity.key?.subject == FakePerson.ada.subject)
        #expect(identity.email?.text == FakePerson.ada.email)
        #expect(!identity.emailVerified)
        #expect(identity.profile.displayName == FakePerson.ada.name)
      }
    }
  }

  @Test func `attack 14: tokens of another developer's app are refused`() async throws {
    try await withFacebook { facebook, provider, settings in
      let foreign = FakeClient.foreign.id

      let byIDToken = try await provider.refusal(
        "limitedLogin",
        [
          "idToken": try facebook.idToken(for: .ada, audience: foreign, nonce: "app-nonce-93d2"),
          "nonce": "app-nonce-93d2",
        ],
        settings, at: .now())
      let byAccessToken = try await provider.refusal(
        "accessToken", ["accessToken": facebook.accessToken(for: .ada, clientID: foreign)],
        settings, at: .now())

      #expect(byIDToken.field == "aud")
      #expect(byAccessToken.field == "app_id")
    }
  }

  @Test func `a token whose permissions were revoked is refused`() async throws {
    try await withFacebook { facebook, provider, settings in
      let token = facebook.accessToken(for: .ada)

      try await provider.revoke(.accessToken(Secret(token)), .test(settings, at: .now()))

      #expect(!facebook.isGood(token: token))
    }
  }
}
