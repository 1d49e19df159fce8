import AuthCore
import Synchronization

/// Gives every request less time than it asks for, and remembers how much that was.
final class HurriedTransport: HTTPTransport {
  private let transport: any HTTPTransport
  private let timeout: Duration
  private let longest = Mutex(Duration.zero)

  init(_ transport: any HTTPTransport, timeout: Duration) {
    self.transport = transport
    self.timeout = timeout
  }

  /// The longest time that a request was to have.
  var longestTimeout: Duration { longest.withLock(\.self) }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    longest.withLock { $0 = max($0, request.timeout) }
    var request = request
    request.timeout = min(timeout, request.timeout)
    return try await transport.send(request)
  }
}
