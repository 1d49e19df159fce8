import AuthCore
import HTTPClientTransport
import Testing
import TestSupport

struct PrivateHostTests {
  @Test(arguments: [
    "127.0.0.1", "127.1", "127.0.1", "0x7f.1", "0x7f000001", "0X7F.0.0.1", "2130706433",
    "017700000001", "0177.0.0.1", "127.0.0.1.", "0", "0.0.0.0", "169.254.169.254", "2852039166",
    "0xa9fea9fe", "10.0.0.1", "192.168.1.1", "[::1]", "[::]", "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]", "[::127.0.0.1]", "[::ffff:169.254.169.254]", "[fd00:ec2::254]", "[fe80::1]",
    "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "localhost", "LOCALHOST", "localhost.",
    "api.localhost", "printer.local", "metadata.google.internal", "metadata", "router.home.arpa",
  ])
  func `attack 29: a private address is refused in every spelling`(_ host: String) async throws {
    let server = try RawServer { $0.answerAll() }
    let resolver = PlayedResolver(["127.0.0.1"])
    let transport = resolver.transport()
    let error = await transport.failure(of: HTTPRequest(.get, "https://\(host):\(server.port)/"))
    #expect(error?.message.hasSuffix("is, or has, a private address.") == true)
    #expect(resolver.asked.isEmpty)
    #expect(server.accepted == 0)
    try await transport.shutdown()
  }

  @Test(arguments: [
    ["127.0.0.1"], ["169.254.169.254"], ["::1"], ["::ffff:127.0.0.1"], ["10.0.0.1"], ["fd00::1"],
    ["8.8.8.8", "127.0.0.1"], ["2606:4700::1111", "::ffff:10.0.0.1"],
  ])
  func `attack 29: a public name with a private address is refused, even beside public ones`(
    _ addresses: [String]
  ) async throws {
    let resolver = PlayedResolver(addresses)
    let transport = resolver.transport()
    let error = await transport.failure(of: HTTPRequest(.get, "https://api.example.com/"))
    #expect(error?.message == "api.example.com is, or has, a private address.")
    #expect(resolver.asked == ["api.example.com"])
    try await transport.shutdown()
  }

  @Test
  func `attack 29: a name that is rebound to a private address after the check leads nowhere`()
    async throws
  {
    // 127.0.0.12 stands for the public address, 127.0.0.11 for the private one behind the same port.
    let inner = try RawServer(on: "127.0.0.11") { $0.answerAll() }
    let outer = try RawServer(on: "127.0.0.12", port: inner.port) { _ = $0.readSome() }
    let resolver = PlayedResolver(["127.0.0.12"], ["127.0.0.11"])
    let transport = resolver.transport { $0 == IPAddress("127.0.0.12") }
    var request = HTTPRequest(.post, "https://rebind.example.com:\(inner.port)/")
    request.timeout = .seconds(20)

    _ = await transport.failure(of: request)
    #expect(resolver.asked.count == 1)
    #expect(outer.accepted == 1)
    #expect(inner.accepted == 0)

    let second = await transport.failure(of: request)
    #expect(second?.message == "rebind.example.com is, or has, a private address.")
    #expect(resolver.asked.count == 2)
    #expect(inner.accepted == 0)
    try await transport.shutdown()
  }

  @Test func `attack 29: repeating a request asks the name server no second time`() async throws {
    let inner = try RawServer(on: "127.0.0.13") { $0.answerAll() }
    let outer = try RawServer(on: "127.0.0.14", port: inner.port) { _ = $0.readRequest() }
    let resolver = PlayedResolver(["127.0.0.14"], ["127.0.0.13"])
    let transport = resolver.transport { $0 == IPAddress("127.0.0.14") }
    var request = HTTPRequest(.get, "http://rebind.example.com:\(inner.port)/")
    request.privateHosts = ["rebind.example.com"]
    _ = await transport.failure(of: request)
    #expect(resolver.asked.count == 1)
    #expect(outer.accepted == 3)
    #expect(inner.accepted == 0)
    try await transport.shutdown()
  }

  @Test(arguments: [
    ("login.example.com", "login.example.com"), ("LOGIN.Example.COM.", "login.example.com"),
    ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("a_b.example.com", "a_b.example.com"),
    ("a--b.example.com", "a--b.example.com"), ("1password.example.com", "1password.example.com"),
    ("-.example.com", "-.example.com"),
  ])
  func
    `attack 29: whatever way a host is written, its connection goes to the address that was checked`(
      _ written: String, _ meant: String
    ) async throws
  {
    let hello = Received()
    let server = try RawServer(on: "127.0.0.2") { hello.add($0.readSome() ?? []) }
    let resolver = PlayedResolver(["127.0.0.2"])
    let transport = resolver.transport { _ in true }
    _ = await transport.failure(of: HTTPRequest(.post, "https://\(written):\(server.port)/"))
    #expect(resolver.asked == [meant])
    #expect(server.accepted == 1)
    #expect(hello.text.contains(meant))
    try await transport.shutdown()
  }

