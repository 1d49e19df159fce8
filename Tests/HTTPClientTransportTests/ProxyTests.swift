import AuthCore
import Foundation
import HTTPClientTransport
import Testing
import TestSupport

struct ProxyTests {
  /// Accepts every CONNECT and then sends nothing more; `received` has the requests.
  private func proxy() throws -> RawServer {
    try RawServer {
      $0.readRequest()
      $0.send("HTTP/1.1 200 Connection established\r\n\r\n")
      _ = $0.readSome()
    }
  }

  private func ask(
    _ url: String, _ environment: [String: String], private privateHosts: [String] = [],
    resolver: PlayedResolver = PlayedResolver(["127.0.0.1"])
  ) async throws -> AuthError? {
    let transport = resolver.transport(environment: environment) { $0 == IPAddress("127.0.0.1") }
    var request = HTTPRequest(.post, url)
    request.privateHosts = privateHosts
    request.timeout = .seconds(20)
    let error = await transport.failure(of: request)
    try await transport.shutdown()
    return error
  }

  @Test(arguments: ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"])
  func `the proxy of the environment is asked to connect, and resolves the name`(_ name: String)
    async throws
  {
    let proxy = try proxy()
    let resolver = PlayedResolver(["127.0.0.1"])
    _ = try await ask(
      "https://login.example.com/token?code=hunter2",
      [name: "http://us%40er:pa%3Ass@\(proxy.place)"],
      resolver: resolver)
    let text = try #require(proxy.received.first)
    #expect(text.hasPrefix("CONNECT login.example.com:443 HTTP/1.1\r\n"))
    #expect(
      text.contains("proxy-authorization: Basic \(Data("us@er:pa:ss".utf8).base64EncodedString())"))
    #expect(!text.contains("hunter2"))
    #expect(resolver.asked.isEmpty)
  }

  @Test func `lower case and the more precise name win`() async throws {
    let used = try proxy()
    let unused = try proxy()
    _ = try await ask(
      "https://login.example.com:8443/",
      [
        "https_proxy": used.place, "HTTPS_PROXY": unused.place, "all_proxy": unused.place,
        "http_proxy": unused.place, "HTTP_PROXY": unused.place,
      ])
    #expect(used.received.first?.hasPrefix("CONNECT login.example.com:8443 ") == true)
    #expect(unused.accepted == 0)
  }

  @Test(arguments: [
    ("login.example.com", true), ("example.com", true), (".example.com", true),
    ("*.example.com", true), ("other.org, LOGIN.Example.com", true), ("*", true),
    ("ogin.example.com", false), ("example.co", false), ("example.com:1", false),
    ("login.example.com.evil.org", false), ("", false), ("127.0.0.0/8", false),
  ])
  func `hosts of NO_PROXY are reached directly, others are not`(_ list: String, _ isDirect: Bool)
    async throws
  {
    let proxy = try proxy()
    let server = try RawServer { _ = $0.readSome() }
    _ = try await ask(
      "https://login.example.com:\(server.port)/",
      ["HTTPS_PROXY": "http://\(proxy.place)", "NO_PROXY": list])
    #expect(server.accepted == (isDirect ? 1 : 0))
    #expect(proxy.accepted == (isDirect ? 0 : 1))
  }

  @Test(arguments: ["127.0.0.1", "127.0.0.0/8", "127.0.0.1/32"])
  func `NO_PROXY takes addresses and blocks`(_ list: String) async throws {
    let proxy = try proxy()
    let server = try RawServer { _ = $0.readSome() }
    _ = try await ask(
      "https://127.0.0.1:\(server.port)/",
      ["HTTPS_PROXY": "http://\(proxy.place)", "no_proxy": list])
    #expect(server.accepted == 1)
    #expect(proxy.accepted == 0)
  }

  @Test func `private hosts are reached directly`() async throws {
    let proxy = try proxy()
    let server = try RawServer { $0.answerAll() }
    let environment = [
      "HTTPS_PROXY": "http://\(proxy.place)", "HTTP_PROXY": "http://\(proxy.place)",
      "ALL_PROXY": "http://\(proxy.place)",
    ]
    let transport = HTTPClientTransport(environment: environment)
    #expect(try await transport.send(.to(server)).status == 200)
    #expect(proxy.accepted == 0)
    try await transport.shutdown()
  }

  @Test(arguments: [
    "127.0.0.2", "0x7f.2", "169.254.169.254", "[::1]", "[::ffff:10.0.0.1]", "localhost",
    "metadata.google.internal",
  ])
  func `attack 29: an address that is written as private is refused before the proxy sees it`(
    _ host: String
  ) async throws {
    let proxy = try proxy()
    let error = try await ask("https://\(host)/", ["HTTPS_PROXY": "http://\(proxy.place)"])
    #expect(error?.message.contains("private address") == true)
    #expect(proxy.accepted == 0)
  }

  @Test(arguments: ["403 Forbidden", "407 Proxy Authentication Required", "502 Bad Gateway"])
  func `a proxy that refuses is named as the one that did`(_ status: String) async throws {
    let proxy = try RawServer {
      $0.readRequest()
      $0.answer(status)
    }
    let error = try await ask(
      "https://login.example.com/", ["HTTPS_PROXY": "http://u:hunter2@\(proxy.place)"])
    #expect(error?.message == "The proxy did not connect to login.example.com.")
    #expect(error?.description.contains("hunter2") == false)
  }

  @Test func `a missing proxy is named as such`() async throws {
    let proxy = try RawServer(on: "127.0.0.25") { _ in }
    proxy.stop()
    for host in [proxy.place, "localhost:1"] {
      let error = try await ask("https://login.example.com/", ["HTTPS_PROXY": "http://\(host)"])
      #expect(error?.message == "The proxy to reach login.example.com through is not there.")
    }
  }

  @Test(arguments: [
    "https://proxy.example.com", "ftp://proxy.example.com", "http://", "://", "http://a b",
    "socks5://user:hunter2@proxy.example.com",
  ])
  func `a proxy that cannot be used is not gone around`(_ value: String) async throws {
    let server = try RawServer { _ = $0.readSome() }
    let error = try await ask(
      "https://login.example.com:\(server.port)/", ["HTTPS_PROXY": value])
    #expect(error?.message == "The proxy to reach login.example.com through cannot be used.")
    #expect(error?.description.contains("hunter2") == false)
    #expect(server.accepted == 0)
  }

  @Test func `a SOCKS proxy is given the name to resolve`() async throws {
    let asked = Received()
    let proxy = try RawServer {
      _ = $0.readSome()
      $0.send([5, 0])
      asked.add($0.readSome() ?? [])
    }
    _ = try await ask("https://login.example.com/", ["ALL_PROXY": "socks5h://\(proxy.place)"])
    #expect(asked.text.contains("login.example.com"))
  }
}
