import AuthCore
import FakeVendors
import Foundation
import Testing

@Suite struct VendorServerTests {
  private static func echoing() async throws -> VendorServer {
    try await VendorServer.start { request in
      request.path == "/true" ? .json(["is": "true", "filler": "0123456789"]) : nil
    }
  }

  @Test func `a server answers its routes, and 404 elsewhere`() async throws {
    let server = try await Self.echoing()

    let found = try await Loopback.get(server.url("/true"))
    let missing = try await Loopback.get(server.url("/false"))

    #expect(found.status == 200)
    #expect(found.json["is"] == "true")
    #expect(found.header("content-type") == "application/json; charset=utf-8")
    #expect(missing.status == 404)
    await server.stop()
  }

  @Test func `a server records its requests`() async throws {
    let server = try await Self.echoing()

    _ = try await Loopback.get(server.url("/true"), [("q", "a b&c=ü"), ("q", "2")])
    _ = try await Loopback.post(
      server.url("/form"), [("code", "x+y/z")], headers: Loopback.basic("an:id", "a secret%"))

    let asked = try #require(server.requests(to: "/true").first)
    #expect(asked.method == "GET")
    #expect(asked.query["q"] == "a b&c=ü")
    #expect(asked.query.values(of: "q") == ["a b&c=ü", "2"])
    let posted = try #require(server.requests(to: "/form").first)
    #expect(posted.form["code"] == "x+y/z")
    #expect(posted.basicCredentials?.name == "an:id")
    #expect(posted.basicCredentials?.secret == "a secret%")
    #expect(posted.description == "POST /form")
    #expect(server.requests.count == 2)
    server.forgetRequests()
    #expect(server.requests.isEmpty)
    await server.stop()
  }

  @Test func `a server is gone after it stopped`() async throws {
    let server = try await Self.echoing()
    await server.stop()
    await server.stop()

    await #expect(throws: (any Error).self) { try await Loopback.get(server.url("/true")) }
  }

  @Test func `a server is gone after its last reference`() async throws {
    var server: VendorServer? = try await Self.echoing()
    weak let held = server
    server = nil

    #expect(held == nil)
  }

  @Test func `many run at once, each on a port of its own`() async throws {
    let ports = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 {
        group.addTask {
          let server = try await Self.echoing()
          #expect(try await Loopback.get(server.url("/true")).status == 200)
          #expect(server.requests.count == 1)
          await server.stop()
          return server.port
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(ports.count == 50)
  }

  @Test func `one connection carries many requests`() async throws {
    let server = try await Self.echoing()
    let request = "GET /true HTTP/1.1\r\nHost: a\r\n\r\n"

    let bytes = try await RawClient.exchange(
      port: server.port,
      String(repeating: request, count: 19)
        + request.replacing("Host: a", with: "Host: a\r\nConnection: close"))

    let answers = String(decoding: bytes, as: UTF8.self).ranges(of: "HTTP/1.1 200 OK")
    #expect(answers.count == 20)
    #expect(server.requests(to: "/true").count == 20)
    await server.stop()
  }

  @Test func `a body that is too long is refused`() async throws {
    let server = try await Self.echoing()
    let long = String(repeating: "a", count: (1 << 20) + 1)

    let answer = try? await Loopback.post(server.url("/form"), [("a", long)])

    // The refusal may cross the rest of the body on its way, and is then lost.
    #expect(answer == nil || answer?.status == 413)
    #expect(server.requests.isEmpty)
    await server.stop()
  }
}
