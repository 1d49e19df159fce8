import IdentityToolkitService
import Logging
import Testing

@testable import AuthServer

@Suite struct `Open connections of an address` {
  private func counts(_ limit: Int, trusted: [String] = []) -> ConnectionCounts {
    var settings = ServerSettings(project: "demo-shop", publicURL: "http://localhost")
    settings.trustedProxies = trusted
    return ConnectionCounts(
      limit: limit, settings: LiveSettings(settings),
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
  }

  @Test func `are bounded, and one that ends makes room`() throws {
    let counts = counts(2)
    let name = try #require(try counts.open("192.0.2.1"))
    _ = try counts.open("192.0.2.1")
    #expect(throws: TooManyConnections.self) { try counts.open("192.0.2.1") }
    _ = try counts.open("192.0.2.2")
    counts.close(name)
    _ = try counts.open("192.0.2.1")
    #expect(throws: TooManyConnections.self) { try counts.open("192.0.2.1") }
  }

  @Test func `are those of an IPv6 network of 64 bits, and of the IPv4 address inside an IPv6 one`()
    throws
  {
    let counts = counts(1)
    _ = try counts.open("2001:db8:1:2::1")
    #expect(throws: TooManyConnections.self) { try counts.open("2001:db8:1:2:ffff::9") }
    _ = try counts.open("2001:db8:1:3::1")
    _ = try counts.open("192.0.2.1")
    #expect(throws: TooManyConnections.self) { try counts.open("::ffff:192.0.2.1") }
  }

  @Test func `are not counted for a trusted proxy`() throws {
    let counts = counts(1, trusted: ["10.0.0.0/8", "2001:db8::/32"])
    for address in ["10.1.2.3", "::ffff:10.1.2.3", "2001:db8:1:2::1"] {
      for _ in 0..<3 {
        let name = try counts.open(address)
        #expect(name == nil)
      }
    }
    _ = try counts.open("192.0.2.1")
    #expect(throws: TooManyConnections.self) { try counts.open("192.0.2.1") }
  }

  @Test func `one address gets a quarter at most of a small number, unless more is asked for`() {
    var http = HTTPConfiguration()
    #expect(http.connectionsPerAddress == 256)
    http.maximumConnections = 40
    #expect(http.connectionsPerAddress == 10)
    http.maximumConnections = 1
    #expect(http.connectionsPerAddress == 1)
    http.maximumConnectionsPerAddress = 40
    #expect(http.connectionsPerAddress == 40)
    http.maximumConnectionsPerAddress = 0
    #expect(http.connectionsPerAddress == nil)
  }
}
