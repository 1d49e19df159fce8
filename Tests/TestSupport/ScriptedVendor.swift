public import AuthCore
import Synchronization

/// A vendor in memory: answers by URL without query, and records the requests.
///
/// A place is a URL, or a method and a URL, such as `GET https://api.example/me`.
public final class ScriptedVendor: HTTPTransport {
  public typealias Answer = @Sendable (HTTPRequest) async throws -> HTTPResponse

  private let answers: Mutex<[String: Answer]>
  private let log = Mutex<[HTTPRequest]>([])

  public init(_ answers: [String: Answer] = [:]) {
    self.answers = Mutex(answers)
  }

  /// Sets the answer of a place.
  public func answer(_ place: String, _ answer: @escaping Answer) {
    answers.withLock { $0[place] = answer }
  }

  /// Sets the answer of a place to JSON.
  public func answer(_ place: String, json: JSONValue, status: Int = 200) {
    answer(place) { _ in .json(json, status: status) }
  }

  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    log.withLock { $0.append(request) }
    let url = request.plainURL
    guard
      let answer = answers.withLock({ $0["\(request.method.rawValue) \(url)"] ?? $0[url] })
    else { throw AuthError(.networkRequestFailed, "No vendor answers at \(request).") }
    return try await answer(request)
  }

  /// All requests, oldest first.
  public var requests: [HTTPRequest] { log.withLock(\.self) }

  /// Returns the requests to a URL without query.
  public func requests(to url: String) -> [HTTPRequest] {
    requests.filter { $0.plainURL == url }
  }

  /// Forgets the requests.
  public func forget() { log.withLock { $0 = [] } }
}

extension HTTPRequest {
  fileprivate var plainURL: String { String(url.prefix { $0 != "?" }) }

  /// The fields of the form, or of the query if there is no form.
  public var fields: [String: String] {
    let text = body.isEmpty ? url : "https://form.invalid/?" + String(decoding: body, as: UTF8.self)
    return URLText.query(of: text) ?? [:]
  }

  /// Returns the value of a header field, by a name in any case.
  public func headerField(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
