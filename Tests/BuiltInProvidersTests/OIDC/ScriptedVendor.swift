import AuthCore
import Foundation
import Synchronization
import TestSupport

/// A vendor in memory: answers by URL without query, and records the requests.
final class ScriptedVendor: HTTPTransport {
  typealias Answer = @Sendable (HTTPRequest) throws -> HTTPResponse

  private let answers: [String: Answer]
  private let log = Mutex<[HTTPRequest]>([])

  init(_ answers: [String: Answer]) {
    self.answers = answers
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    log.withLock { $0.append(request) }
    guard let answer = answers[request.plainURL] else {
      throw AuthError(.networkRequestFailed, "Nobody answers at \(request).")
    }
    return try answer(request)
  }

  var requests: [HTTPRequest] { log.withLock(\.self) }

  func requests(to url: String) -> [HTTPRequest] {
    requests.filter { $0.plainURL == url }
  }
}

extension HTTPRequest {
  var plainURL: String { String(url.prefix { $0 != "?" }) }

  /// The fields of the query or of the form.
  var fields: [String: String] {
    let text = method == .post ? String(decoding: body, as: UTF8.self) : url
    return text.queryFields
  }

  func headerField(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

extension String {
  /// The fields of a URL's query, or of a form if the text is not a URL.
  var queryFields: [String: String] {
    var parts = URLComponents()
    parts.percentEncodedQuery =
      contains("?") ? String(split(separator: "?", maxSplits: 1)[1]) : self
    let items = parts.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { a, _ in a })
  }
}
