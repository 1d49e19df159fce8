import AuthCore
import IdentityToolkitService
import Testing

/// Requests of tools that wait until a server answers, and of load balancers.
@Suite struct `HEAD requests` {
  static let paths: [(mode: ServerMode, path: String, status: Int)] = [
    (.emulator, "/", 200), (.emulator, "/emulator/openapi.json", 200),
    (.emulator, "/emulator/v1/projects/demo/config", 200),
    (.production, "/", 200), (.production, "/health", 200), (.production, "/ready", 200),
    (.production, "/nowhere", 404), (.production, "/v1/accounts:signUp", 404),
  ]

  @Test(arguments: paths)
  func `are answered as GET, without a body`(
    _ expected: (mode: ServerMode, path: String, status: Int)
  ) async throws {
    try await withServer(expected.mode) { home in
      // The second one shows that nothing of the first is left on the connection.
      for _ in 0..<2 {
        let head = try await home.call("HEAD", expected.path)
        let whole = try await home.call("GET", expected.path)
        #expect(head.status == expected.status)
        #expect(whole.status == expected.status)
        #expect(head.text.isEmpty)
        #expect(head.headers["content-length"] == "\(whole.text.utf8.count)")
        #expect(head.headers["content-type"] == whole.headers["content-type"])
      }
    }
  }

  @Test func `have the rights of GET`() async throws {
    try await withServer(.production) { home in
      let path = "\(home.accountsPath):batchGet"
      let (client, admin) = (
        try await home.call("HEAD", path), try await home.admin("HEAD", path)
      )
      #expect(client.status == 403)
      #expect(admin.status == 200)
    }
  }

  @Test func `reach the probes that the front page names`() async throws {
    try await withServer(.production) { home in
      let probes = try await home.call("GET", "/").json["health"]
      for name in ["live", "ready"] {
        let path = try #require(probes?[name]?.stringValue)
        let reply = try await home.call("HEAD", path)
        #expect(reply.status == 200, "\(path)")
      }
    }
  }
}
