import AuthCore
import AuthTesting
import FakeVendors
import HTTPClientTransport
import Testing
import TestSupport

@testable import IdentityToolkitService

/// A provider's setting is checked before anything is sent to it, or in its name.
@Suite struct `A closed provider` {
  private static let closed: Set<ProviderID> = [
    .google, .apple, ProviderID("facebook.com"), Federation.work,
  ]

  @Test func `is asked nothing over HTTP, by any operation`() async throws {
    let transport = CountingTransport(before: HTTPClientTransport())
    try await withServer(.production, transport: transport) { server in
      let home = try await Federation(server)
      do {
        try await self.tryEverything(home, transport)
      } catch {
        await home.stop()
        throw error
      }
      await home.stop()
    }
  }

  private func tryEverything(_ home: Federation, _ transport: CountingTransport) async throws {
    _ = try await home.account(email: "ada@example.com", verified: true)
    let session = try await home.session(email: "ada@example.com")
    // Begun before the provider was closed.
    let browser = Browser(home)
    let begun = try await browser.begin(.google)
    let ownBegun = try await home.server.post(
      "/v1/accounts:createAuthUri",
      ["providerId": "google.com", "continueUri": "https://app.example/done", "sessionId": "mine"])
    let ownAnswer = try await home.google.authorize(
      try ownBegun.text("authUri"), as: .ada, consenting: true)
    let pending = try await home.signIn(.google, .bo)
    let token = try pending.text("pendingToken")
    try await home.settings { $0.signIn.closedProviders = Self.closed }
    let before = transport.count
    #expect(before > 0)

    let closed = "OPERATION_NOT_ALLOWED"
    for provider in Self.closed.sorted(by: { $0.rawValue < $1.rawValue }) {
      let name = provider.rawValue
      for idToken in [nil, session] {
        for further in [
          "access_token=x", "id_token=x.y.z&nonce=n", "code=x&redirect_uri=https%3A%2F%2Fx.example",
        ] {
          var body: [String: JSONValue] = [:]
          body["idToken"] = idToken.map(JSONValue.string)
          body["autoCreate"] = idToken == nil ? false : nil
          let reply = try await home.signIn(postBody: "providerId=\(name)&\(further)", body)
          #expect(
            reply.message?.hasPrefix(closed) == true || reply.message == "INVALID_IDP_RESPONSE",
            "\(name) \(further): \(reply.text)")
        }
        let genuine = try await home.signIn(provider, .ada, idToken: idToken)
        #expect(genuine.message?.hasPrefix(closed) == true, "\(name): \(genuine.text)")
      }
      let page = try await browser.begin(provider)
      #expect(page.status == 400 && page.text.contains(closed), "\(name): \(page.text)")
      let address = try await home.server.post(
        "/v1/accounts:createAuthUri",
        ["providerId": .string(name), "continueUri": "https://app.example/done"])
      #expect(address.message?.hasPrefix(closed) == true, "\(name): \(address.text)")
    }
    let back = try await browser.comeBack(from: begun, .google, as: .ada)
    #expect(back.fragment["error"] == closed, "\(back.headers)")
    let finished = try await home.signIn(
      postBody: URLText.form(
        [(name: "providerId", value: "google.com")]
          + ownAnswer.parameters.map { (name: $0.key, value: $0.value) }),
      ["sessionId": "mine"])
    #expect(finished.message?.hasPrefix(closed) == true, "\(finished.text)")
    for idToken in [nil, session] {
      var body: [String: JSONValue] = ["pendingToken": .string(token)]
      body["idToken"] = idToken.map(JSONValue.string)
      let reply = try await home.signIn(postBody: "providerId=google.com", body)
      #expect(reply.status == 400, "\(reply.text)")
    }
    #expect(transport.count == before)
  }

  @Test func `is asked nothing by the graph either`() async throws {
    let transport = CountingTransport(before: HTTPClientTransport())
    try await withServer(.production, transport: transport) { server in
      let home = try await Federation(server)
      let graph = home.graph
      let id = try await home.account(email: "ada@example.com", verified: true)
      let anyone = Caller(scope: server.scope, authority: .anyone)
      let session = Caller(
        scope: server.scope,
        authority: .session(id, signedInAt: server.clock.now, secondFactor: false))
      let credential = try graph.providers.credential(.google, ["accessToken": "a token"])
      try await home.settings { $0.signIn.closedProviders = Self.closed }
      let factor = SessionGrant.Factor(kind: "phone", id: "x")
      let entries: [(String, () async throws -> Void)] = [
        ("signIn", { _ = try await graph.signIn(credential, by: anyone) }),
        ("signUp", { _ = try await graph.signUp(credential, by: anyone) }),
        (
          "signUp with a name",
          { _ = try await graph.signUp(credential, displayName: "Ada", by: anyone) }
        ),
        ("link", { _ = try await graph.link(credential, to: id, by: session) }),
        (
          "linkForSession",
          { _ = try await graph.linkForSession(credential, to: id, showing: factor, by: session) }
        ),
        ("verify", { _ = try await graph.verify(credential, by: anyone) }),
        (
          "verify to link",
          { _ = try await graph.verify(credential, linkingTo: id, by: session) }
        ),
        (
          "beginAuthorization",
          {
            _ = try await graph.beginAuthorization(
              Federation.work, redirectURI: "https://x.example/", session: "s", by: anyone)
          }
        ),
      ]
      for (name, entry) in entries {
        do {
          try await entry()
          Issue.record("\(name) was allowed")
        } catch let error as AuthError {
          #expect(error.code == .operationNotAllowed, "\(name): \(error)")
        }
      }
      #expect(transport.count == 0)
      await home.stop()
    }
  }

  @Test func `sends no code, and asks for no second factor`() async throws {
    try await withFederation(.production) { home in
      let server = home.server
      let id = try await home.guardedAccount(email: "ada@example.com")
      try await home.trust(.google)
      let waiting = try await home.signIn(.google, .ada)
      let pending = try waiting.text("mfaPendingCredential")
      try await home.settings {
        $0.signIn.closedProviders = Self.closed.union([.phone, .emailLink])
      }
      let sent = server.messages.messages.count

      let start = try await server.post(
        "/v2/accounts/mfaSignIn:start",
        [
          "mfaPendingCredential": .string(pending), "mfaEnrollmentId": "factor-1",
          "phoneSignInInfo": [:],
        ])
      #expect(start.message?.hasPrefix("OPERATION_NOT_ALLOWED") == true, "\(start.text)")
      let caller = Caller(scope: server.scope, authority: .anyone)
      for (provider, recipient) in [
        (ProviderID.phone, "+15555550101"), (.emailLink, "ada@example.com"),
      ] {
        do {
          _ = try await home.graph.sendChallenge(
            provider, ChallengeRequest(recipient: recipient), by: caller)
          Issue.record("\(provider) was sent")
        } catch let error as AuthError {
          #expect(error.code == .operationNotAllowed)
        }
      }
      #expect(server.messages.messages.count == sent)
      #expect(try await home.stored(id).identities.count == 1)
    }
  }
}
