import AuthCore
import AuthTesting
import FakeVendors
import Testing
import TestSupport

@Suite(.serialized) struct `The issuer and the intent of a sign-in` {
  @Test func `an issuer stays while its subjects are people here`() async throws {
    try await withProviders { home in
      _ = try await home.signIn(try await home.credential(.oidcIDToken, for: .ada))

      let error = await expectError(.operationNotAllowed) {
        try await home.configure(.oidc, ["issuer": "https://another.example"])
      }

      #expect(error?.field == "issuer")
    }
  }

  @Test func `attack 10: a credential that was begun for a link does not sign in`() async throws {
    try await withProviders { home in
      let credential = Credential(
        provider: .google, builder: "authorizationCode",
        fields: ["code": "x", "redirectURI": "https://app.example/back"],
        boundAccount: AccountID("somebody"))

      let error = await expectError(.invalidCredential) { try await home.signIn(credential) }

      #expect(error?.step == .state)
      #expect(home.vendors[.google].server.requests.isEmpty)
    }
  }
}
