import AuthCore
import AuthTesting
import BuiltInProviders
import HTTPClientTransport
import Testing

/// Glewlwyd, which names people by opaque subjects, puts `at_hash` and `c_hash` into tokens for codes, and says
/// nothing about the verification of addresses.
@Suite(.serialized, .enabled(if: OpenIDServer.Product.hasGlewlwyd))
struct `A real OpenID provider of Debian` {
  private static let id = ProviderID("oidc.glewlwyd")

  private func withGraph(
    _ server: OpenIDServer, _ body: (GraphHome) async throws -> Void
  ) async throws {
    let transport = HTTPClientTransport()
    let registry = ProviderRegistry.builtIn(transport: transport)
    let outcome: Result<Void, any Error>
    do {
      let home = GraphHome([try #require(registry[Self.id])])
      let secret = server.description.clientSecret.map { Secret($0) }
      _ = try await home.graph.configure(
        Self.id, values: server.values, secrets: secret.map { ["clientSecret": $0] } ?? [:],
        by: home.admin)
      outcome = .success(try await body(home))
    } catch {
      outcome = .failure(error)
    }
    try await transport.shutdown()
    try outcome.get()
  }

  private func callback(
    _ server: OpenIDServer, _ home: GraphHome
  ) async throws -> [String: String] {
    let begun = try await home.graph.beginAuthorization(
      Self.id, redirectURI: OpenIDServer.redirectURI, session: "browser", by: home.anyone)
    return try server.browse(begun.url)
  }

  private func signIn(
    _ callback: [String: String], _ home: GraphHome
  ) async throws -> SignInResult {
    let finished = try await home.graph.finishAuthorization(
      Self.id, callback: callback, redirectURI: OpenIDServer.redirectURI, session: "browser",
      by: home.anyone)
    return try await home.graph.signIn(finished.credential, by: home.anyone)
  }

  @Test(arguments: [("confidential", "RS256"), ("public", "ES256")])
  func `a person signs in with discovery, code, PKCE and ID token, and is the same one again`(
    kind: String, algorithm: String
  ) async throws {
    try await OpenIDServer.run(kind, of: .glewlwyd, algorithm: algorithm) { server in
      try await withGraph(server) { home in
        let first = try await signIn(callback(server, home), home)
        let second = try await signIn(callback(server, home), home)

        #expect(first.isNewUser)
        #expect(!second.isNewUser)
        #expect(first.account.id == second.account.id)
        let identity = try #require(first.account.identities.first)
        #expect(first.account.identities.count == 1)
        #expect(!identity.key.subject.isEmpty)
        #expect(identity.key.subject != server.description.person.subject)
        #expect(identity.profile.displayName == server.description.person.name)
        #expect(identity.profile.email == server.description.person.email)
        #expect(!identity.emailVerified)
      }
    }
  }

  @Test func `attack 18: a callback is good once, and only with its own state`() async throws {
    try await OpenIDServer.run("confidential", of: .glewlwyd) { server in
      try await withGraph(server) { home in
        let once = try await callback(server, home)
        var foreign = try await callback(server, home)
        foreign["state"] = "of another sign-in"
        _ = try await signIn(once, home)

        let replay = await #expect(throws: AuthError.self) { try await signIn(once, home) }
        let error = await #expect(throws: AuthError.self) { try await signIn(foreign, home) }

        #expect(replay?.step == .state)
        #expect(error?.step == .state)
      }
    }
  }
}
