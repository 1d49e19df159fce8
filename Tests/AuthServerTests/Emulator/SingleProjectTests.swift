import AuthCore
import Testing

@testable import IdentityToolkitService

@Suite struct `An emulator of a single project` {
  private static let other = "/v1/projects/other-shop/accounts:lookup"
  private static let body: JSONValue = ["localId": ["nobody"]]

  private func withMode(
    _ mode: SingleProjectMode, projects: Set<String> = [],
    _ body: @escaping @Sendable (ServerHome, LogLines) async throws -> Void
  ) async throws {
    let lines = LogLines()
    try await withServer(
      .emulator,
      configure: {
        $0.servers = 1
        $0.logger = lines.logger
        $0.settings = { settings in
          settings.singleProjectMode = mode
          settings.projects = projects
        }
      }
    ) { home in try await body(home, lines) }
  }

  private static func warnings(_ lines: LogLines) -> Int {
    lines.all.count { $0.contains("names another one") }
  }

  @Test func `refuses requests for another project`() async throws {
    try await withMode(.error) { home, lines in
      for (method, path) in [
        ("POST", Self.other), ("GET", "/v2/projects/other-shop/config"),
        ("DELETE", "/emulator/v1/projects/other-shop/accounts"),
      ] {
        let reply = try await home.admin(method, path, method == "POST" ? Self.body : nil)
        #expect(reply.status == 400, "\(path): \(reply.text)")
        #expect(reply.message?.contains(ServerHome.project) == true)
        #expect(reply.message?.contains("--single-project-mode off") == true)
      }
      let named = try await home.admin(
        "POST", "/v1/accounts:lookup",
        ["localId": ["nobody"], "targetProjectId": "other-shop"])
      #expect(named.status == 400)
      #expect(try await home.admin("POST", "\(home.accountsPath):lookup", Self.body).status == 200)
      #expect(try await home.post(ServerHome.signUp).status == 200)
    }
  }

  @Test func `warns once of each other project, by default`() async throws {
    #expect(ServerSettings(project: "a", publicURL: "").singleProjectMode == .warn)
    try await withMode(.warn) { home, lines in
      for _ in 0..<3 {
        #expect(try await home.admin("POST", Self.other, Self.body).status == 200)
      }
      #expect(Self.warnings(lines) == 1)
      _ = try await home.admin("GET", "/v2/projects/third-shop/config")
      #expect(Self.warnings(lines) == 2)
    }
  }

  @Test func `may be off, and knows the projects of the configuration`() async throws {
    try await withMode(.off) { home, lines in
      let reply = try await home.admin("POST", Self.other, Self.body)
      #expect(reply.status == 200, "\(reply.text)")
      #expect(Self.warnings(lines) == 0)
    }
    try await withMode(.error, projects: ["other-shop"]) { home, lines in
      let reply = try await home.admin("POST", Self.other, Self.body)
      #expect(reply.status == 200, "\(reply.text)")
      #expect(Self.warnings(lines) == 0)
    }
  }
}
