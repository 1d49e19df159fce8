import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

@Suite(.serialized) struct `Attacks on sign-ins of web apps` {
  static let strangers = [
    "https://evil.example/", "http://app.example/", "https://app.example@evil.example/",
    "https://user:password@app.example/", "https://app.example.evil.example/",
    "https://localhost.evil.example/", "http://localhost@evil.example/",
    "https://evil.example?https://app.example/", "https://evil.example#@app.example/",
    "https://evil.example/https://app.example/", #"https://evil.example\@app.example/"#,
    "javascript:alert('evil')", "javascript://app.example/%0Aalert('evil')",
    "data:text/html,evil", "//evil.example/", "/evil", "evil", "https:evil.example",
    "https:///evil.example", "https://", "https://app.example evil/",
    "blob:https://app.example/evil",
    "file:///evil", "https://xn--app-evil.example/",
  ]

  @Test func `attack 10: nothing goes to a page at another domain`() async throws {
    try await withFederation(
      .production, configure: { $0.settings = { $0.rateLimits = .none } }
    ) { home in
      for address in Self.strangers {
        for operation in WebSignIn.Operation.allCases {
          let browser = Browser(home)
          let reply = try await browser.open(operation, .google, ["redirectUrl": address])
          expectRefused(reply, address)
          #expect(!reply.text.contains("evil"))
          #expect(browser.cookies.isEmpty)
        }
        // A refusal is no event either.
        let other = try await Browser(home).open(
          .signInViaPopup, ProviderID("saml.work"), ["redirectUrl": address])
        expectRefused(other, address)
      }
    }
  }

  @Test(arguments: [WebSignIn.Operation.signInViaPopup, .signInViaRedirect])
  func `attack 59: a domain that the project gave up meanwhile gets no event`(
    _ operation: WebSignIn.Operation
  ) async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let begun = try await browser.open(operation)
      try await home.settings { $0.signIn.authorizedDomains = [] }

      expectRefused(try await browser.comeBack(from: begun, .google, as: .ada))
    }
  }

  @Test(arguments: HandlerTests.providers)
  func `attack 10: an attacker's answer makes no event in another browser`(
    _ provider: ProviderID
  ) async throws {
    try await withFederation(.production) { home in
      let begun = try await Browser(home).open(.signInViaPopup, provider)
      let answer = try await home.vendor(provider).authorize(
        try #require(begun.headers["location"]), as: .bo)
      let victim = Browser(home)
      _ = try await victim.open(.signInViaPopup, provider)

      expectRefused(
        try await victim.bring(answer.parameters, posted: answer.mode == .formPost))
    }
  }

  @Test func `attack 10: an attacker's code in the victim's own flow is an error`() async throws {
    try await withFederation(.production) { home in
      let begun = try await Browser(home).open(.linkViaPopup)
      let stolen = try await home.google.authorize(
        try #require(begun.headers["location"]), as: .bo)
      let victim = Browser(home)

      let data = try await victim.end(try await victim.open(.linkViaPopup)) {
        $0["code"] = stolen.code
      }

      #expect(data["event"]?["error"]?["code"] == "auth/invalid-credential")
      #expect(data["event"]?["urlResponse"] == .null && data["event"]?["sessionId"] == .null)
    }
  }

  @Test func `attack 11: a browser without the cookie of the beginning gets no event`() async throws
  {
    try await withFederation(.production) { home in
      let first = Browser(home)
      let begun = try await first.open(.reauthViaRedirect)
      let answer = try await home.google.authorize(
        try #require(begun.headers["location"]), as: .ada)

      expectRefused(try await Browser(home).bring(answer.parameters))
      expectRefused(try await first.bring(answer.parameters))
    }
  }

  @Test func `attack 12: parameters added to the vendor's answer change nothing`() async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let data = try await browser.end(try await browser.open(.signInViaPopup)) {
        $0["providerId"] = "oidc.work"
        $0["apiKey"] = "another"
        $0["appName"] = "another"
        $0["authType"] = "linkViaRedirect"
        $0["eventId"] = "another"
        $0["redirectUrl"] = "https://evil.example/"
        $0["tid"] = "another"
      }

      #expect(data["address"] == "https://app.example/cart")
      #expect(data["app"] == ["apiKey": "key", "appName": "[DEFAULT]"])
      #expect(data["event"]?["type"] == "signInViaPopup")
      #expect(data["event"]?["eventId"] == "event-7")
      #expect(data["event"]?["tenantId"] == .null)
      #expect(try await home.use(data["event"]).json["providerId"] == "google.com")
    }
  }

  @Test(arguments: ["https://another.example", nil])
  func `attack 13: the answer of another issuer makes no event`(_ issuer: String?) async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let begun = try await browser.open(.signInViaPopup, Federation.work)
      let back = try await browser.comeBack(from: begun, Federation.work, as: .ada) {
        $0["iss"] = issuer
      }

      expectRefused(back)
      #expect(home.oidc.server.requests(to: "/token").isEmpty)
    }
  }

  @Test func `attack 18: an answer makes one event, also with the back button`() async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let begun = try await browser.open(.signInViaPopup)
      let answer = try await home.google.authorize(
        try #require(begun.headers["location"]), as: .ada)
      let first = try await browser.bring(answer.parameters)
      #expect(first.pageData?["event"]?["error"] == .null)

      expectRefused(try await browser.bring(answer.parameters))
      #expect(first.headers["cache-control"] == "no-store")
    }
  }

  @Test func `attack 18: an event is good once, with its session`() async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let event = try await browser.end(try await browser.open(.signInViaPopup))["event"]

      for session: JSONValue in ["", "another"] {
        expectFailure(
          try await home.use(event, ["sessionId": session]), "INVALID_PENDING_TOKEN")
      }
      expectTokens(try await home.use(event))
      expectFailure(try await home.use(event), "INVALID_PENDING_TOKEN")
    }
  }

  @Test func `two popups at once end in an event each`() async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let first = try await browser.open(.signInViaPopup, .google, ["eventId": "first"])
      let second = try await browser.open(
        .linkViaPopup, Federation.work, ["eventId": "second", "appName": "admin"])

      let last = try await browser.end(second, Federation.work, as: .bo)
      let early = try await browser.end(first)

      #expect(last["event"]?["eventId"] == "second" && last["app"]?["appName"] == "admin")
      #expect(early["event"]?["eventId"] == "first" && early["app"]?["appName"] == "[DEFAULT]")
      #expect(try await home.use(early["event"]).json["email"] == "ada@example.com")
    }
  }

  private func expectRefused(
    _ reply: Reply, _ place: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(reply.status == 400, "\(place)", sourceLocation: sourceLocation)
    #expect(reply.headers["location"] == nil, "\(place)", sourceLocation: sourceLocation)
    #expect(reply.pageData == nil, "\(place)", sourceLocation: sourceLocation)
    #expect(!reply.text.contains("<script"), "\(place)", sourceLocation: sourceLocation)
    #expect(
      reply.text.contains("You are not signed in"), "\(place)", sourceLocation: sourceLocation)
  }
}
