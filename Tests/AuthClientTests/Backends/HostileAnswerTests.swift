import AuthClient
import Foundation
import NIOConcurrencyHelpers
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Servers that do not answer as they should, each on a socket of its own.
@Suite struct `Hostile answers to the client` {
  private func ask(_ server: RawServer) async throws -> BackendResponse {
    try await HTTPBackend(emulatorHost: "127.0.0.1", port: server.port).send(Self.request)
  }

  static let request = BackendRequest(
    path: "/v1/accounts:signInWithPassword", apiKey: "the-key-of-the-app",
    body: Data(#"{"password":"the-password"}"#.utf8))

  /// Expects an error of URLSession that tells nothing of the request.
  private func expectFailure(
    _ codes: URLError.Code..., sourceLocation: SourceLocation = #_sourceLocation,
    from script: @escaping @Sendable (RawConnection) -> Void
  ) async throws {
    let server = try RawServer(script)
    defer { server.stop() }
    let thrown = await #expect(throws: (any Error).self, sourceLocation: sourceLocation) {
      try await ask(server)
    }
    let error = try #require(thrown) as NSError
    #expect(error.domain == NSURLErrorDomain, sourceLocation: sourceLocation)
    if !codes.isEmpty {
      #expect(codes.map(\.rawValue).contains(error.code), sourceLocation: sourceLocation)
    }
    let text = "\(error) \(error.userInfo)"
    #expect(!text.contains("the-key-of-the-app") && !text.contains("the-password"))
  }

  @Test func `attack: a body without end is refused before it fills memory`() async throws {
    let used = NIOLockedValueBox(0)
    let before = try #require(Self.memory())
    try await expectFailure(.dataLengthExceedsMaximum) { connection in
      connection.readRequest()
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = "10000\r\n\(String(repeating: "x", count: 65_536))\r\n"
      while connection.send(chunk) {
        let now = Self.memory() ?? 0
        used.withLockedValue { $0 = max($0, now - before) }
      }
    }
    #expect(used.withLockedValue(\.self) < 100_000_000)
  }

  /// The memory of this process in bytes.
  private static func memory() -> Int? {
    // The second number is that of resident pages.
    let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
      separator: " ")
    return pages?.dropFirst().first.flatMap { Int($0) }.map { $0 * Int(getpagesize()) }
  }

  @Test func `attack: an announced body that is too large is not awaited`() async throws {
    try await expectFailure(.dataLengthExceedsMaximum) { connection in
      connection.readRequest()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")
      connection.waitForEnd()
    }
  }

  @Test func `attack: a small body that decompresses to a large one is refused`() async throws {
    let bomb = try Self.compressedZeros(mebibytes: 4)
    #expect(bomb.count < 100_000)
    try await expectFailure(.dataLengthExceedsMaximum) { connection in
      connection.readRequest()
      connection.send(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
      connection.send(bomb)
      connection.waitForEnd()
    }
  }

  @Test func `attack: a head without end is refused`() async throws {
    try await expectFailure { connection in
      connection.readRequest()
      connection.send("HTTP/1.1 200 OK\r\n")
      while connection.send("X-Filler: \(String(repeating: "y", count: 8000))\r\n") {}
    }
  }

  @Test(arguments: ["302 Found", "307 Temporary Redirect", "308 Permanent Redirect"])
  func `attack: a redirect takes no password to another host`(status: String) async throws {
    let thief = try RawServer { $0.answerAll() }
    defer { thief.stop() }
    let place = thief.url("/stolen")
    let server = try RawServer { $0.answerAll(status, headers: "Location: \(place)\r\n", "{}") }
    defer { server.stop() }

    let answer = try await ask(server)
    #expect("\(answer.status)" == status.prefix(3))
    #expect(thief.accepted == 0)
  }

  @Test func `attack: a cookie is not sent back, whatever the given session stores`() async throws {
    let server = try RawServer {
      $0.answerAll(headers: "Set-Cookie: track=me\r\nCache-Control: max-age=900\r\n", "{}")
    }
    defer { server.stop() }
    let session = URLSession(configuration: .default)
    let backend = HTTPBackend(
      server: try #require(URL(string: "http://\(server.place)")), session: session)
    for _ in 0..<2 { _ = try await backend.send(Self.request) }

    #expect(server.received.count == 2)
    #expect(server.received.allSatisfy { !$0.lowercased().contains("cookie") })
    session.invalidateAndCancel()
  }

  @Test func `the configuration of the given session stays as it is`() throws {
    let configuration = URLSessionConfiguration.default
    configuration.httpCookieAcceptPolicy = .always
    configuration.httpMaximumConnectionsPerHost = 3
    let session = URLSession(configuration: configuration)

    _ = HTTPBackend(server: try #require(URL(string: "http://127.0.0.1:9")), session: session)

    #expect(session.configuration.httpCookieStorage != nil)
    #expect(session.configuration.httpShouldSetCookies)
    #expect(session.configuration.httpCookieAcceptPolicy == .always)
    #expect(session.configuration.httpMaximumConnectionsPerHost == 3)
  }

  @Test func `a demand for a login ends the request`() async throws {
    let server = try RawServer {
      $0.answerAll("401 Unauthorized", headers: "WWW-Authenticate: Basic realm=\"x\"\r\n", "{}")
    }
    defer { server.stop() }
    // Apple's platforms give the refusal back; Linux ends the task.
    let status = try? await ask(server).status
    #expect(status == nil || status == 401)
    #expect(server.received.allSatisfy { !$0.lowercased().contains("authorization:") })
  }

  @Test func `an answer that is not HTTP is an error`() async throws {
    try await expectFailure { connection in
      connection.readRequest()
      connection.send("SSH-2.0-OpenSSH_9.2\r\n\r\n")
    }
  }

  @Test func `a reset amid the body is an error, not half an answer`() async throws {
    try await expectFailure { connection in
      connection.readRequest()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"idToken\":")
      connection.reset()
    }
  }

  @Test(arguments: [
    "Content-Length: 1000\r\n\r\n{}", "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
  ])
  func `a body that ends early is an error, not half an answer`(rest: String) async throws {
    try await expectFailure { connection in
      connection.readRequest()
      connection.send("HTTP/1.1 200 OK\r\n\(rest)")
    }
  }

  @Test func `TLS to a port without it is an error`() async throws {
    let server = try RawServer { connection in
      _ = connection.readSome()
      connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
    }
    defer { server.stop() }
    let backend = HTTPBackend(server: try #require(URL(string: "https://\(server.place)")))
    let error = await #expect(throws: (any Error).self) { try await backend.send(Self.request) }
    #expect((error as NSError?)?.domain == NSURLErrorDomain)
  }

  @Test func `a closed port is an error of the network for callers of Auth`() async throws {
    let server = try RawServer { $0.close() }
    server.stop()
    let auth = Auth(backend: HTTPBackend(emulatorHost: "127.0.0.1", port: server.port))
    let error = await #expect(throws: (any Error).self) { try await auth.signInAnonymously() }
    #expect(AuthErrorCode(try #require(error)) == .networkError)
    let beneath = (error as NSError?)?.userInfo[NSUnderlyingErrorKey] as? NSError
    #expect(beneath?.domain == NSURLErrorDomain)
  }

  private static func compressedZeros(mebibytes: Int) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "head -c \(mebibytes)M /dev/zero | gzip -9"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Array(bytes)
  }
}
