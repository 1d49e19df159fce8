import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct `The ID of a request` {
  @Test func `is on every answer, and another one each time`() async throws {
    let log = LogLines()
    try await withServer(
      .production,
      configure: {
        $0.logger = log.logger
        $0.servers = 1
      }
    ) { home in
      let replies = [
        try await home.call("GET", "/healthz"), try await home.call("GET", "/nowhere"),
        try await home.post(ServerHome.signUp), try await home.post(ServerHome.signIn, ["x": 1]),
      ]
      let ids = try replies.map { try #require($0.headers["x-request-id"]) }
      #expect(Set(ids).count == replies.count)
      for id in ids {
        #expect(log.all.count { $0.hasPrefix("answered ") && $0.contains(id) } == 1)
      }
      let event = try #require(try await home.graph.events(limit: 1, in: home.scope).first)
      #expect(event.requestID == ids[2], "\(event)")
    }
  }

  @Test(arguments: [true, false])
  func `is a proxy's if it is trusted and writes a name`(_ isTrusted: Bool) async throws {
    try await withServer(
      .production,
      configure: { setup in
        setup.settings = { if isTrusted { $0.trustedProxies = ["127.0.0.0/8"] } }
      }
    ) { home in
      let longest = String(repeating: "a", count: 64)
      for (given, isName) in [
        ("proxy-7.A_b", true), (longest, true), (longest + "a", false), ("a b", false),
        ("a\"b", false), ("a/b", false), ("", false), ("a,b", false),
      ] {
        let reply = try await home.send(
          "POST", "\(ServerHome.signUp)?key=test-key", Array("{}".utf8),
          headers: ["X-Request-Id": given])
        #expect(reply.status == 200, "\(reply.text)")
        let id = try #require(reply.headers["x-request-id"])
        #expect((id == given) == (isTrusted && isName), "\(given): \(id)")
        #expect(!id.isEmpty)
        let event = try #require(try await home.graph.events(limit: 1, in: home.scope).first)
        #expect(event.requestID == id)
      }
    }
  }

  @Test(arguments: ["ä", "a\u{0}", "a\n", " a", "a:b", "\u{2F}"])
  func `has no letters that need quoting`(_ given: String) throws {
    let trusted = [try #require(NetworkPrefix("10.0.0.0/8"))]
    #expect(RequestID.of(given, from: "10.1.2.3", trusted: trusted) != given)
    #expect(RequestID.of("r-1", from: "10.1.2.3", trusted: trusted) == "r-1")
    #expect(RequestID.of("r-1", from: "11.1.2.3", trusted: trusted) != "r-1")
    #expect(RequestID.of("r-1", from: nil, trusted: trusted) != "r-1")
  }

  @Test func `is in no event from outside of a request`() async throws {
    try await withServer(.production) { home in
      try await home.seed("a")
      let list = try await home.admin("GET", "\(home.adminRoot)/events")
      let event = try #require(list.json["events"]?.items.first)
      #expect(event["requestID"] == nil)
      #expect(event["details"]?["client"] == nil)
      #expect(event["action"] == "create")
    }
  }
}
