import AuthValues
import Foundation
import TestSupport
import Testing

@testable import AuthClient

/// Ordinary exchanges of the client's transport, their time limit and their cancellation.
@Suite struct `Requests by URLSession` {
  private func request(to server: RawServer, timeout: Duration = .seconds(60)) -> HTTPRequest {
    var request = HTTPRequest(
      .post, server.url("/v1/accounts:lookup?key=k"),
      headers: [("Content-Type", "application/json"), ("X-Client-Version", "Swift/AuthGraph")],
      body: Array(#"{"idToken":"t"}"#.utf8))
    request.timeout = timeout
    return request
  }

  @Test func `method, path, headers and body arrive, and the answer comes back`() async throws {
    let server = try RawServer {
      $0.answerAll("400 Bad Request", headers: "X-A: b\r\n", "{\"a\":1}")
    }
    defer { server.stop() }
    let answer = try await URLSessionTransport().send(request(to: server))

    #expect(answer.status == 400 && answer.headers["x-a"] == "b")
    #expect(String(decoding: answer.body, as: UTF8.self) == "{\"a\":1}")
    let sent = try #require(server.received.first)
    #expect(sent.hasPrefix("POST /v1/accounts:lookup?key=k HTTP/1.1\r\n"))
    #expect(sent.contains("X-Client-Version: Swift/AuthGraph\r\n"))
    #expect(sent.hasSuffix("\r\n\r\n{\"idToken\":\"t\"}"))
  }

  @Test func `one connection serves several requests`() async throws {
    let server = try RawServer { $0.answerAll("200 OK", "{}") }
    defer { server.stop() }
    let transport = URLSessionTransport()
    for _ in 0..<5 { #expect(try await transport.send(request(to: server)).status == 200) }
    #expect(server.received.count == 5 && server.accepted == 1)
  }

  @Test func `an answer without a body is one`() async throws {
    let server = try RawServer { connection in
      connection.readRequest()
      connection.send("HTTP/1.1 204 No Content\r\n\r\n")
      connection.waitForEnd()
    }
    defer { server.stop() }
    let answer = try await URLSessionTransport().send(request(to: server))
    #expect(answer.status == 204 && answer.body.isEmpty)
  }

  @Test func `an interim answer is not the answer`() async throws {
    let server = try RawServer { connection in
      connection.readRequest()
      connection.send("HTTP/1.1 100 Continue\r\n\r\n")
      connection.answer("201 Created", "{}")
      connection.waitForEnd()
    }
    defer { server.stop() }
    #expect(try await URLSessionTransport().send(request(to: server)).status == 201)
  }

  @Test func `attack: a body that drips in does not outlast the time limit`() async throws {
    let server = try RawServer { connection in
      connection.readRequest()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
      while connection.send("x") { usleep(10_000) }
    }
    defer { server.stop() }
    let error = await #expect(throws: AuthError.self) {
      try await URLSessionTransport().send(request(to: server, timeout: .seconds(1)))
    }
    #expect(error?.code == .networkRequestFailed)
    #expect((error?.cause as NSError?)?.code == NSURLErrorTimedOut)
  }

  @Test func `a cancelled task ends at once, and so does its connection`() async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let server = try RawServer { connection in
      connection.readRequest()
      arrival.yield()
      connection.waitForEnd()
      end.yield()
    }
    defer { server.stop() }
    let request = request(to: server)
    let transport = URLSessionTransport()
    let asking = Task { try await transport.send(request) }
    for await _ in arrivals { break }
    asking.cancel()
    await #expect(throws: CancellationError.self) { try await asking.value }
    for await _ in ends { break }
  }

  @Test func `a task that was cancelled before sends nothing`() async throws {
    let server = try RawServer { $0.answerAll() }
    defer { server.stop() }
    let request = request(to: server)
    let asking = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await URLSessionTransport().send(request)
    }
    await #expect(throws: CancellationError.self) { try await asking.value }
    #expect(server.received.isEmpty)
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://example.com/", "example.com", ""])
  func `attack: no other scheme is asked`(url: String) async throws {
    let error = await #expect(throws: AuthError.self) {
      try await URLSessionTransport().send(HTTPRequest(.post, url))
    }
    #expect(error?.code == .networkRequestFailed)
  }
}
