import AuthCore
import Testing

@testable import AuthServer
@testable import IdentityToolkitService

/// S17: `/metrics` is not public.
@Suite struct `Access to the metrics` {
  private struct Case: Sendable {
    let metrics: MetricsAccess?
    var host = "127.0.0.1"
    var publicURL = "http://localhost:9099"
    let isOpen: Bool
  }

  private static let cases = [
    Case(metrics: nil, isOpen: true),
    Case(metrics: nil, host: "0.0.0.0", isOpen: false),
    Case(metrics: nil, publicURL: "https://auth.example.com", isOpen: false),
    Case(metrics: .open, host: "0.0.0.0", isOpen: true), Case(metrics: .off, isOpen: false),
  ]

  @Test(arguments: ServerMode.allCases)
  func `is open on this machine's own address, closed on a public one, or as it is set`(
    _ mode: ServerMode
  ) async throws {
    for one in Self.cases {
      try await withServer(
        mode,
        configure: { setup in
          setup.http.host = one.host
          setup.settings = { settings in
            settings.metrics = one.metrics
            settings.publicURL = one.publicURL
          }
        }
      ) { home in
        let reply = try await home.call("GET", "/metrics")
        #expect(reply.status == (one.isOpen ? 200 : 404), "\(one): \(reply.text)")
        // A token does not open metrics that are off.
        let admin = try await home.admin("GET", "/metrics")
        #expect(admin.status == (one.isOpen ? 200 : 404), "\(one)")
        #expect(try await home.call("GET", "/health").status == 200)
      }
    }
  }

  @Test func `takes a token of the whole server if that is set`() async throws {
    try await withServer(
      .production,
      configure: { setup in
        setup.settings = { $0.metrics = .token }
        setup.admins = { token, _ in
          token == "none"
            ? nil : AdminRight(name: token, scopes: [token], project: ServerHome.project)
        }
      }
    ) { home in
      for (token, status) in [("server", 200), ("all", 403), ("audit", 403), ("none", 401)] {
        let reply = try await home.call(
          "GET", "/metrics", nil, headers: ["Authorization": "Bearer \(token)"])
        #expect(reply.status == status, "\(token): \(reply.text)")
      }
      for path in ["/metrics", "/metrics?key=test-key"] {
        #expect(try await home.call("GET", path).status == 401)
      }
    }
  }

  @Test func `changes while the server runs`() async throws {
    try await withServer(.production, configure: { $0.servers = 1 }) { home in
      let open = try await home.call("GET", "/metrics")
      #expect(open.status == 200)
      var settings = home.services.settings
      settings.metrics = .off
      home.services.live.replace(with: settings)
      #expect(try await home.call("GET", "/metrics").status == 404)
    }
  }

  @Test(arguments: [
    ("localhost", true), ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("[::1]", true),
    ("::ffff:127.0.0.1", true), ("LOCALHOST", true), ("0.0.0.0", false), ("::", false),
    ("192.0.2.1", false), ("localhost.example.com", false), ("127.0.0.1.example.com", false),
    ("", false),
  ])
  func `this machine's own address is a loopback address`(_ host: String, _ isOne: Bool) {
    #expect(LoopbackHost.isOne(host) == isOne)
  }
}
