import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Testing

/// The cases of OpenID's conformance profiles about codes; ``RelyingParty`` has the list of all cases.
@Suite struct `Relying party: exchange` {
  @Test func `rp-response_type-code: a code is asked for and exchanged`() async throws {
    try await RelyingParty.run { party in
      let identity = try await party.signIn(.code)

      let request = try #require(party.vendor.server.requests(to: "/authorize").first)
      let exchange = try #require(party.vendor.server.requests(to: "/token").first)
      #expect(request.query["response_type"] == "code")
      #expect(exchange.form["grant_type"] == "authorization_code")
      #expect(identity.key?.subject == FakePerson.ada.subject)
    }
  }

  /// A person's way through a browser that posts the answer to the app.
  private func post(
    consenting isConsenting: Bool, _ party: RelyingParty
  ) async throws -> SignInResult {
    let home = GraphHome([party.provider])
    let redirectURI = "https://app.example/callback"
    _ = try await home.graph.configure(
      RelyingParty.id, values: party.vendor.providerValues,
      secrets: party.vendor.providerSecrets, by: home.admin)
    let begun = try await home.graph.beginAuthorization(
      RelyingParty.id, redirectURI: redirectURI, session: "browser",
      parameters: ["response_mode": "form_post"], by: home.anyone)
    let answer = try await party.vendor.authorize(
      begun.url, as: .ada, consenting: isConsenting)
    #expect(answer.mode == .formPost)
    let form = RequestFields(parsing: answer.formBody).fields.map { ($0.name, $0.value) }
    let finished = try await home.graph.finishAuthorization(
      RelyingParty.id, callback: Dictionary(form) { first, _ in first }, redirectURI: redirectURI,
      session: "browser", by: home.anyone)
    return try await home.graph.signIn(finished.credential, by: home.anyone)
  }

  @Test func `rp-response_mode-form_post: a code that is posted signs in`() async throws {
    // The graph has the time of this machine.
    try await RelyingParty.run({ $0.clock = { .now() } }) { party in
      let result = try await post(consenting: true, party)
      #expect(result.account.identities.map(\.key.subject) == [FakePerson.ada.subject])
    }
  }

  @Test func `rp-response_mode-form_post-error: a refusal that is posted is shown as one`()
    async throws
  {
    try await RelyingParty.run({ $0.clock = { .now() } }) { party in
      let error = await #expect(throws: AuthError.self) {
        try await post(consenting: false, party)
      }
      #expect(error?.field == "error")
      #expect(error?.step == .state)
      #expect(error?.message.contains("access_denied") == true)
      #expect(party.vendor.server.requests(to: "/token").isEmpty)
    }
  }

  @Test func `rp-token_endpoint-client_secret_basic: the client proves itself in the header`()
    async throws
  {
    try await RelyingParty.run({ $0.clientAuthentication = [.basic] }) { party in
      try await party.signIn(.code)

      let exchange = try #require(party.vendor.server.requests(to: "/token").first)
      #expect(exchange.basicCredentials?.name == FakeClient.web.id)
      #expect(exchange.basicCredentials?.secret == FakeClient.web.secret)
      #expect(exchange.form["client_secret"] == nil)
    }
  }

  @Test func `rp-token_endpoint-client_secret_post: the client proves itself in the form`()
    async throws
  {
    try await RelyingParty.run({ $0.clientAuthentication = [.post] }) { party in
      try await party.signIn(.code)

      let exchange = try #require(party.vendor.server.requests(to: "/token").first)
      #expect(exchange.form["client_id"] == FakeClient.web.id)
      #expect(exchange.form["client_secret"] == FakeClient.web.secret)
      #expect(exchange.basicCredentials == nil)
    }
  }
}
