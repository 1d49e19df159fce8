import AuthCore
import IdentityToolkit
import Testing

@testable import IdentityToolkitService

@Suite struct DispatchingTests {
  private static let modes = [ServerMode.production, .emulator]

  @Test(arguments: modes)
  func `an unknown path is not found`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let reply = try await home.post("/v1/accounts:fly")
      #expect(reply.status == 404)
      #expect(reply.json["error"]?["status"] == "NOT_FOUND")
      #expect(reply.message == "Not Found")
    }
  }

  @Test func `every form of a path leads to its operation`() throws {
    let route = Route(
      .post, "/v1/projects/{project}/tenants/{tenant}/accounts:lookup", name: "x"
    ) { _ in .json(.null) }
    let short = Route(.post, "/v1/accounts:lookup", name: "y") { _ in .json(.null) }
    let cookie = Route(.post, "/v1/projects/{project}:createSessionCookie", name: "z") { _ in
      .json(.null)
    }
    let table = RouteTable([route, short, cookie])
    func match(_ path: String) throws -> RouteTable.Match {
      let place = try #require(RoutePath(method: "POST", path: path))
      return try #require(table.match(place), "\(path)")
    }
    for path in [
      "/v1/accounts:lookup", "/identitytoolkit.googleapis.com/v1/accounts:lookup",
      "/identitytoolkit/v3/relyingparty/getAccountInfo",
      "/www.googleapis.com/identitytoolkit/v3/relyingparty/getAccountInfo",
    ] {
      #expect(try match(path).route.name == "y")
    }
    #expect(
      try match("/v1/projects/p/tenants/t%2F1/accounts:lookup").values == [
        "project": "p", "tenant": "t/1",
      ])
    #expect(
      try match("/v1/projects/a.com:p:createSessionCookie").values == ["project": "a.com:p"])
    let other = try #require(RoutePath(method: "GET", path: "/v1/accounts:lookup"))
    #expect(table.match(other) == nil)
  }

  @Test(arguments: modes)
  func `a browser's preflight request is let in`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let reply = try await home.call(
        "OPTIONS", "/v1/accounts:signUp", nil,
        headers: [
          "Origin": "https://app.example", "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": "x-client-version,x-firebase-gmpid",
          "Access-Control-Request-Private-Network": "true",
        ])
      #expect(reply.status == 204)
      #expect(reply.headers["access-control-allow-origin"] == "https://app.example")
      #expect(
        reply.headers["access-control-allow-headers"] == "x-client-version,x-firebase-gmpid")
      #expect(reply.headers["access-control-allow-private-network"] == "true")
    }
  }

  @Test(arguments: [
    ("10.0.0.9", "203.0.113.7", "203.0.113.7"), ("10.0.0.9", "1.1.1.1, 203.0.113.7", "203.0.113.7"),
    ("10.0.0.9", "203.0.113.7, 10.1.2.3", "203.0.113.7"),
    ("198.51.100.1", "1.1.1.1", "198.51.100.1"),
    ("10.0.0.9", "1.1.1.1, nonsense", "10.0.0.9"),
  ])
  func `attack 31: an address is believed only from trusted proxies`(
    _ peer: String, _ forwarded: String, _ expected: String
  ) throws {
    let trusted = try [#require(NetworkPrefix("10.0.0.0/8"))]
    #expect(
      ClientAddress.of(peer: peer, forwardedFor: forwarded, trusted: trusted) == expected)
  }

  @Test func `attack 31: a network's IPv6 addresses count as one`() {
    let first = ClientAddress.countedAs("2001:db8:1:2::1")
    #expect(first == ClientAddress.countedAs("2001:db8:1:2:ffff::9"))
    #expect(first != ClientAddress.countedAs("2001:db8:1:3::1"))
    #expect(ClientAddress.countedAs("::ffff:192.0.2.1") == ClientAddress.countedAs("192.0.2.1"))
  }

  @Test func `a limit lets its number of requests through, and opens again`() throws {
    let limiter = RateLimiter()
    func take(_ milliseconds: Int64) throws {
      try limiter.take(
        "x", of: "a", limit: 3, seconds: 60, at: Timestamp(milliseconds: milliseconds))
    }
    for _ in 0..<3 { try take(1000) }
    #expect(throws: WireError.self) { try take(2000) }
    // At the border of two windows the limit does not double.
    #expect(throws: WireError.self) { try take(60_001) }
    try take(100_000)
    try limiter.take("x", of: "b", limit: 3, seconds: 60, at: Timestamp(milliseconds: 1000))
  }
}
