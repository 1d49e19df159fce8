import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

@Suite("Sign-ins of web apps in a browser", .serialized) struct WebSignInTests {
  @Test(arguments: WebSignIn.Operation.allCases)
  func `an operation of the SDK ends in its event`(
    _ operation: WebSignIn.Operation
  ) async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let begun = try await browser.open(operation)
      #expect(begun.status == 303)

      let data = try await browser.end(begun)

      #expect(data["isPopup"] == .bool(operation.isPopup))
      #expect(data["app"] == ["apiKey": "key", "appName": "[DEFAULT]"])
      let event = try #require(data["event"])
      #expect(event["type"]?.stringValue == operation.rawValue)
      #expect(event["eventId"] == "event-7")
      for name in ["error", "tenantId", "postBody"] { #expect(event[name] == .null, "\(name)") }
      let reply = try await home.use(event)
      expectTokens(reply)
      #expect(reply.json["email"] == "ada@example.com")
    }
  }

  @Test(arguments: HandlerTests.providers)
  func `a popup signs in with each kind of provider`(_ provider: ProviderID) async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let data = try await browser.end(
        try await browser.open(.signInViaPopup, provider), provider)

      let reply = try await home.use(data["event"])

      expectTokens(reply)
      #expect(reply.json["providerId"]?.stringValue == provider.rawValue)
    }
  }

  @Test func `an event links to the session of the app`() async throws {
    try await withFederation(.production) { home in
      let token = try await home.anonymousSession()
      let browser = Browser(home)
      let data = try await browser.end(try await browser.open(.linkViaPopup))

      let linked = try await home.use(data["event"], idToken: token)

      expectTokens(linked)
      #expect(try await home.accountCount() == 1)
      let again = try await browser.end(try await browser.open(.reauthViaPopup))
      let reply = try await home.use(again["event"])
      #expect(reply.json["localId"] == linked.json["localId"])
      #expect(reply.json["isNewUser"] == nil)
    }
  }

  @Test func `a redirect goes back to the whole address, and a popup knows the page alone`()
    async throws
  {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let redirected = try await browser.end(try await browser.open(.signInViaRedirect))
      #expect(redirected["address"] == "https://app.example/cart?item=1#top")

      let long = "https://app.example/cart?" + String(repeating: "x", count: 9000)
      let popup = try await browser.end(
        try await browser.open(.signInViaPopup, .google, ["redirectUrl": long]))
      #expect(popup["address"] == "https://app.example/cart")
    }
  }

  @Test func `an event of a tenant names it`() async throws {
    try await withFederation(.production) { home in
      var settings = ProjectSettings()
      settings.signIn.authorizedDomains = ["app.example"]
      let scope = try await home.graph.createTenant(
        "shop", in: ServerHome.project, settings: settings, by: home.server.admin)
      var admin = home.server.admin
      admin.scope = scope
      _ = try await home.graph.configure(
        .google, values: home.google.providerValues, secrets: home.google.providerSecrets,
        by: admin)
      let browser = Browser(home)

      let data = try await browser.end(
        try await browser.open(.signInViaPopup, .google, ["tid": "shop"]))

      #expect(data["event"]?["tenantId"] == "shop")
      let reply = try await home.use(data["event"])
      expectTokens(reply)
      #expect(reply.json["tenantId"] == "shop")
    }
  }

  @Test(arguments: [WebSignIn.Operation.signInViaPopup, .signInViaRedirect])
  func `a refusal at the vendor is an event`(_ operation: WebSignIn.Operation) async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let data = try await browser.end(
        try await browser.open(operation), consenting: false)

      let event = try #require(data["event"])
      #expect(event["error"]?["code"] == "auth/user-cancelled")
      #expect(event["type"]?.stringValue == operation.rawValue)
      #expect(event["eventId"] == "event-7")
      #expect(event["urlResponse"] == .null && event["sessionId"] == .null)
    }
  }

  @Test func `a fault at the vendor is an event`() async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let failed = try await browser.end(try await browser.open(.signInViaPopup)) {
        $0["code"] = nil
        $0["error"] = "server_error"
      }
      #expect(failed["event"]?["error"]?["code"] == "auth/invalid-credential")

      let wrong = try await browser.end(try await browser.open(.signInViaPopup)) {
        $0["code"] = "nonsense"
      }
      #expect(wrong["event"]?["error"]?["code"] == "auth/invalid-credential")
      #expect(wrong["event"]?["urlResponse"] == .null)
    }
  }

  @Test(arguments: ["saml.work", "github.com", "password", "oidc.unknown"])
  func `a provider that is not set up is an event`(_ provider: String) async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let reply = try await browser.open(.signInViaPopup, ProviderID(provider))

      #expect(reply.status == 200)
      let error = try #require(reply.pageData?["event"]?["error"])
      #expect(error["code"] == "auth/operation-not-allowed")
      #expect(error["message"]?.stringValue?.contains("OPERATION_NOT_ALLOWED") == false)
      #expect(browser.cookies.isEmpty)
    }
  }

  @Test func `a request with too many scopes is an event`() async throws {
    try await withFederation(.production) { home in
      let scopes = (0..<51).map { "s\($0)" }.joined(separator: ",")
      let reply = try await Browser(home).open(.signInViaPopup, .google, ["scopes": scopes])

      #expect(reply.pageData?["event"]?["error"]?["code"] == "auth/argument-error")
    }
  }

  @Test func `a provider that is closed meanwhile is an event`() async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let begun = try await browser.open(.signInViaPopup)
      try await home.settings { $0.signIn.closedProviders.insert(.google) }

      let data = try await browser.end(begun)

      #expect(data["event"]?["error"]?["code"] == "auth/operation-not-allowed")
    }
  }

  @Test func `an operation of another SDK ends in the address of the app`() async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let begun = try await browser.begin(
        .google, ["authType": "signInWithRedirect", "ibi": "com.example.app", "eventId": "7"])

      let back = try await browser.comeBack(from: begun, .google, as: .ada)

      #expect(back.status == 303)
      #expect(back.fragment["eventId"] == "7")
      #expect(back.fragment["pending_token"]?.isEmpty == false)
    }
  }
}
