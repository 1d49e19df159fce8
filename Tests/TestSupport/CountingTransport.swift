public import AuthCore
import Synchronization

/// Answers requests from a script and counts them.
public final class CountingTransport: HTTPTransport {
  /// Answers a request, given the number of requests including it.
  public typealias Script =
    @Sendable (HTTPRequest, _ count: Int) async throws -> HTTPResponse

  private let script: Mutex<Script>
  private let sent = Mutex<[HTTPRequest]>([])

  /// Makes a transport with a script.
  public init(_ script: @escaping Script) {
    self.script = Mutex(script)
  }

  /// Gives the same answer to every request.
  public convenience init(always response: HTTPResponse) {
    self.init { _, _ in response }
  }

  /// Passes every request on to another transport.
  public convenience init(before transport: any HTTPTransport) {
    self.init { request, _ in try await transport.send(request) }
  }

  /// The requests so far.
  public var requests: [HTTPRequest] { sent.withLock(\.self) }
  /// The number of requests so far.
  public var count: Int { requests.count }

  /// Replaces the script.
  public func answer(_ script: @escaping Script) {
    self.script.withLock { $0 = script }
  }

  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let count = sent.withLock {
      $0.append(request)
      return $0.count
    }
    return try await script.withLock(\.self)(request, count)
  }
}

extension HTTPResponse {
  /// Makes a JSON response.
  public static func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["content-type": "application/json"], body: Array(value.text.utf8))
  }
}
