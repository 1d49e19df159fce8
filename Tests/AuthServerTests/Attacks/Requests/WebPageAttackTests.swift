import AuthCore
import AuthTesting
import FakeVendors
import Foundation
import Testing

@testable import IdentityToolkitService

@Suite(.serialized) struct `Attacks on the pages of web apps' sign-ins` {
  static let texts = [
    #"</script><script>alert("evil")</script>"#, #""'><img src=x onerror=alert('evil')>"#,
    "<!--<script>evil", "\u{2028}evil\u{2029}", "&lt;evil&gt;", "\\u003cevil", "[DEFAULT]",
  ]

  @Test(arguments: texts)
  func `script in an app's name or an event's ID stays text`(_ text: String) async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let begun = try await browser.open(
        .signInViaPopup, .google, ["appName": text, "eventId": text])
      let page = try await browser.comeBack(from: begun, .google, as: .ada)
      let frame = try await home.server.call(
        "GET", "/__/auth/iframe?apiKey=key&appName=\(URLText.escaped(text))")

      #expect(page.pageData?["event"]?["eventId"]?.stringValue == text)
      for (reply, scripts) in [(page, 2), (frame, 3)] {
        #expect(reply.pageData?["app"]?["appName"]?.stringValue == text)
        #expect(reply.text.components(separatedBy: "<script").count == scripts + 1)
        for sign in ["<script>", "<img", "<!--", "onerror=alert('evil')>", "\u{2028}", "\u{2029}"] {
          #expect(!reply.text.contains(sign), "\(sign)")
        }
      }
    }
  }

  @Test func `no page needs a script of its own, or may be framed by strangers`() async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let begun = try await browser.open(.signInViaPopup)
      let end = try await browser.comeBack(from: begun, .google, as: .ada)
      let refused = try await Browser(home).open(.signInViaPopup, .google, ["redirectUrl": ""])
      let event = try await Browser(home).open(.signInViaPopup, ProviderID("saml.work"))

      for (reply, scripts) in [(end, "'self'"), (event, "'self'"), (refused, "'none'")] {
        #expect(
          reply.headers["content-security-policy"]
            == "default-src 'none'; script-src \(scripts); base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'")
        #expect(reply.headers["x-frame-options"] == "DENY")
        #expect(reply.headers["referrer-policy"] == "no-referrer")
        #expect(reply.headers["cache-control"] == "no-store")
        #expect(reply.headers["access-control-allow-credentials"] == nil)
      }
      // The vendor does not learn the app's page.
      #expect(begun.headers["referrer-policy"] == "no-referrer")
      #expect(begun.headers["location"]?.contains("app.example") == false)
    }
  }

  @Test(arguments: ["empty", "iframe", "script", "image", "object", "embed"])
  func `a page that is loaded into another one has no event`(_ place: String) async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let begun = try await browser.open(.signInViaPopup)
      browser.headers["Sec-Fetch-Dest"] = place

      let back = try await browser.comeBack(from: begun, .google, as: .ada)
      let again = try await browser.open(.signInViaPopup)

      for reply in [back, again] {
        #expect(reply.status == 400)
        #expect(reply.pageData == nil && reply.headers["location"] == nil)
      }
      browser.headers["Sec-Fetch-Dest"] = "document"
      let data = try await browser.end(try await browser.open(.signInViaPopup))
      #expect(data["event"]?["error"] == .null)
    }
  }

  @Test func `a project's frame is held by no page of another project`() async throws {
    try await withProjects { home in
      let own = try await home.server.call("GET", "/__/auth/iframe?apiKey=key&appName=a")
      let other = try await home.server.call("GET", "/__/auth/iframe?apiKey=other-key&appName=a")
      #expect(own.headers["content-security-policy"]?.contains("other.example") == false)
      #expect(other.headers["content-security-policy"]?.contains("app.example") == false)

      // The page speaks for the key whose domains it names, whichever of two that is.
      for keys in ["apiKey=key&apiKey=other-key", "apiKey=other-key&apiKey=key"] {
        let reply = try await home.server.call("GET", "/__/auth/iframe?\(keys)&appName=a")
        let key = try #require(reply.pageData?["app"]?["apiKey"]?.stringValue)
        let policy = try #require(reply.headers["content-security-policy"])
        #expect(policy.contains("https://app.example:*") == (key == "key"))
        #expect(policy.contains("https://other.example:*") == (key == "other-key"))
      }
    }
  }

  @Test func `another project's key opens no way to this project's app`() async throws {
    try await withProjects { home in
      let reply = try await Browser(home).open(
        .signInViaPopup, .google, ["apiKey": "other-key"])
      #expect(reply.status == 400)
      #expect(reply.text.contains("UNAUTHORIZED_DOMAIN") && reply.pageData == nil)

      let browser = Browser(home)
      let event = try await browser.end(try await browser.open(.signInViaPopup))["event"]
      expectFailure(try await home.use(event, key: "other-key"), "INVALID_PENDING_TOKEN")
      expectTokens(try await home.use(event, key: "key"))
    }
  }

  @Test func `a domain in the settings adds nothing to the frame's policy`() async throws {
    try await withFederation(.production) { home in
      try await home.settings {
        $0.signIn.authorizedDomains = [
          "app.example; script-src *", "*", "*.example", "", "'self'", "data:", "evil.example:443",
          "https://evil.example", "evil.example/", "evil example", "app.example", "APP.example",
          "localhost",
        ]
      }
      let reply = try await home.server.call("GET", AppFrameTests.path)
      #expect(
        reply.headers["content-security-policy"]
          == "default-src 'none'; script-src 'self' https://apis.google.com; base-uri 'none'; "
          + "form-action 'none'; "
          + "frame-ancestors http://localhost:* https://localhost:* https://app.example:*")
    }
  }

  @Test(arguments: [HandlerScript.text, AppFrameScript.text])
  func `the scripts speak to their own origin alone`(_ script: String) {
    for line in script.split(separator: "\n") where line.contains("postMessage(") {
      #expect(
        line.contains("location.origin)") || line.contains("channel.postMessage("), "\(line)")
    }
    for word in [
      "\"*\"", "'*'", "innerHTML", "eval(", "document.write", "Function(", "document.domain",
    ] {
      #expect(!script.contains(word), "\(word)")
    }
    // A list as JSON, so that the names of two apps are never one.
    #expect(script.contains("JSON.stringify(["))
  }

  /// Runs a server of two projects, each with a key and a domain.
  private func withProjects(
    _ body: @escaping @Sendable (Federation) async throws -> Void
  ) async throws {
    let configure: (inout ServerSetup) -> Void = { setup in
      setup.settings = { settings in
        settings.projects = ["other-shop"]
        settings.apiKeys = [
          "key": ServerHome.project, "test-key": ServerHome.project, "other-key": "other-shop",
        ]
      }
    }
    try await withFederation(.production, configure: configure) { home in
      var admin = home.server.admin
      admin.scope = Scope(project: "other-shop")
      _ = try await home.graph.changeSettings(by: admin) {
        $0.signIn.authorizedDomains = ["other.example"]
      }
      try await body(home)
    }
  }
}
