import AuthCore
import AuthTesting
import IdentityToolkit
import Testing

@testable import IdentityToolkitService

@Suite struct AppVerificationTests {
  /// A verifier that accepts one reCAPTCHA token.
  private struct OneToken: AppVerifying {
    func verify(_ proof: AppProof, in scope: Scope) async throws {
      guard case .recaptcha(let token) = proof, token.reveal() == "right" else {
        throw AuthError(.invalidCredential, "It is not the app.")
      }
    }
  }

  @Test func `codes are sent for a verified app alone if the app has to show itself`() async throws
  {
    try await withServer(.production) { home in
      let call = Call(
        services: ServerServices(
          graph: home.graph, tokens: home.services.tokens, mode: .production,
          settings: home.services.settings, appVerifier: OneToken()),
        project: ServerHome.project, tenant: nil, right: nil, path: [:],
        query: WireFields(texts: [:]), body: WireFields(texts: [:]),
        client: ClientDescription(), headers: [:])
      let number = try PhoneNumber("+15555550100")
      let table: [([String: String], String?)] = [
        ([:], "MISSING_APP_CREDENTIAL"), (["iosReceipt": "x"], "MISSING_APP_CREDENTIAL"),
        (["recaptchaToken": "wrong"], "INVALID_APP_CREDENTIAL"),
        (["iosReceipt": "x", "iosSecret": "y"], "INVALID_APP_CREDENTIAL"),
        (["playIntegrityToken": "x"], "INVALID_APP_CREDENTIAL"),
        (["captchaResponse": "x"], "INVALID_APP_CREDENTIAL"), (["recaptchaToken": "right"], nil),
      ]
      for (fields, message) in table {
        do {
          try await AppVerification(call: call).require(WireFields(texts: fields), for: number)
          #expect(message == nil)
        } catch let error as WireError {
          #expect(error.message == message)
        }
      }
      try await home.change {
        $0.providers["phone"] = ProviderConfiguration(values: [
          "testNumbers": ["+15555550100": "424242"]
        ])
      }
      try await AppVerification(call: call).require(WireFields(texts: [:]), for: number)
    }
  }

  @Test func `production asks for no proof unless an admin wants it`() async throws {
    try await withServer(.production) { home in
      let reply = try await home.post(
        "/v1/accounts:sendVerificationCode", ["phoneNumber": "+15555550100"])
      #expect(reply.status == 200)
    }
  }
}
