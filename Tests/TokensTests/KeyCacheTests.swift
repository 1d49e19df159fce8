import AuthCore
import AuthTesting
import Testing
import TestSupport

@testable import Tokens

@Suite struct KeyCacheTests {
  let old = IssuerKey.p256("old")
  let new = IssuerKey.p256("new")

  private func keySet(_ keys: IssuerKey..., cacheControl: String? = nil) -> HTTPResponse {
    .ok(
      TokenBench.keySet(keys.map { $0.jwk() }),
      headers: cacheControl.map { ["cache-control": $0] } ?? [:])
  }

  @Test(.timeLimit(.minutes(1)))
  func `1,000 verifications at once with a cold cache make one request`() async throws {
    let bench = TokenBench([old.jwk()])
    let token = bench.token(old, "ES256")
    let gate = Gate(arrivals: 1000)
    let answer = keySet(old)
    bench.transport.answer { _, _ in
      await gate.wait()
      return answer
    }
    let subjects = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<1000 {
        group.addTask {
          gate.arrive()
          return try await bench.verify(token).subject
        }
      }
      return try await group.reduce(into: [String]()) { $0.append($1) }
    }
    #expect(subjects.count == 1000)
    #expect(bench.transport.count == 1)
    let request = try #require(bench.transport.requests.first)
    #expect(request.method == .get)
    #expect(request.maximumResponseBytes == 256 << 10)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a cancelled caller stops waiting, and the others get their keys`() async throws {
    let bench = TokenBench([])
    let token = bench.token(old, "ES256")
    let (gate, asked) = (Gate(), Gate())
    let answer = keySet(old)
    bench.transport.answer { _, _ in
      asked.open()
      await gate.wait()
      return answer
    }
    let first = Task { try await bench.verify(token) }
    await asked.wait()
    let second = Task { try await bench.verify(token) }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.open()
    #expect(try await second.value.subject == "ada")
    #expect(bench.transport.count == 1)
  }

  @Test(.timeLimit(.minutes(1)))
  func `keys that are rotated mid-run fail no sign-in`() async throws {
    let bench = TokenBench([])
    bench.transport.answer { [old, new] _, count in
      count == 1 ? keySet(old, cacheControl: "max-age=3600") : keySet(old, new)
    }
    let (oldToken, newToken) = (bench.token(old, "ES256"), bench.token(new, "ES256"))
    _ = try await bench.verify(oldToken)
    bench.clock.advance(seconds: 61)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        group.addTask { _ = try await bench.verify(index.isMultiple(of: 2) ? oldToken : newToken) }
      }
      try await group.waitForAll()
    }
    #expect(bench.transport.count == 2)
  }

  @Test func `an unknown kid asks the issuer at most once a minute`() async throws {
    let bench = TokenBench([old.jwk()])
    let token = bench.token(new, "ES256")
    for _ in 0..<50 { await bench.refuses(token, field: "kid") }
    #expect(bench.transport.count == 1)
    bench.clock.advance(seconds: 60)
    for _ in 0..<50 { await bench.refuses(token, field: "kid") }
    #expect(bench.transport.count == 2)
    _ = try await bench.verify(bench.token(old, "ES256"))
    #expect(bench.transport.count == 2)
  }

  @Test func `an issuer that is down for an hour fails no sign-in`() async throws {
    var bench = TokenBench([])
    bench.declaration.maximumAge = nil
    bench.transport.answer { [old] _, count in
      if count == 1 { return keySet(old, cacheControl: "max-age=60") }
      throw AuthError(.networkRequestFailed, "keys.example did not answer.")
    }
    for _ in 0..<3600 / 20 {
      _ = try await bench.verify(bench.token(old, "ES256"))
      // The request in the background ends before the next minute, on any machine.
      try await eventually { !bench.keys.isFetching }
      bench.clock.advance(seconds: 20)
    }
    // Once at the start, then once a minute at most.
    #expect((50...60).contains(bench.transport.count))
    await bench.refuses(bench.token(new, "ES256"), .networkRequestFailed, field: nil)
    bench.transport.answer { [new] _, _ in keySet(new) }
    bench.clock.advance(seconds: 60)
    _ = try await bench.verify(bench.token(new, "ES256"))
    await bench.refuses(bench.token(old, "ES256"), field: "kid")
  }

  @Test func `a cache without keys asks again after five seconds`() async throws {
    let bench = TokenBench([])
    bench.transport.answer { [old] _, count in
      count == 1 ? .status(503) : keySet(old)
    }
    let token = bench.token(old, "ES256")
    await bench.refuses(token, .networkRequestFailed, field: nil)
    await bench.refuses(token, .networkRequestFailed, field: nil)
    #expect(bench.transport.count == 1)
    bench.clock.advance(seconds: 5)
    _ = try await bench.verify(token)
  }

  @Test func `an answer that is no key set is a network failure with words of its own`() async {
    let large = String(repeating: " ", count: 256 << 10) + "{\"keys\":[]}"
    let many = TokenBench.keySet([JSONValue](repeating: [:], count: 101))
    let bad: [HTTPResponse] = [
      .status(500), .status(429), .status(404), .status(204), .ok(""), .ok("{\"keys\":[{\"kty\""),
      .ok(large), .ok(many), .ok("<html>"),
      HTTPResponse(status: 302, headers: ["location": "https://attacker.example/"]),
    ]
    var messages: Set<String> = []
    for response in bad {
      let bench = TokenBench([])
      bench.transport.answer { _, _ in response }
      let token = bench.token(old, "ES256")
      messages.insert(await bench.refuses(token, .networkRequestFailed, field: nil))
      #expect(bench.transport.count == 1)
    }
    #expect(messages.contains { $0.contains("redirect") })
    #expect(messages.contains { $0.contains("256 KiB") })
    #expect(messages.allSatisfy { $0.contains("keys.example") && !$0.contains("/jwks") })
  }

  @Test func `an answer is fresh for as long as it says, within bounds`() {
    let answers: [([String: String], Int64)] = [
      ([:], 300), (["cache-control": "public"], 300), (["cache-control": "max-age=x"], 300),
      (["cache-control": "public, max-age=22331, must-revalidate"], 22_331),
      (["cache-control": "Max-Age=\"600\""], 600), (["cache-control": "max-age=5"], 60),
      (["cache-control": "max-age=4294967295"], 86_400), (["cache-control": "no-store"], 60),
      (["cache-control": "max-age=9999, no-cache"], 60), (["cache-control": "max-age = 700"], 700),
      (["cache-control": "max-age=1000", "age": "300"], 700),
      (["cache-control": "max-age=1000", "age": "5000"], 60),
    ]
    for (headers, seconds) in answers { #expect(Freshness.seconds(headers) == seconds) }
  }

  @Test func `fresh keys are not asked for again, stale ones are`() async throws {
    let bench = TokenBench([])
    bench.transport.answer { [old] _, _ in keySet(old, cacheControl: "max-age=600") }
    for (advance, count) in [(0, 1), (599, 1), (1, 2), (599, 2), (1, 3)] {
      bench.clock.advance(seconds: Int64(advance))
      _ = try await bench.verify(bench.token(old, "ES256"))
      #expect(bench.transport.count == count)
    }
  }

  @Test func `an address is cached apart for each set of private hosts`() async throws {
    var bench = TokenBench([old.jwk()])
    let token = bench.token(old, "ES256")
    _ = try await bench.verify(token)
    bench.declaration.privateHosts = ["keys.example"]
    _ = try await bench.verify(token)
    #expect(bench.transport.requests.map(\.privateHosts) == [[], ["keys.example"]])
  }

  @Test func `64 addresses are cached, and a recently used one stays`() async throws {
    var bench = TokenBench([old.jwk()])
    let token = bench.token(old, "ES256")
    for index in 0..<64 {
      bench.declaration.keys = .jwks(url: "https://keys.example/\(index)")
      _ = try await bench.verify(token)
    }
    for (index, count) in [(0, 64), (64, 65), (0, 65), (1, 66)] {
      bench.declaration.keys = .jwks(url: "https://keys.example/\(index)")
      _ = try await bench.verify(token)
      #expect(bench.transport.count == count)
    }
  }
}
