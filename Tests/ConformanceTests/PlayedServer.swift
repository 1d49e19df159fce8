import AuthValues
import Synchronization

/// A server in memory that answers as a test says, and records the requests.
final class PlayedServer: HTTPTransport {
  typealias Answer = @Sendable (HTTPRequest) throws -> HTTPResponse

  private let answer: Answer
  private let log = Mutex<[HTTPRequest]>([])

  init(_ answer: @escaping Answer) {
    self.answer = answer
  }

  var requests: [HTTPRequest] { log.withLock(\.self) }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    log.withLock { $0.append(request) }
    return try answer(request)
  }

  /// The requests as `METHOD /path`, without the query.
  var lines: [String] { requests.map(\.line) }
}

extension HTTPRequest {
  /// The method and the path without the query.
  var line: String {
    "\(method.rawValue) \(url.dropFirst("http://127.0.0.1:9099".count).prefix { $0 != "?" })"
  }

  var text: String { String(decoding: body, as: UTF8.self) }

  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

extension HTTPResponse {
  static func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["content-type": "application/json"], body: Array(value.text.utf8))
  }

  /// An error in the protocol's envelope.
  static func failure(_ message: String, status: Int = 400) -> HTTPResponse {
    .json(
      ["error": ["code": .integer(Int64(status)), "message": .string(message)]], status: status)
  }
}
