import AsyncHTTPClient
import AuthValues
import NIOCore
import NIOHTTP1

/// One request with its routes, its repetitions and its deadline.
struct Exchange: Sendable {
  let request: HTTPRequest
  let url: String
  let headers: HTTPHeaders
  let routes: [Route]
  let pool: ClientPool
  let deadline: ContinuousClock.Instant

  private static let maximumRepeats = 2

  /// Sends the request, and repeats it if allowed; throws a ``Failure``.
  func run() async throws -> HTTPResponse {
    var repeats = 0
    while true {
      let pause = Self.pause(before: repeats)
      do {
        let response = try await sendOnAnyRoute()
        guard Self.asksForRepeat(response), mayRepeat(repeats, after: pause) else {
          return response
        }
      } catch let failure as Failure {
        guard failure.isWorthRepeating, mayRepeat(repeats, after: pause) else { throw failure }
      }
      repeats += 1
      try await Task.sleep(for: pause)
    }
  }

  private func mayRepeat(_ repeats: Int, after pause: Duration) -> Bool {
    request.isRepeatable && repeats < Self.maximumRepeats && ContinuousClock.now + pause < deadline
  }

  /// Tells whether to repeat.
  ///
  /// A server that names a time to wait is not asked before: the caller gets its answer.
  private static func asksForRepeat(_ response: HTTPResponse) -> Bool {
    [502, 503, 504].contains(response.status) && response.headers["retry-after"] == nil
  }

  /// Doubles with each repetition and varies by up to a half, so that clients that failed together do not return
  /// together.
  private static func pause(before repeats: Int) -> Duration {
    .milliseconds(100 << repeats) * Double.random(in: 0.5...1)
  }

  /// Tries another address only if nothing can have been sent, which is safe for every request.
  private func sendOnAnyRoute() async throws -> HTTPResponse {
    var last = Failure.unresolved
    for route in pool.preferringOpen(routes) {
      do {
        return try await pool.withClient(for: route) { try await send(with: $0) }
      } catch let failure as Failure where failure.leavesOtherAddresses {
        last = if case .proxy = route { .proxyUnreachable } else { failure }
        pool.drop(route)
      }
    }
    throw last
  }

  private func send(with client: HTTPClient) async throws -> HTTPResponse {
    var outgoing = HTTPClientRequest(url: url)
    outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
    outgoing.headers = headers
    if !request.body.isEmpty { outgoing.body = .bytes(ByteBuffer(bytes: request.body)) }
    let answer: HTTPClientResponse
    do {
      // The caller enforces the deadline of the whole exchange, by cancellation.
      answer = try await client.execute(outgoing, deadline: .distantFuture)
    } catch {
      try Task.checkCancellation()
      throw Failure(error, hasHead: false)
    }
    return HTTPResponse(
      status: Int(answer.status.code), headers: Self.joined(answer.headers),
      body: try await body(of: answer))
  }

  private func body(of answer: HTTPClientResponse) async throws -> [UInt8] {
    let limit = request.maximumResponseBytes
    let tooLarge = Failure.tooLarge(limit: limit)
    if let announced = answer.headers.first(name: "content-length").flatMap(Int.init) {
      guard announced <= limit else { throw tooLarge }
    }
    var body: [UInt8] = []
    do {
      for try await part in answer.body {
        guard body.count + part.readableBytes <= limit else { throw tooLarge }
        body.append(contentsOf: part.readableBytesView)
      }
    } catch {
      try Task.checkCancellation()
      throw Failure(error, hasHead: true)
    }
    // A cancelled sequence may just end; half an answer must not pass for a whole one.
    try Task.checkCancellation()
    return body
  }

  private static func joined(_ headers: HTTPHeaders) -> [String: String] {
    Dictionary(
      headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
  }
}
