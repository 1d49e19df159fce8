import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

/// A hook with a fixed answer.
private struct FixedHooks: SignInHooks {
  let say: @Sendable (SignInHookEvent) throws -> SignInHookAnswer?

  func answer(_ event: SignInHookEvent) async throws -> SignInHookAnswer? { try say(event) }
}

@Suite(.serialized) struct `Hooks and merges in sign-ins with identity providers` {
  @Test(arguments: ServerMode.allCases)
  func `a refusal by the app's function prevents the sign-in and opens no account`(
    _ mode: ServerMode
  ) async throws {
    let hooks = FixedHooks { _ in
      throw AuthError(.blockingFunctionError, "((HTTP request returned HTTP error 403: no))")
    }
    try await withFederation(mode, configure: { $0.hooks = hooks }) { home in
      let reply = try await home.signIn(.google, .ada, returning: true)

      expectFailure(
        reply,
        "BLOCKING_FUNCTION_ERROR_RESPONSE : ((HTTP request returned HTTP error 403: no))")
      #expect(try await home.accountCount() == 0)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a function of the app's changes the account, and the claims of its session`(
    _ mode: ServerMode
  ) async throws {
    let hooks = FixedHooks { event in
      var answer = SignInHookAnswer()
      if event.kind == .beforeCreate { answer.displayName = .set("Named by the app") }
      if event.kind == .beforeSignIn { answer.sessionClaims = ["role": "guest"] }
      return answer
    }
    try await withFederation(mode, configure: { $0.hooks = hooks }) { home in
      let reply = try await home.signIn(.google, .ada)

      expectTokens(reply)
      #expect(try await home.stored(reply).displayName == "Named by the app")
      #expect(try home.claims(reply)["role"] == "guest")
    }
  }

  @Test func `a link that merges goes on with the survivor, and names the absorbed account`()
    async throws
  {
    try await withFederation(.production) { home in
      let policy = PolicySource(
        name: "join",
        text: """
          return policy {
            name = "join", on = { "credential-already-in-use" },
            decide = function(c) return merge { into = c.current, from = c.existing } end,
          }
          """)
      try await home.settings { $0.mergePolicy = policy }
      let absorbed = try await home.signIn(.google, .bo)
      let id = try await home.account(email: "ada@example.com", verified: true)
      let token = try await home.session(email: "ada@example.com")

      let reply = try await home.signIn(.google, .bo, idToken: token)

      expectTokens(reply)
      #expect(reply.json["localId"]?.stringValue == id.rawValue)
      let merged = JSONValue.array([.string(try absorbed.text("localId"))])
      #expect(reply.json["mergedFrom"] == merged)
      #expect(try home.claims(reply)["mergedFrom"] == merged)
      #expect(try await home.stored(id).identities(of: .google).count == 1)
    }
  }
}
