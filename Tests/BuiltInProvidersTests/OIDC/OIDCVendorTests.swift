import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Testing

@Suite struct `OpenID Connect over loopback` {
  typealias Provider = any AuthProvider & AuthorizationFlow & Refreshing & Revoking

  private func withOIDC(
    _ configuration: FakeOIDC.Configuration = .init(),
    _ body: (FakeOIDC, Provider, ProviderSettings) async throws -> Void
  ) async throws {
    try await overLoopback(to: try await FakeOIDC.start(configuration)) { oidc, transport in
      let family = OIDCFamily(
        transport: transport, keys: KeyCache(transport: transport),
        discovery: DiscoveryCache(transport: transport))
      let provider = try #require(family.provider(ProviderID("oidc.fake")) as? Provider)
      let settings = ProviderSettings(
        ProviderID("oidc.fake"), oidc.providerValues,
        secrets: oidc.providerSecrets.mapValues { $0.reveal() })
      try await body(oidc, provider, settings)
    }
  }

  @Test(arguments: [SigningAlgorithm.rs256, .es256], ["", "/realms/work"])
  func `a person signs in with discovery, code and PKCE`(
    algorithm: SigningAlgorithm, path: String
  ) async throws {
    var configuration = FakeOIDC.Configuration()
    configuration.algorithm = algorithm
    configuration.path = path
    try await withOIDC(configuration) { oidc, provider, settings in
      let callback = try await provider.signIn(.ada, at: oidc, settings)

      let identity = try await provider.verify("authorizationCode", callback, settings, at: .now())

      #expect(
        identity.key == IdentityKey(ProviderID("oidc.fake"), subject: FakePerson.ada.subject))
      #expect(identity.email?.text == FakePerson.ada.email)
      #expect(identity.emailVerified)
    }
  }

  @Test func `attack 14: a token for another client is refused`() async throws {
    try await withOIDC { oidc, provider, settings in
      let token = try oidc.idToken(for: .ada, audience: FakeClient.foreign.id)

      let error = try await provider.refusal("idToken", ["idToken": token], settings, at: .now())

      #expect(error.field == "aud")
    }
  }

  @Test func `attack 19: a profile of another person is refused`() async throws {
    try await withOIDC { oidc, provider, settings in
      let quiet = FakePerson(subject: "quiet", name: "Quiet")
      let callback = try await provider.signIn(quiet, at: oidc, settings)
      oidc.misbehave { $0.profilePerson = .bo }

      let error = try await provider.refusal(
        "authorizationCode", callback, settings, at: .now())

      #expect(error.code == .invalidCredential)
      #expect(error.step == .profile)
    }
  }
}
