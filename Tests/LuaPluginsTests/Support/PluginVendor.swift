import AuthCore
import Foundation
import Synchronization
import TestSupport

/// A vendor in memory: answers by method and URL without query, and records the requests.
final class PluginVendor: HTTPTransport {
  typealias Answer = @Sendable (HTTPRequest) async throws -> HTTPResponse

  private let answers: Mutex<[String: Answer]>
  private let log = Mutex<[HTTPRequest]>([])

  init(_ answers: [String: Answer] = [:]) {
    self.answers = Mutex(answers)
  }

  func answer(_ place: String, _ answer: @escaping Answer) {
    answers.withLock { $0[place] = answer }
  }

  func answer(_ place: String, json: JSONValue, status: Int = 200) {
    answer(place) { _ in .json(json, status: status) }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    log.withLock { $0.append(request) }
    let url = String(request.url.prefix { $0 != "?" })
    guard let answer = answers.withLock({ $0["\(request.method.rawValue) \(url)"] }) else {
      throw AuthError(.networkRequestFailed, "Nobody answers at \(request).")
    }
    return try await answer(request)
  }

  var requests: [HTTPRequest] { log.withLock(\.self) }

  func forget() { log.withLock { $0 = [] } }
}

extension HTTPRequest {
  func headerField(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The fields of the form, or of the query.
  var fields: [String: String] {
    let text = body.isEmpty ? url : "https://form.invalid/?" + String(decoding: body, as: UTF8.self)
    return URLText.query(of: text) ?? [:]
  }
}
