import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

@Suite("Sign-ins in a browser", .serialized) struct HandlerTests {
  static let providers: [ProviderID] = [
    .google, .apple, ProviderID("facebook.com"), Federation.work,
  ]

  @Test(arguments: providers)
  func `a browser comes back with the app's credential`(_ provider: ProviderID) async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let begun = try await browser.begin(provider, ["eventId": "event-7"])
      #expect(begun.status == 303)

      let back = try await browser.comeBack(from: begun, provider, as: .ada)

      #expect(back.status == 303)
      #expect(back.headers["location"]?.hasPrefix("https://app.example/done#") == true)
      let fragment = back.fragment
      #expect(fragment["providerId"] == provider.rawValue)
      #expect(fragment["eventId"] == "event-7")
      #expect(fragment["code"] == nil)
      let reply = try await home.signIn(
        postBody: nil,
        [
          "requestUri": .string(try #require(back.headers["location"])),
          "sessionId": .string(try #require(fragment["sessionId"])),
        ])
      expectTokens(reply)
      #expect(reply.json["email"] == "ada@example.com")
    }
  }

  @Test func `the app's own session has to come with the browser's answer`() async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let digest = BrowserReturn.digest(ofSession: "the app's session")
      let begun = try await browser.begin(.google, ["sessionId": digest])
      let back = try await browser.comeBack(from: begun, .google, as: .ada)
      #expect(back.fragment["sessionId"] == nil)
      let address = JSONValue.string(try #require(back.headers["location"]))

      for session: JSONValue in ["", "another session", .string(digest)] {
        let reply = try await home.signIn(
          postBody: nil, ["requestUri": address, "sessionId": session])
        expectFailure(reply, "INVALID_PENDING_TOKEN")
      }
      let body: [String: JSONValue] = ["requestUri": address, "sessionId": "the app's session"]
      expectTokens(try await home.signIn(postBody: nil, body))
      expectFailure(try await home.signIn(postBody: nil, body), "INVALID_PENDING_TOKEN")
    }
  }

  @Test func `an app without a browser of its own brings the vendor's answer itself`() async throws
  {
    try await withFederation(.production) { home in
      let begun = try await home.server.post(
        "/v1/accounts:createAuthUri",
        [
          "providerId": "google.com", "continueUri": "https://app.example/done",
          "customParameter": [
            "prompt": "consent", "state": "mine", "redirect_uri": "https://evil.example",
          ],
          "oauthScope": "email",
        ])
      #expect(begun.json["providerId"] == "google.com")
      let session = try begun.text("sessionId")
      let url = try begun.text("authUri")
      #expect(url.contains("prompt=consent"))
      #expect(!url.contains("evil"))
      let answer = try await home.google.authorize(url, as: .ada)
      let back = try await Browser(home).bring(answer.parameters)
      #expect(back.headers["location"]?.hasPrefix("https://app.example/done#") == true)
      let address = JSONValue.string(try #require(back.headers["location"]))

      let stolen = try await home.signIn(
        postBody: nil, ["requestUri": address, "sessionId": "another"])
      expectFailure(stolen, "INVALID_IDP_RESPONSE")

      // Whatever the fault of an answer, its state is used up.
      let late = try await home.signIn(
        postBody: nil, ["requestUri": address, "sessionId": .string(session)])
      expectFailure(late, "INVALID_IDP_RESPONSE")
    }
  }

  @Test func `an answer that the app brings with its session signs in`() async throws {
    try await withFederation(.production) { home in
      let begun = try await home.server.post(
        "/v1/accounts:createAuthUri",
        ["providerId": "google.com", "continueUri": "https://app.example/done", "sessionId": "s"])
      let answer = try await home.google.authorize(try begun.text("authUri"), as: .ada)
      let back = try await Browser(home).bring(answer.parameters)

      let reply = try await home.signIn(
        postBody: nil,
        ["requestUri": .string(try #require(back.headers["location"])), "sessionId": "s"])

      expectTokens(reply)
    }
  }

  @Test(arguments: [
    (["redirectUrl": "https://evil.example/"], "UNAUTHORIZED_DOMAIN"),
    (["redirectUrl": "http://app.example/"], "UNAUTHORIZED_DOMAIN"),
    (["redirectUrl": "https://app.example@evil.example/"], "INVALID_CONTINUE_URI"),
    (["redirectUrl": "https://app.example.evil.example/"], "UNAUTHORIZED_DOMAIN"),
    (["redirectUrl": "javascript://app.example/%0Aalert(1)"], "UNAUTHORIZED_DOMAIN"),
    (["redirectUrl": ""], "MISSING_CONTINUE_URI"),
    (["providerId": ""], "MISSING_PROVIDER_ID"),
    (["providerId": "password"], "OPERATION_NOT_ALLOWED"),
    (["providerId": "github.com"], "OPERATION_NOT_ALLOWED"),
    (["tid": "nobody"], "TENANT_NOT_FOUND"),
  ])
  func `a sign-in that leads elsewhere does not begin`(
    _ changed: [String: String], _ code: String
  ) async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let reply = try await browser.begin(.google, changed)

      #expect(reply.status == 400)
      #expect(reply.text.contains(code))
      #expect(reply.headers["location"] == nil)
      #expect(!reply.text.contains("evil"))
      #expect(browser.cookies.isEmpty)
    }
  }

  @Test(arguments: [
    ("", "MISSING_API_KEY", "give initializeApp one of the keys"),
    ("unknown", "INVALID_API_KEY", "lists under apiKeys"),
  ])
  func `the page says what is wrong with the API key`(
    _ key: String, _ code: String, _ advice: String
  ) async throws {
    try await withServer(
      .production, configure: { $0.settings = { $0.apiKeys = ["key": ServerHome.project] } }
    ) { home in
      let reply = try await home.call(
        "GET",
        "/__/auth/handler?apiKey=\(key)&appName=a&authType=signInViaPopup&providerId=google.com"
          + "&redirectUrl=https%3A%2F%2Fapp.example%2F")

      #expect(reply.status == (key.isEmpty ? 403 : 400))
      #expect(reply.text.contains("(\(code))"), "\(reply.text)")
      #expect(reply.text.contains(advice), "\(reply.text)")
    }
  }

  @Test func `a refusal at the vendor leads back to the app`() async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let begun = try await browser.begin(.google)
      let back = try await browser.comeBack(from: begun, .google, as: .ada, consenting: false)

      #expect(back.fragment["error"] == "USER_CANCELLED")
      #expect(back.fragment["pending_token"] == nil)
    }
  }

  @Test func `over TLS the cookie belongs to the host alone`() async throws {
    try await withFederation(
      .production,
      configure: { $0.settings = { $0.publicURL = "https://auth.example" } }
    ) { home in
      let lax = try await Browser(home).begin(.google)
      let posted = try await Browser(home).begin(.apple)

      let field = try #require(lax.headers["set-cookie"])
      #expect(field.hasPrefix("__Host-authgraph="))
      for part in ["Path=/", "HttpOnly", "Secure", "SameSite=Lax"] {
        #expect(field.contains(part), "\(part)")
      }
      #expect(posted.headers["set-cookie"]?.contains("SameSite=None") == true)
      #expect(
        lax.headers["location"]?.contains(
          URLText.escaped("https://auth.example/__/auth/handler")) == true)
    }
  }

  @Test func `the emulator has a page of its own`() async throws {
    try await withServer(.emulator) { home in
      let reply = try await home.call("GET", "/__/auth/handler?providerId=google.com")
      #expect(reply.status == 404)
    }
    try await withServer(.production) { home in
      let reply = try await home.call("GET", "/emulator/auth/handler?providerId=x&apiKey=y")
      #expect(reply.status == 404)
    }
  }
}
