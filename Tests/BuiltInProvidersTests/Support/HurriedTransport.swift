import AuthCore
import Synchronization

/// Shortens the timeout of requests to one path, and records the longest timeout of any request.
final class HurriedTransport: HTTPTransport {
  private let transport: any HTTPTransport
  private let path: String?
  private let timeout: Duration
  private let longest = Mutex(Duration.zero)

  init(_ transport: any HTTPTransport, at path: String?, timeout: Duration) {
    self.transport = transport
    self.path = path
    self.timeout = timeout
  }

  /// The longest timeout of a request.
  var longestTimeout: Duration { longest.withLock(\.self) }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    longest.withLock { $0 = max($0, request.timeout) }
    var request = request
    if let path, request.url.contains(path) { request.timeout = min(timeout, request.timeout) }
    return try await transport.send(request)
  }
}
