import AuthCore
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An HTTP client that is not ours: follows no redirect, keeps no cookies and caches nothing.
enum Loopback {
  struct Answer {
    let status: Int
    let headers: [String: String]
    let body: Data

    var json: JSONValue { (try? JSONValue(text: text)) ?? .null }
    var text: String { String(decoding: body, as: UTF8.self) }
    func header(_ name: String) -> String? { headers[name.lowercased()] }
  }

  private final class StayingHere: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }
  }

  private static let session: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    return URLSession(configuration: configuration, delegate: StayingHere(), delegateQueue: nil)
  }()

  static func send(
    _ method: String = "GET", _ url: String, headers: [String: String] = [:], body: String? = nil
  ) async throws -> Answer {
    var request = URLRequest(url: URL(string: url)!)
    request.httpMethod = method
    request.timeoutInterval = 60
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    request.httpBody = body.map { Data($0.utf8) }
    let (data, response) = try await session.data(for: request)
    let answer = response as! HTTPURLResponse
    let pairs = answer.allHeaderFields.map {
      (String(describing: $0.key).lowercased(), String(describing: $0.value))
    }
    return Answer(
      status: answer.statusCode, headers: Dictionary(pairs) { first, _ in first }, body: data)
  }

  static func get(
    _ url: String, _ query: [(name: String, value: String)] = [], bearer: String? = nil
  ) async throws -> Answer {
    try await send(
      url: URLText.adding(query, to: url),
      headers: bearer.map { ["Authorization": "Bearer \($0)"] } ?? [:])
  }

  static func post(
    _ url: String, _ fields: [(name: String, value: String)], headers: [String: String] = [:]
  ) async throws -> Answer {
    let type = ["Content-Type": "application/x-www-form-urlencoded"]
    return try await send(
      "POST", url, headers: headers.merging(type) { given, _ in given },
      body: URLText.form(fields))
  }

  private static func send(url: String, headers: [String: String]) async throws -> Answer {
    try await send("GET", url, headers: headers)
  }

  static func basic(_ id: String, _ secret: String) -> [String: String] {
    let pair = "\(URLText.escaped(id)):\(URLText.escaped(secret))"
    return ["Authorization": "Basic \(Data(pair.utf8).base64EncodedString())"]
  }
}
