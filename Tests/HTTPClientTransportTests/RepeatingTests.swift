import AuthCore
import Foundation
import HTTPClientTransport
import Synchronization
import Testing
import TestSupport

struct RepeatingTests {
  /// A server whose connections answer by the closures in turn; the last one serves all further connections.
  private func server(_ ways: (@Sendable (RawConnection) -> Void)...) throws -> RawServer {
    let turn = Mutex(0)
    return try RawServer { connection in
      let now = turn.withLock { turn in
        defer { turn += 1 }
        return turn
      }
      ways[min(now, ways.count - 1)](connection)
    }
  }

  @Test(arguments: [false, true])
  func `a kept connection that closes on a request is replaced for a GET`(_ isReset: Bool)
    async throws
  {
    let server = try server(
      {
        $0.readRequest()
        $0.answer()
        $0.readRequest()
        if isReset { $0.reset() }
      }, { $0.answerAll("200 OK", "again") })
    let transport = HTTPClientTransport(environment: [:])
    _ = try await transport.send(.to(server))
    #expect(try await transport.send(.to(server)).body == Array("again".utf8))
    #expect(server.accepted == 2)
    #expect(server.received.count == 3)
    try await transport.shutdown()
  }

  @Test(arguments: [HTTPRequest.Method.post, .delete])
  func `a kept connection that closes on another request is an error, and nothing is sent twice`(
    _ method: HTTPRequest.Method
  ) async throws {
    let server = try server(
      {
        $0.readRequest()
        $0.answer()
        $0.readRequest()
      }, { $0.answerAll() })
    let transport = HTTPClientTransport(environment: [:])
    _ = try await transport.send(.to(server))
    let error = await transport.failure(of: .to(server, "/", method, body: "code=1"))
    #expect(error?.message == "127.0.0.1 closed the connection without an answer.")
    #expect(server.accepted == 1)
    #expect(server.received.count == 2)
    try await transport.shutdown()
  }

  @Test func `a POST on a connection that was closed while idle goes over a new one`() async throws
  {
    let server = try server(
      {
        $0.readRequest()
        $0.answer()
      }, { $0.answerAll() })
    let transport = HTTPClientTransport(environment: [:])
    _ = try await transport.send(.to(server))
    try await Task.sleep(for: .milliseconds(300))
    #expect(try await transport.send(.to(server, "/", .post, body: "x")).status == 200)
    #expect(server.accepted == 2)
    try await transport.shutdown()
  }

  @Test(arguments: ["502 Bad Gateway", "503 Service Unavailable", "504 Gateway Timeout"])
  func `a server that is busy is asked again, on the same connection`(_ status: String) async throws
  {
    let server = try RawServer {
      $0.readRequest()
      $0.answer(status)
      $0.answerAll("200 OK", "now")
    }
    let transport = HTTPClientTransport(environment: [:])
    #expect(try await transport.send(.to(server)).body == Array("now".utf8))
    #expect(server.accepted == 1)
    #expect(server.received.count == 2)
    try await transport.shutdown()
  }

  @Test func `a server that stays busy is asked three times, and its answer given`() async throws {
    let server = try RawServer { $0.answerAll("503 Busy", "later") }
    let transport = HTTPClientTransport(environment: [:])
    let response = try await transport.send(.to(server))
    #expect(response.status == 503)
    #expect(response.body == Array("later".utf8))
    #expect(server.received.count == 3)
    try await transport.shutdown()
  }

  @Test func `a server that names a time to wait is not asked before`() async throws {
    let server = try RawServer { $0.answerAll("503 Busy", headers: "Retry-After: 60\r\n") }
    let transport = HTTPClientTransport(environment: [:])
    #expect(try await transport.send(.to(server)).headers["retry-after"] == "60")
    #expect(server.received.count == 1)
    try await transport.shutdown()
  }

  @Test(arguments: [HTTPRequest.Method.post, .delete])
  func `a request that is not repeatable is sent once`(_ method: HTTPRequest.Method) async throws {
    let busy = try RawServer { $0.answerAll("503 Busy") }
    let silent = try RawServer { $0.readRequest() }
    let transport = HTTPClientTransport(environment: [:])
    #expect(try await transport.send(.to(busy, "/", method)).status == 503)
    _ = await transport.failure(of: .to(silent, "/", method))
    #expect(busy.received.count == 1)
    #expect(silent.received.count == 1)
    try await transport.shutdown()
  }

  @Test func `a POST is repeated if the caller allows it`() async throws {
    let server = try server({ $0.readRequest() }, { $0.answerAll() })
    let transport = HTTPClientTransport(environment: [:])
    var request = HTTPRequest.to(server, "/", .post, body: "token=1")
    request.isRepeatable = true
    #expect(try await transport.send(request).status == 200)
    #expect(server.received.count == 2)
    try await transport.shutdown()
  }

  @Test(arguments: [400, 401, 404, 429, 500, 501])
  func `an answer of another kind is final`(_ status: Int) async throws {
    let server = try RawServer { $0.answerAll("\(status) No") }
    let transport = HTTPClientTransport(environment: [:])
    #expect(try await transport.send(.to(server)).status == status)
    #expect(server.received.count == 1)
    try await transport.shutdown()
  }

  @Test func `repeating ends with the request's time`() async throws {
    let server = try RawServer {
      $0.readRequest()
      Thread.sleep(forTimeInterval: 0.3)
    }
    let transport = HTTPClientTransport(environment: [:])
    let error = await transport.failure(of: .to(server, within: .milliseconds(450)))
    #expect(error?.message == "127.0.0.1 did not answer in time.")
    #expect(server.accepted <= 2)
    try await transport.shutdown()
  }

  @Test func `an answer that leaves no time for a repeat is given as it is`() async throws {
    let server = try RawServer {
      while $0.readRequest() != nil {
        Thread.sleep(forTimeInterval: 0.3)
        $0.answer("503 Busy")
      }
    }
    // A pause takes at least 50 ms. After the answer there is less time left, or on a slow machine none.
    let transport = HTTPClientTransport(environment: [:])
    let response = try? await transport.send(.to(server, within: .milliseconds(340)))
    #expect(response == nil || response?.status == 503)
    #expect(server.received.count == 1)
    try await transport.shutdown()
  }

  @Test func `a host that is down at one address is reached at the next, also by a POST`()
    async throws
  {
    let server = try RawServer(on: "127.0.0.23") { $0.answerAll("200 OK", "third") }
    let resolver = PlayedResolver(["127.0.0.21", "127.0.0.22", "127.0.0.23"])
    let transport = resolver.transport(lifetime: .seconds(30))
    var request = HTTPRequest(.post, "http://idp.example.com:\(server.port)/", body: [1, 2, 3])
    request.privateHosts = ["idp.example.com"]
    request.timeout = .seconds(20)
    for _ in 1...3 { #expect(try await transport.send(request).body == Array("third".utf8)) }
    #expect(server.accepted == 1)
    try await transport.shutdown()
  }

  @Test func `a port without a listener is reported at once`() async throws {
    let server = try RawServer(on: "127.0.0.24") { _ in }
    server.stop()
    let transport = HTTPClientTransport(environment: [:])
    let error = await transport.failure(of: .to(server))
    #expect(error?.message == "127.0.0.24 refused the connection.")
    try await transport.shutdown()
  }
}
