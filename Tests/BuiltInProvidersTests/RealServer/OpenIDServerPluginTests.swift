import AuthCore
import AuthTesting
import BuiltInProviders
import HTTPClientTransport
import LuaPlugins
import Testing

/// The same server with a plug-in of kind oidc, which only names the issuer.
@Suite(.serialized) struct `A real OpenID provider, by a plug-in` {
  private static let id = ProviderID("canaille.example")
  private static let plugin = """
    return provider {
      id = "canaille.example", name = "Canaille", kind = "oidc",
      documentation = "https://canaille.readthedocs.io",
      hosts = { "{issuer}" }, issuer = "{issuer}", algorithms = { "RS256", "ES256" },
      settings = { issuer = setting.url { "the server's address", required = true } },
    }
    """

  @Test(arguments: [("confidential", "RS256"), ("public", "ES256")])
  func `a person signs in with discovery, code, PKCE and ID token, and is the same one again`(
    kind: String, algorithm: String
  ) async throws {
    try await OpenIDServer.run(kind, algorithm: algorithm) { server in
      let transport = HTTPClientTransport()
      let provider = try LuaPlugin.provider(
        PluginSource(name: "canaille.lua", text: Self.plugin),
        host: PluginHost(transport: transport))
      let home = GraphHome([provider])
      let secret = server.description.clientSecret.map { Secret($0) }
      _ = try await home.graph.configure(
        Self.id, values: server.values, secrets: secret.map { ["clientSecret": $0] } ?? [:],
        by: home.admin)
      func signIn() async throws -> SignInResult {
        let begun = try await home.graph.beginAuthorization(
          Self.id, redirectURI: OpenIDServer.redirectURI, session: "browser", by: home.anyone)
        let finished = try await home.graph.finishAuthorization(
          Self.id, callback: try server.browse(begun.url),
          redirectURI: OpenIDServer.redirectURI, session: "browser", by: home.anyone)
        return try await home.graph.signIn(finished.credential, by: home.anyone)
      }

      let first = try await signIn()
      // Without randomness in its signature, the server makes the same access token twice in one second.
      let second = algorithm == "ES256" ? try await signIn() : first
      try await transport.shutdown()

      #expect(first.isNewUser)
      #expect(first.account.id == second.account.id)
      let identity = try #require(first.account.identities.first)
      #expect(
        identity.key == IdentityKey(Self.id, subject: server.description.person.subject))
      #expect(identity.profile.displayName == server.description.person.name)
      #expect(identity.profile.email == server.description.person.email)
      #expect(!identity.emailVerified)
    }
  }
}
