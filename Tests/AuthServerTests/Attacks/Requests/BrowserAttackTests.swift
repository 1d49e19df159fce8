import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

@Suite(.serialized) struct `Attacks on sign-ins in a browser` {
  @Test(arguments: HandlerTests.providers)
  func `attack 10: an attacker's answer is worth nothing in another browser`(
    _ provider: ProviderID
  ) async throws {
    try await withFederation(.production) { home in
      let attacker = Browser(home)
      let begun = try await attacker.begin(provider)
      let answer = try await home.vendor(provider).authorize(
        try #require(begun.headers["location"]), as: .bo)
      let victim = Browser(home)
      _ = try await victim.begin(provider)

      let planted = try await victim.bring(
        answer.parameters, posted: answer.mode == .formPost)

      expectRefused(planted)
      #expect(try await home.accountCount() == 0)
    }
  }

  @Test func `attack 10: an attacker's code in the victim's own flow is refused`() async throws {
    try await withFederation(.production) { home in
      let begun = try await Browser(home).begin(.google)
      let stolen = try await home.google.authorize(
        try #require(begun.headers["location"]), as: .bo)
      let victim = Browser(home)
      let own = try await victim.begin(.google)

      let back = try await victim.comeBack(from: own, .google, as: .ada) {
        $0["code"] = stolen.code
      }

      #expect(back.fragment["pending_token"] == nil)
      #expect(back.fragment["error"] == "INVALID_IDP_RESPONSE")
    }
  }

  @Test func `attack 11: a sign-in that began in one browser does not end in another`() async throws
  {
    try await withFederation(.production) { home in
      let first = Browser(home)
      let begun = try await first.begin(.google)
      let answer = try await home.google.authorize(
        try #require(begun.headers["location"]), as: .ada)

      expectRefused(try await Browser(home).bring(answer.parameters))
      // The attempt used up the answer for its own browser too.
      expectRefused(try await first.bring(answer.parameters))
    }
  }

  @Test func `attack 12: one provider's answer is worth nothing at another`() async throws {
    try await withFederation(.production) { home in
      let begun = try await home.server.post(
        "/v1/accounts:createAuthUri",
        ["providerId": "google.com", "continueUri": "https://app.example/", "sessionId": "s"])
      let answer = try await home.google.authorize(try begun.text("authUri"), as: .ada)
      var parameters = answer.parameters
      parameters["providerId"] = "oidc.work"
      let before = home.oidc.server.requests.count

      let reply = try await home.signIn(
        postBody: URLText.form(parameters.map { (name: $0.key, value: $0.value) }),
        ["sessionId": "s"])

      expectFailure(reply, "INVALID_IDP_RESPONSE")
      #expect(home.oidc.server.requests.count == before)
    }
  }

  @Test(arguments: ["https://another.example", nil])
  func `attack 13: the answer of another issuer is refused`(_ issuer: String?) async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let begun = try await browser.begin(Federation.work)
      let back = try await browser.comeBack(from: begun, Federation.work, as: .ada) {
        $0["iss"] = issuer
      }

      expectRefused(back)
      #expect(home.oidc.server.requests(to: "/token").isEmpty)
    }
  }

  @Test func `attack 18: an answer is good once`() async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let begun = try await browser.begin(.google)
      let answer = try await home.google.authorize(
        try #require(begun.headers["location"]), as: .ada)
      #expect(try await browser.bring(answer.parameters).status == 303)

      expectRefused(try await browser.bring(answer.parameters))
    }
  }

  @Test(arguments: [
    [:], ["code": "x"], ["state": "unknown", "code": "x"], ["state": "unknown", "error": "denied"],
  ])
  func `attack 10: an answer without a request is refused`(
    _ parameters: [String: String]
  ) async throws {
    try await withFederation(.production) { home in
      expectRefused(try await Browser(home).bring(parameters))
    }
  }

  private func expectRefused(
    _ reply: Reply, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(reply.status == 400, sourceLocation: sourceLocation)
    #expect(reply.headers["location"] == nil, sourceLocation: sourceLocation)
    #expect(reply.text.contains("You are not signed in"), sourceLocation: sourceLocation)
  }
}
