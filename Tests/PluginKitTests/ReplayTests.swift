import AuthCore
import FakeVendors
import HTTPClientTransport
import Testing

@testable import PluginKit

/// A replay has to fail as the network does, or a test would prove nothing.
@Suite(.serialized) struct `The replay` {
  private static let pairs: [(TransportTrouble, HostileTransport)] = [
    (.closes, .closes), (.truncatedBody, .truncatedBody), (.notHTTP, .notHTTP),
    (.oversizedBody, .oversizedBody), (.neverAnswers, .neverAnswers),
  ]

  @Test(arguments: pairs)
  func `a failure on the wire is reported as by the network's transport`(
    _ trouble: TransportTrouble, _ real: HostileTransport
  ) async throws {
    let server = try await VendorServer.start { _ in .json(["id": 1]) }
    server.misbehave(real)
    let transport = HTTPClientTransport(environment: [:])
    var request = HTTPRequest(.post, server.url("/me"))
    request.privateHosts = [server.host]
    request.maximumResponseBytes = 1 << 10
    // Only the one that never answers waits for the timeout.
    request.timeout = real == .neverAnswers ? .milliseconds(200) : .seconds(20)

    let expected = await refusal { _ = try await transport.send(request) }
    let played = await refusal { _ = try trouble.response(to: request) }

    #expect(played == expected)
    #expect(played?.code == .networkRequestFailed)
    try await transport.shutdown()
    await server.stop()
  }

  @Test func `an answer that arrives whole is as large as it may be at most`() async throws {
    var exchange = Fixture.Exchange(
      request: Fixture.Request(url: "https://vendor.example/me"), response: Fixture.Response())
    exchange.response.body = .text(String(repeating: "a", count: 11))
    let scenario = Fixture.Scenario(
      name: "x", settings: [:], builder: "x", credential: [:], idToken: nil,
      exchanges: [exchange], expectation: .identity(["subject": "1"]))
    let transport = ReplayTransport(Rehearsal(scenario), rules: [])
    var request = HTTPRequest(.get, "https://vendor.example/me")
    request.maximumResponseBytes = 10

    let error = await refusal { _ = try await transport.send(request) }

    #expect(error?.code == .networkRequestFailed)
  }

  @Test func `the listed fields have to be there, and the first fitting answer is given`()
    async throws
  {
    func exchange(_ query: [String: String], _ answer: String) -> Fixture.Exchange {
      var request = Fixture.Request(url: "https://vendor.example/me")
      request.query = query
      return Fixture.Exchange(request: request, response: .init(body: .text(answer)))
    }
    let scenario = Fixture.Scenario(
      name: "x", settings: [:], builder: "x", credential: [:], idToken: nil,
      exchanges: [exchange(["page": "2"], "two"), exchange([:], "any")],
      expectation: .identity(["subject": "1"]))
    let transport = ReplayTransport(Rehearsal(scenario), rules: [])

    let two = try await transport.send(HTTPRequest(.get, "https://vendor.example/me?page=2&x=1"))
    let any = try await transport.send(HTTPRequest(.get, "https://vendor.example/me?page=3"))
    let posted = await refusal {
      _ = try await transport.send(HTTPRequest(.post, "https://vendor.example/me"))
    }

    #expect(String(decoding: two.body, as: UTF8.self) == "two")
    #expect(String(decoding: any.body, as: UTF8.self) == "any")
    #expect(posted != nil && transport.log.unknown.count == 1)
  }

  private func refusal(_ body: () async throws -> Void) async -> AuthError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? AuthError
    }
  }
}
