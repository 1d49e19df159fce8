import AuthCore
import Testing

@testable import IdentityToolkitService

@Suite struct `The emulator's own paths` {
  private let root = "/emulator/v1/projects/\(ServerHome.project)"

  @Test func `all accounts of a project or a tenant go at once, without credentials`() async throws
  {
    try await withServer(.emulator) { home in
      let tenant = Scope(project: ServerHome.project, tenant: "berlin")
      _ = try await home.admin("GET", "\(home.tenantsPath)/berlin")
      try await home.seed("a", email: "a@example.com")
      try await home.seed("b", in: tenant)
      let reply = try await home.call("DELETE", "\(root)/accounts")
      #expect(reply.status == 200)
      #expect(reply.json == [:])
      #expect(try await home.graph.accountCount(in: home.scope) == 0)
      #expect(try await home.graph.accountCount(in: tenant) == 1)
      #expect(try await home.call("DELETE", "\(root)/tenants/berlin/accounts").json == [:])
      #expect(try await home.graph.accountCount(in: tenant) == 0)
      // A removed account can be created again.
      try await home.seed("a", email: "a@example.com")
    }
  }

  @Test func `two settings are shown, and changed one by one`() async throws {
    try await withServer(.emulator) { home in
      let path = "\(root)/config"
      #expect(
        try await home.call("GET", path).json == [
          "signIn": ["allowDuplicateEmails": false],
          "emailPrivacyConfig": ["enableImprovedEmailPrivacy": false],
        ])
      let first = try await home.call("PATCH", path, ["signIn": ["allowDuplicateEmails": true]])
      #expect(first.json["signIn"] == ["allowDuplicateEmails": true])
      let second = try await home.call(
        "PATCH", path, ["emailPrivacyConfig": ["enableImprovedEmailPrivacy": true]])
      #expect(
        second.json == [
          "signIn": ["allowDuplicateEmails": true],
          "emailPrivacyConfig": ["enableImprovedEmailPrivacy": true],
        ])
      #expect(try await home.call("PATCH", path, [:]).json == second.json)
      #expect(try await home.admin("GET", home.configPath).json["signIn"] == first.json["signIn"])
      let wrong = try await home.call("PATCH", path, ["signIn": ["allowDuplicateEmails": 1]])
      #expect(wrong.status == 400)
    }
  }

  @Test func `production has none of them`() async throws {
    try await withServer(.production) { home in
      for (method, path) in [
        ("DELETE", "\(root)/accounts"), ("DELETE", "\(root)/tenants/t/accounts"),
        ("GET", "\(root)/config"), ("PATCH", "\(root)/config"), ("GET", "/emulator/openapi.json"),
      ] {
        for reply in [
          try await home.call(method, path, method == "PATCH" ? [:] : nil),
          try await home.admin(method, path, method == "PATCH" ? [:] : nil),
        ] {
          #expect(reply.status == 404, "\(method) \(path)")
          #expect(reply.message == "Not Found")
        }
      }
    }
  }

  @Test func `the front page shows the state and the description`() async throws {
    try await withServer(.emulator) { home in
      let reply = try await home.call("GET", "/")
      #expect(reply.status == 200)
      #expect(reply.json["authEmulator"]?["ready"] == true)
      #expect(reply.json["authEmulator"]?["apiSpec"] == "/emulator/openapi.json")
      // The emulator formats its JSON with two spaces.
      #expect(reply.text.contains("\n  \"authEmulator\""))
    }
    try await withServer(.production) { home in
      let reply = try await home.call("GET", "/")
      #expect(reply.json["name"] == "AuthGraph")
      #expect(reply.json["health"]?["ready"]?.stringValue?.hasPrefix("/") == true)
    }
  }

  @Test func `the description has every operation of the protocol`() async throws {
    try await withServer(.emulator) { home in
      let reply = try await home.call("GET", "/emulator/openapi.json")
      #expect(reply.status == 200)
      #expect(reply.json["openapi"] == "3.1.0")
      for route in Route.all where route.modes.contains(.emulator) {
        let prefix = route.service == .own ? "" : "/\(route.service.rawValue)"
        let item = reply.json["paths"]?[prefix + route.pattern]
        #expect(item?[route.method.rawValue.lowercased()] != nil, "\(route.pattern)")
      }
    }
  }
}
