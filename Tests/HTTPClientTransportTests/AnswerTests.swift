import AuthCore
import Foundation
import HTTPClientTransport
import TestSupport
import Testing

struct AnswerTests {
  @Test func `a request arrives as it was made, and its answer comes back`() async throws {
    let server = try RawServer {
      $0.answerAll(
        "201 Created", headers: "X-Two: a\r\nx-two: b\r\nSet-Cookie: c=1\r\n", "{\"a\":1}")
    }
    let transport = HTTPClientTransport(environment: [:])
    var request = HTTPRequest.to(server, "/token?x=%2F&y=1#part", .post, body: "grant=code")
    request.headers = [("Authorization", "Bearer t"), ("X-Name", "Zoë")]
    let response = try await transport.send(request)
    #expect(response.status == 201)
    #expect(response.headers["x-two"] == "a, b")
    #expect(response.headers["set-cookie"] == "c=1")
    #expect(response.json == .object(["a": 1]))
    let text = try #require(server.received.first)
    #expect(text.hasPrefix("POST /token?x=%2F&y=1 HTTP/1.1\r\n"))
    #expect(text.hasSuffix("\r\n\r\ngrant=code"))
    let lines = Set(text.components(separatedBy: "\r\n").dropFirst().map { $0.lowercased() })
    #expect(
      lines == [
        "authorization: bearer t", "x-name: zoë", "user-agent: authgraph", "content-length: 10",
        "host: \(server.place)", "", "grant=code",
      ])
    try await transport.shutdown()
  }

  @Test(arguments: [
    "/a%2Fb/../c//d;e", "/?a=%2F&b=a+b%20c&c=(1),'2'!*$", "/%E2%82%AC",
    "/a:b@c~d_e.f-g", "/?", "/??a=//b",
  ])
  func `a path and query arrive as they were written`(_ path: String) async throws {
    let server = try RawServer { $0.answerAll() }
    let transport = HTTPClientTransport(environment: [:])
    _ = try await transport.send(.to(server, path))
    #expect(server.received.first?.hasPrefix("GET \(path) HTTP/1.1\r\n") == true)
    try await transport.shutdown()
  }

  @Test func `a user agent that is given is kept`() async throws {
    let server = try RawServer { $0.answerAll() }
    let transport = HTTPClientTransport(environment: [:])
    var request = HTTPRequest.to(server)
    request.headers = [("user-agent", "Mine")]
    _ = try await transport.send(request)
    #expect(server.received.first?.contains("user-agent: Mine\r\n") == true)
    #expect(server.received.first?.contains("AuthGraph") == false)
    try await transport.shutdown()
  }

  @Test func `requests after one another use one connection`() async throws {
    let server = try RawServer { $0.answerAll("200 OK", "x") }
    let transport = HTTPClientTransport(environment: [:])
    for number in 1...20 {
      _ = try await transport.send(.to(server, "/\(number)", number % 2 == 0 ? .post : .get))
    }
    #expect(server.accepted == 1)
    #expect(server.received.count == 20)
    try await transport.shutdown()
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `attack 29: a redirect comes back as it is and is not followed`(_ status: Int) async throws {
    let inner = try RawServer { $0.answerAll() }
    let server = try RawServer {
      $0.answerAll("\(status) Moved", headers: "Location: \(inner.url("/latest/meta-data"))\r\n")
    }
    let transport = HTTPClientTransport(environment: [:])
    let response = try await transport.send(.to(server))
    #expect(response.status == status)
    #expect(response.headers["location"] == inner.url("/latest/meta-data"))
    #expect(inner.accepted == 0)
    #expect(server.received.count == 1)
    try await transport.shutdown()
  }

  @Test func `a server that never answers is given up`() async throws {
    let server = try RawServer { $0.waitForEnd() }
    try await expectTimeout(server)
    #expect(server.accepted == 1)
  }

  @Test func `a head that drips is given up`() async throws {
    let server = try RawServer { connection in
      connection.readRequest()
      connection.send("HTTP/1.1 200 OK\r\n")
      while connection.send("X-A: b\r\n") { Thread.sleep(forTimeInterval: 0.02) }
    }
    try await expectTimeout(server)
  }

  @Test(arguments: ["Content-Length: 100000\r\n\r\n", "\r\n"])
  func `a body that drips is given up`(_ ending: String) async throws {
    let server = try RawServer { connection in
      connection.readRequest()
      connection.send("HTTP/1.1 200 OK\r\n\(ending)")
      while connection.send("x") { Thread.sleep(forTimeInterval: 0.02) }
    }
    try await expectTimeout(server)
  }

  @Test func `a server that only sends 100 Continue is given up`() async throws {
    let server = try RawServer { connection in
      connection.readRequest()
      while connection.send("HTTP/1.1 100 Continue\r\n\r\n") { Thread.sleep(forTimeInterval: 0.01) }
    }
    try await expectTimeout(server)
  }

  private func expectTimeout(_ server: RawServer) async throws {
    let transport = HTTPClientTransport(environment: [:])
    let start = ContinuousClock.now
    let error = await transport.failure(of: .to(server, within: .milliseconds(300)))
    #expect(error?.message == "127.0.0.1 did not answer in time.")
    #expect(ContinuousClock.now - start >= .milliseconds(300))
    #expect(ContinuousClock.now - start < .seconds(20))
    try await transport.shutdown()
  }

  @Test func `no request is sent without time left`() async throws {
    let server = try RawServer { $0.waitForEnd() }
    let transport = HTTPClientTransport(environment: [:])
    for time in [Duration.zero, .seconds(-1)] {
      let error = await transport.failure(of: .to(server, within: time))
      #expect(error?.message == "127.0.0.1 did not answer in time.")
    }
    try await transport.shutdown()
  }

  @Test(arguments: ["Content-Length: 1001", "Transfer-Encoding: chunked", "Connection: close"])
  func `an answer above the limit is refused in any framing`(_ framing: String) async throws {
    let server = try RawServer { connection in
      connection.readRequest()
      connection.send("HTTP/1.1 200 OK\r\n\(framing)\r\n\r\n")
      let piece = String(repeating: "x", count: 1001)
      connection.send(framing.contains("chunked") ? "3e9\r\n\(piece)\r\n0\r\n\r\n" : piece)
    }
    let transport = HTTPClientTransport(environment: [:])
    var request = HTTPRequest.to(server)
    request.maximumResponseBytes = 1000
    let error = await transport.failure(of: request)
    #expect(error?.message == "The answer of 127.0.0.1 is larger than 1000 bytes.")
    #expect(server.received.count == 1)
    request.maximumResponseBytes = 1001
    #expect(try await transport.send(request).body.count == 1001)
    try await transport.shutdown()
  }

  @Test func `an endless answer is cut off and not read on`() async throws {
    let server = try RawServer { connection in
      connection.readRequest()
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      let piece = "10000\r\n" + String(repeating: "x", count: 0x10000) + "\r\n"
      while connection.sentBytes < 1 << 30, connection.send(piece) {}
    }
    let transport = HTTPClientTransport(environment: [:])
    _ = await transport.failure(of: .to(server))
    // The limit, and the bytes that the two kernels hold in between.
    #expect(server.sentBytes < 64 << 20)
    try await transport.shutdown()
  }

  @Test func `a head without an end is cut off`() async throws {
    let server = try RawServer { connection in
      connection.readRequest()
      connection.send("HTTP/1.1 200 OK\r\n")
      let line = "X-Filler: " + String(repeating: "x", count: 4000) + "\r\n"
      while connection.sentBytes < 1 << 30, connection.send(line) {}
    }
    let transport = HTTPClientTransport(environment: [:])
    let error = await transport.failure(of: .to(server, within: .seconds(30)))
    #expect(error?.message.contains("in time") == false)
    #expect(server.sentBytes < 64 << 20)
    try await transport.shutdown()
  }

  @Test func `a compressed answer is neither asked for nor unpacked`() async throws {
    let packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    let server = try RawServer { connection in
      while connection.readRequest() != nil {
        connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 10\r\n\r\n")
        connection.send(packed)
      }
    }
    let transport = HTTPClientTransport(environment: [:])
    let response = try await transport.send(.to(server))
    #expect(response.body == packed)
    #expect(server.received.first?.lowercased().contains("accept-encoding") == false)
    try await transport.shutdown()
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhal",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
  ])
  func `an incomplete answer is an error`(_ text: String) async throws {
    let server = try RawServer { connection in
      connection.readRequest()
      connection.send(text)
    }
    let transport = HTTPClientTransport(environment: [:])
    let error = await transport.failure(of: .to(server))
    #expect(error?.message == "127.0.0.1 closed the connection amid its answer.")
    #expect(server.received.count == 1)
    try await transport.shutdown()
  }

  @Test(arguments: [
    "garbage\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "\u{0}\u{1}\u{2}\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
    "HTTP/1.1 200 OK\r\nno colon here\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  ])
  func `an answer that is not HTTP is refused`(_ text: String) async throws {
    let server = try RawServer { connection in
      connection.readRequest()
      connection.send(text)
      connection.waitForEnd()
    }
    let transport = HTTPClientTransport(environment: [:])
    let error = await transport.failure(of: .to(server, within: .seconds(10)))
    #expect(error?.message == "127.0.0.1 answered with something that is not HTTP.")
    try await transport.shutdown()
  }
}
