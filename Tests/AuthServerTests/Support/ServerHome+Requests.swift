import AsyncHTTPClient
import AuthCore
import NIOCore
import NIOHTTP1
import Testing

@testable import IdentityToolkitService

/// One client for all tests, which follows no redirect.
private let client: HTTPClient = {
  var configuration = HTTPClient.Configuration()
  configuration.redirectConfiguration = .disallow
  return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
}()

/// A server's answer.
struct Reply: Sendable {
  let status: Int
  let headers: [String: String]
  let text: String

  var json: JSONValue { (try? JSONValue(text: text)) ?? .null }
  /// The message of an error's body.
  var message: String? { json["error"]?["message"]?.stringValue }
  /// The code at the beginning of the error's message, without its sentence.
  var code: String? { message?.split(separator: " : ", maxSplits: 1).first.map(String.init) }

  /// Returns a text member of the answer.
  func text(_ name: String) throws -> String {
    try #require(json[name]?.stringValue, "no \(name) in \(text)")
  }
}

extension ServerHome {
  /// Sends a request as a client with an API key.
  @discardableResult
  func post(_ path: String, _ body: JSONValue = .object([:])) async throws -> Reply {
    try await call("POST", "\(path)\(path.contains("?") ? "&" : "?")key=test-key", body)
  }

  /// Sends a request as an admin.
  @discardableResult
  func admin(
    _ method: String = "POST", _ path: String, _ body: JSONValue? = nil
  ) async throws -> Reply {
    let token = mode == .emulator ? "owner" : Self.adminToken
    return try await call(method, path, body, headers: ["Authorization": "Bearer \(token)"])
  }

  /// Sends a request without credentials.
  @discardableResult
  func call(
    _ method: String, _ path: String, _ body: JSONValue? = nil, headers: [String: String] = [:]
  ) async throws -> Reply {
    var fields = headers
    if body != nil { fields["Content-Type"] = "application/json" }
    return try await send(method, path, body.map { Array($0.text.utf8) }, headers: fields)
  }

  /// Sends bytes unchanged, and waits for the messages that leave after the answer.
  @discardableResult
  func send(
    _ method: String, _ path: String, _ body: [UInt8]?, headers: [String: String] = [:]
  ) async throws -> Reply {
    let reply = try await answer(method, path, body, headers: headers)
    for courier in couriers { await courier.settled() }
    return reply
  }

  /// Sends bytes unchanged, and waits for the answer alone.
  func answer(
    _ method: String, _ path: String, _ body: [UInt8]?, headers: [String: String] = [:]
  ) async throws -> Reply {
    var request = HTTPClientRequest(url: turn.next() + path)
    request.method = HTTPMethod(rawValue: method)
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    if let body { request.body = .bytes(body) }
    let response = try await client.execute(request, timeout: .seconds(60))
    let bytes = try await response.body.collect(upTo: 64 * 1024 * 1024)
    return Reply(
      status: Int(response.status.code),
      headers: Dictionary(
        response.headers.map { ($0.name.lowercased(), $0.value) },
        uniquingKeysWith: { first, _ in first }),
      text: String(buffer: bytes))
  }
}
