import AuthCore
import FakeVendors
import Foundation
import Testing

@Suite(.timeLimit(.minutes(2))) struct HostileTransportTests {
  private static func server(_ behavior: HostileTransport) async throws -> VendorServer {
    let server = try await VendorServer.start { _ in .json(["filler": "0123456789"]) }
    server.slowness = .milliseconds(200)
    server.misbehave(behavior, at: "/path")
    return server
  }

  @Test(arguments: HostileTransport.allCases.filter { $0.mustFail && $0 != .neverAnswers })
  func `a caller gets no valid answer`(_ behavior: HostileTransport) async throws {
    let server = try await Self.server(behavior)

    let answer = try? await Loopback.get(server.url("/path"))

    #expect(
      answer?.status != 200 || answer?.json == .null || (answer?.body.count ?? 0) > 32 << 20)
    #expect(server.requests(to: "/path").count == 1)
    await server.stop()
  }

  @Test func `a server answers with errors`() async throws {
    let broken = try await Self.server(.serverError)
    let busy = try await Self.server(.tooManyRequests)

    #expect(try await Loopback.get(broken.url("/path")).status == 500)
    let answer = try await Loopback.get(busy.url("/path"))
    #expect(answer.status == 429)
    #expect(answer.header("retry-after") == "120")
  }

  @Test func `a redirect leads to another host, and a follower is noticed`() async throws {
    let server = try await Self.server(.redirectToAnotherHost)

    let answer = try await Loopback.get(server.url("/path"))
    let location = try #require(answer.header("location"))

    #expect(answer.status == 302)
    #expect(location == "http://localhost:\(server.port)/elsewhere")
    #expect(server.requests(to: VendorServer.elsewhere).isEmpty)
    _ = try await Loopback.get(location)
    #expect(server.requests(to: VendorServer.elsewhere).count == 1)
  }

  @Test(arguments: [HostileTransport.truncatedBody, .closes, .notHTTP])
  func `an answer that is none is an error of the transport`(
    _ behavior: HostileTransport
  ) async throws {
    let server = try await Self.server(behavior)

    await #expect(throws: (any Error).self) { try await Loopback.get(server.url("/path")) }
  }

  @Test func `a truncated answer announces its full length`() async throws {
    let server = try await Self.server(.truncatedBody)

    let bytes = String(
      decoding: try await RawClient.exchange(
        port: server.port, "GET /path HTTP/1.1\r\nHost: a\r\n\r\n"), as: UTF8.self)

    #expect(bytes.contains("Content-Length: 24\r\n"))
    #expect(bytes.hasSuffix("\r\n\r\n{\"filler\":\"0"))
  }

  @Test func `an answer that is no HTTP looks like none`() async throws {
    let server = try await Self.server(.notHTTP)

    let bytes = String(
      decoding: try await RawClient.exchange(
        port: server.port, "GET /path HTTP/1.1\r\nHost: a\r\n\r\n"), as: UTF8.self)

    #expect(bytes.hasPrefix("SSH-2.0"))
  }

  @Test func `an oversized body is JSON and does not announce its size`() async throws {
    let server = try await Self.server(.oversizedBody)

    let answer = try await Loopback.get(server.url("/path"))

    #expect(answer.body.count == (32 << 20) + 13)
    #expect(answer.header("content-length") == nil)
    #expect(answer.body.prefix(11) == Data("{\"filler\":\"".utf8))
    #expect(answer.body.suffix(2) == Data("\"}".utf8))
  }

  @Test func `garbage calls itself JSON`() async throws {
    let server = try await Self.server(.garbage)

    let answer = try await Loopback.get(server.url("/path"))

    #expect(answer.status == 200)
    #expect(answer.header("content-type")?.hasPrefix("application/json") == true)
    #expect(String(validating: answer.body, as: UTF8.self) == nil)
  }

  @Test func `an answer of a wrong type and a slow one are complete`() async throws {
    let wrong = try await Self.server(.wrongContentType)
    let slow = try await Self.server(.slow)

    let page = try await Loopback.get(wrong.url("/path"))
    let late = try await Loopback.get(slow.url("/path"))

    #expect(page.header("content-type") == "text/html; charset=utf-8")
    #expect(page.json["filler"] == "0123456789")
    #expect(late.json["filler"] == "0123456789")
  }

  @Test func `a client without an answer waits until the server stops`() async throws {
    let server = try await Self.server(.neverAnswers)
    let caller = Task { try await Loopback.get(server.url("/path")) }

    try await server.wait(requestsTo: "/path")
    await server.stop()

    await #expect(throws: (any Error).self) { try await caller.value }
  }

  @Test func `a server misbehaves as often as asked, and at the path asked for`() async throws {
    let server = try await VendorServer.start { _ in .json([:]) }
    server.misbehave(.serverError, at: "/path", times: 2)

    var statuses: [Int] = []
    for path in ["/path", "/other", "/path", "/path"] {
      statuses.append(try await Loopback.get(server.url(path)).status)
    }
    server.misbehave(.tooManyRequests)
    statuses.append(try await Loopback.get(server.url("/other")).status)
    server.behave()
    statuses.append(try await Loopback.get(server.url("/other")).status)

    #expect(statuses == [500, 200, 500, 200, 429, 200])
  }

  @Test func `waiting ends with its task`() async throws {
    let server = try await VendorServer.start()

    await withThrowingTaskGroup { group in
      group.addTask { try await server.wait(requestsTo: "/never") }
      group.cancelAll()
      await #expect(throws: CancellationError.self) { try await group.waitForAll() }
    }
  }
}
