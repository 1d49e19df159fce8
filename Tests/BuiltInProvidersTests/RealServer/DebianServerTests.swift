import AuthCore
import AuthTesting
import BuiltInProviders
import HTTPClientTransport
import Testing

/// Two servers of Debian, over the whole way of a sign-in.
///
/// Glewlwyd names people by opaque subjects and puts `at_hash` and `c_hash` into tokens for codes. LemonLDAP::NG
/// offers `none` and HS256 too, and its tokens say nothing of the person, so that userinfo is asked.
@Suite(.serialized, .enabled(if: OpenIDServer.Product.canFetch))
struct `Real OpenID providers of Debian` {
  private func withGraph(
    _ server: OpenIDServer, _ body: (GraphHome) async throws -> Void
  ) async throws {
    let transport = HTTPClientTransport()
    let registry = ProviderRegistry.builtIn(transport: transport)
    let outcome: Result<Void, any Error>
    do {
      let home = GraphHome([try #require(registry[server.product.id])])
      let secret = server.description.clientSecret.map { Secret($0) }
      _ = try await home.graph.configure(
        server.product.id, values: server.values,
        secrets: secret.map { ["clientSecret": $0] } ?? [:],
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
      server.product.id, redirectURI: OpenIDServer.redirectURI, session: "browser", by: home.anyone)
    return try server.browse(begun.url)
  }

  private func signIn(
    _ callback: [String: String], _ server: OpenIDServer, _ home: GraphHome
  ) async throws -> SignInResult {
    let finished = try await home.graph.finishAuthorization(
      server.product.id, callback: callback, redirectURI: OpenIDServer.redirectURI,
      session: "browser",
      by: home.anyone)
    return try await home.graph.signIn(finished.credential, by: home.anyone)
  }

  @Test(
    arguments: [
      (.glewlwyd, "confidential", "RS256"), (.glewlwyd, "public", "ES256"),
      (.lemonLDAP, "confidential", "RS256"), (.lemonLDAP, "public", "RS256"),
    ] as [(OpenIDServer.Product, String, String)])
  func `a person signs in with discovery, code, PKCE and ID token, and is the same one again`(
    product: OpenIDServer.Product, kind: String, algorithm: String
  ) async throws {
    try await OpenIDServer.run(kind, of: product, algorithm: algorithm) { server in
      try await withGraph(server) { home in
        let first = try await signIn(callback(server, home), server, home)
        let second = try await signIn(callback(server, home), server, home)

        #expect(first.isNewUser)
        #expect(!second.isNewUser)
        #expect(first.account.id == second.account.id)
        let identity = try #require(first.account.identities.first)
        let person = server.description.person
        #expect(first.account.identities.count == 1)
        #expect((identity.key.subject == person.subject) == (product == .lemonLDAP))
        #expect(identity.profile.displayName == person.name)
        #expect(identity.profile.email == person.email)
        // Neither says that the person owns the address.
        #expect(!identity.emailVerified)
      }
    }
  }

  @Test(arguments: [OpenIDServer.Product.glewlwyd, .lemonLDAP])
  func `attack 18: a callback is good once, and only with its own state`(
    product: OpenIDServer.Product
  ) async throws {
    try await OpenIDServer.run("confidential", of: product) { server in
      try await withGraph(server) { home in
        let once = try await callback(server, home)
        var foreign = try await callback(server, home)
        foreign["state"] = "of another sign-in"
        _ = try await signIn(once, server, home)

        let replay = await #expect(throws: AuthError.self) {
          try await signIn(once, server, home)
        }
        let error = await #expect(throws: AuthError.self) {
          try await signIn(foreign, server, home)
        }

        #expect(replay?.step == .state)
        #expect(error?.step == .state)
      }
    }
  }
}