  @Test func `addresses are kept for their time, and asked for again after it`() async throws {
    let server = try RawServer { $0.answerAll() }
    let keeping = PlayedResolver(["127.0.0.1"])
    let forgetting = PlayedResolver(["127.0.0.1"])
    var request = HTTPRequest(.get, "http://idp.example.com:\(server.port)/")
    request.privateHosts = ["idp.example.com"]
    let first = keeping.transport(lifetime: .seconds(30))
    let second = forgetting.transport(lifetime: .zero)
    for _ in 1...3 {
      _ = try await first.send(request)
      _ = try await second.send(request)
    }
    #expect(keeping.asked.count == 1)
    #expect(forgetting.asked.count == 3)
    // An open connection stays in use while the address is the same.
    #expect(server.accepted == 2)
    try await first.shutdown()
    try await second.shutdown()
  }

  @Test func `only the host and port that an admin allowed may be private`() async throws {
    let server = try RawServer { $0.answerAll("200 OK", "yes") }
    let other = try RawServer { $0.answerAll() }
    let transport = PlayedResolver(["127.0.0.1"]).transport()
    var request = HTTPRequest(.get, server.url())
    for allowed in ["127.0.0.1", server.place, "LOCALHOST:1,", ""] {
      request.privateHosts = [allowed]
      if allowed.hasPrefix("127") {
        #expect(try await transport.send(request).body == Array("yes".utf8))
      } else {
        _ = await transport.failure(of: request)
      }
    }
    request.url = other.url()
    request.privateHosts = [server.place]
    _ = await transport.failure(of: request)
    request.url = "https://127.0.0.1:\(other.port)/"
    _ = await transport.failure(of: request)
    request.url = "http://idp.example.com:\(server.port)/"
    request.privateHosts = ["idp.example.com:\(server.port)"]
    #expect(try await transport.send(request).status == 200)
    request.privateHosts = ["example.com"]
    _ = await transport.failure(of: request)
    #expect(other.accepted == 0)
    try await transport.shutdown()
  }

  @Test(arguments: [
    "http://api.example.com/", "ftp://api.example.com/", "file:///etc/passwd",
    "http+unix://%2Ftmp%2Fsocket/", "unix:///tmp/socket", "https:///path", "https://", "", "/path",
    "api.example.com", "//api.example.com/", "https://user@api.example.com/",
    "https://user:secret@api.example.com/", "https://api.example.com@127.0.0.1/",
    "https://api.example.com\\@127.0.0.1/", "https://api.example.com:0/",
    "https://api.example.com:65536/", "https://api.example.com:443:80/",
    "https://api.example.com:/",
    "https://api..example.com/", "https://api%2eexample.com/", "https://1.2.3.4.5/",
    "https://256.1.1.1/", "https://08.8.8.8/", "https://[::1/", "https://[127.0.0.1]/",
    "https://[fe80::1%25eth0]/", "https://bücher.example/", "https://api.example.com/a b",
    "https://api.example.com/\r\nX: y", "https://api.example.com/\u{0}",
    "https://api.example.com/%zz?x=%2F", "https://api.example.com/?x=%2",
    "https://api.example.com/{a}",
    "https://api.example.com/\\", "https://api.example.com/?x=ü",
  ])
  func `a URL that is not plain https is refused before anything is asked`(_ url: String)
    async throws
  {
    let resolver = PlayedResolver(["127.0.0.1"])
    let transport = resolver.transport { _ in true }
    let error = await transport.failure(of: HTTPRequest(.get, url))
    #expect(error?.field == "url")
    #expect(error?.description.contains("secret") == false)
    #expect(resolver.asked.isEmpty)
    try await transport.shutdown()
  }

  @Test func `a name without an address and a silent name server have errors of their own`()
    async throws
  {
    let nowhere = PlayedResolver([]).transport()
    let request = HTTPRequest(.get, "https://nowhere.example.com/")
    #expect(await nowhere.failure(of: request)?.message == "nowhere.example.com has no address.")
    try await nowhere.shutdown()

    let silent = HTTPClientTransport(
      environment: [:],
      resolver: { _ in
        // A name server that never answers, and ignores cancellation.
        await withUnsafeContinuation { (_: UnsafeContinuation<[IPAddress], Never>) in }
      })
    var hurried = request
    hurried.timeout = .milliseconds(200)
    #expect(
      await silent.failure(of: hurried)?.message == "nowhere.example.com did not answer in time.")
    try await silent.shutdown()
  }

  @Test func `the system's name server is asked by default`() async throws {
    let server = try RawServer { $0.answerAll("200 OK", "near") }
    let transport = HTTPClientTransport(environment: [:])
    var request = HTTPRequest(.get, "http://localhost:\(server.port)/")
    request.privateHosts = ["localhost"]
    #expect(try await transport.send(request).body == Array("near".utf8))
    try await transport.shutdown()
  }
}
