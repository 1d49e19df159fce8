import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

@Suite("The frame of web apps") struct AppFrameTests {
  static let path = "/__/auth/iframe?apiKey=key&appName=%5BDEFAULT%5D&v=12.0.0&eid=p&fw=web"

  @Test func `pages at the project's domains can hold it`() async throws {
    try await withFederation(.production) { home in
      let reply = try await home.server.call("GET", Self.path)

      #expect(reply.status == 200)
      #expect(reply.headers["content-type"]?.hasPrefix("text/html") == true)
      #expect(reply.pageData == ["app": ["apiKey": "key", "appName": "[DEFAULT]"]])
      #expect(
        reply.headers["content-security-policy"]
          == "default-src 'none'; script-src 'self' https://apis.google.com; base-uri 'none'; "
          + "form-action 'none'; "
          + "frame-ancestors http://localhost:* https://localhost:* https://app.example:*")
      #expect(reply.headers["x-frame-options"] == nil)
      #expect(reply.headers["cache-control"] == "no-store")
      #expect(reply.headers["referrer-policy"] == "no-referrer")
      #expect(reply.text.contains("https://apis.google.com/js/api.js?onload=authgraphConnect"))
    }
  }

  @Test func `the server's own pages can hold it`() async throws {
    try await withServer(
      .production, configure: { $0.settings = { $0.publicURL = "https://auth.example:8443" } }
    ) { home in
      let policy = try await home.call("GET", Self.path).headers["content-security-policy"]
      #expect(policy?.hasSuffix(" https://auth.example:*") == true)
    }
  }

  @Test func `of very many domains it names the one that asks`() async throws {
    try await withFederation(.production) { home in
      try await home.settings {
        $0.signIn.authorizedDomains = (0..<500).map { "shop-\($0).example" }
      }
      let known = try await home.server.call(
        "GET", Self.path, headers: ["Referer": "https://shop-7.example/"])
      let unnamed = try await home.server.call("GET", Self.path)

      let usual = "frame-ancestors http://localhost:* https://localhost:*"
      #expect(
        known.headers["content-security-policy"]?.hasSuffix("\(usual) https://shop-7.example:*")
          == true)
      #expect(unnamed.headers["content-security-policy"]?.hasSuffix(usual) == true)
    }
  }

  @Test(arguments: [
    (path, "https://evil.example/a?b", "https://evil.example"),
    (path, "https://evil.example:8443/", "https://evil.example:8443"),
    (path, "http://app.example/", "http://app.example"),
    ("/__/auth/iframe?apiKey=unknown&appName=a", "https://app.example/", "https://app.example"),
  ])
  func `a page at which nobody may sign in gets a frame without an app`(
    _ path: String, _ page: String, _ holder: String
  ) async throws {
    try await withFederation(
      .production, configure: { $0.settings = { $0.apiKeys = ["key": ServerHome.project] } }
    ) { home in
      let reply = try await home.server.call("GET", path, headers: ["Referer": page])

      #expect(reply.status == 200)
      #expect(reply.pageData == ["app": .null])
      let policy = reply.headers["content-security-policy"]
      #expect(policy?.hasSuffix("; frame-ancestors \(holder)") == true, "\(policy ?? "")")
    }
  }

  @Test(arguments: [
    "https://evil.example; script-src *", "https://*.example/", "data:text/html,a", "evil",
    "https://evil@app.example/", "https://[::1]/",
  ])
  func `attack: a page's name adds nothing to the frame's policy`(_ page: String) async throws {
    try await withFederation(.production) { home in
      let plain = try await home.server.call("GET", Self.path)
      let reply = try await home.server.call("GET", Self.path, headers: ["Referer": page])

      #expect(
        reply.headers["content-security-policy"] == plain.headers["content-security-policy"])
    }
  }

  @Test(arguments: [
    ("appName=a", 403, "MISSING_API_KEY"), ("apiKey=&appName=a", 403, "MISSING_API_KEY"),
    ("apiKey=key", 400, "MISSING_APP_NAME"), ("apiKey=key&appName=", 400, "MISSING_APP_NAME"),
    ("apiKey=unknown&appName=a", 400, "INVALID_API_KEY"),
    ("apiKey=key&appName=" + String(repeating: "a", count: 1025), 400, "INVALID_APP_NAME"),
  ])
  func `without an app it is held by no page`(
    _ query: String, _ status: Int, _ code: String
  ) async throws {
    try await withServer(
      .production, configure: { $0.settings = { $0.apiKeys = ["key": ServerHome.project] } }
    ) { home in
      let reply = try await home.call("GET", "/__/auth/iframe?\(query)")

      #expect(reply.status == status)
      #expect(reply.text.contains("(\(code))"), "\(reply.text)")
      #expect(reply.pageData == nil)
      #expect(reply.headers["x-frame-options"] == "DENY")
      #expect(reply.headers["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
    }
  }

  @Test(arguments: ["handler.js", "frame.js"])
  func `the pages' scripts are files`(_ name: String) async throws {
    try await withServer(.production) { home in
      let reply = try await home.call("GET", "/__/auth/\(name)")
      #expect(reply.status == 200)
      #expect(reply.headers["content-type"] == "text/javascript; charset=utf-8")
      #expect(reply.headers["x-content-type-options"] == "nosniff")
    }
    try await withServer(.emulator) { home in
      let reply = try await home.call("GET", "/__/auth/\(name)")
      #expect(reply.status == 404)
    }
  }

  @Test func `the SDK finds the domain of each page that may sign in`() async throws {
    try await withServer(
      .production, configure: { $0.settings = { $0.publicURL = "https://auth.example" } }
    ) { home in
      _ = try await home.graph.changeSettings(by: home.admin) {
        $0.signIn.authorizedDomains = ["app.example"]
      }
      let reply = try await home.call("GET", "/v1/projects?key=key")
      #expect(
        reply.json["authorizedDomains"] == ["localhost", "app.example", "auth.example"])
    }
  }

  @Test(arguments: ["/v1/projects?key=key", "/v1/accounts:signInWithIdp?key=key"])
  func `the SDK's header fields may come from other origins`(_ path: String) async throws {
    try await withServer(.production) { home in
      let fields =
        "content-type,x-client-version,x-firebase-appcheck,x-firebase-client,x-firebase-gmpid"
      let reply = try await home.call(
        "OPTIONS", path,
        headers: [
          "Origin": "https://app.example", "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": fields,
        ])

      #expect(reply.status == 204)
      #expect(reply.headers["access-control-allow-origin"] == "https://app.example")
      #expect(reply.headers["access-control-allow-headers"] == fields)
    }
  }
}
