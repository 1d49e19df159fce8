public import AuthCore
import Foundation

/// One request that reached a vendor, with query and form already parsed.
///
/// It holds everything that was sent, secrets included, for assertions; its description is only method and path.
public struct VendorRequest: Hashable, Sendable, CustomStringConvertible {
  /// The HTTP method.
  public let method: String
  /// The path without the query, as it was sent.
  public internal(set) var path: String
  /// The fields of the query.
  public let query: RequestFields
  /// The fields of the body, if it is `application/x-www-form-urlencoded`.
  public let form: RequestFields
  /// The header fields, with lower-case names.
  public let headers: RequestFields
  /// The body.
  public let body: [UInt8]

  /// Makes a request from its line, its head and its body.
  ///
  /// - `method`: GET, POST and so on.
  /// - `target`: Path and query.
  /// - `headers`: Names in any case.
  /// - `body`: The bytes as they came.
  public init(
    _ method: String = "GET", _ target: String, headers: [RequestFields.Field] = [],
    body: [UInt8] = []
  ) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    self.method = method
    path = parts.first.map(String.init) ?? ""
    query = RequestFields(parsing: parts.count > 1 ? String(parts[1]) : "")
    self.headers = RequestFields(
      headers.map { RequestFields.Field($0.name.lowercased(), $0.value) })
    self.body = body
    let isForm =
      self.headers["content-type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded")
    form = RequestFields(parsing: isForm == true ? String(decoding: body, as: UTF8.self) : "")
  }

  /// The body as JSON; nil if it is malformed.
  public var json: JSONValue? {
    try? JSONValue(text: String(decoding: body, as: UTF8.self))
  }

  /// The token of `Authorization: Bearer …` (RFC 6750, 2.1).
  public var bearerToken: String? { authorization("bearer") }

  /// A name and its secret from `Authorization: Basic …`, decoded as in RFC 6749, 2.3.1.
  public var basicCredentials: (name: String, secret: String)? {
    guard let text = authorization("basic"), let data = Data(base64Encoded: text) else {
      return nil
    }
    let parts = String(decoding: data, as: UTF8.self)
      .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    // Both were form-encoded before they were joined, so that a colon in them is no separator.
    let pair = RequestFields(parsing: "\(parts[0])=\(parts[1])")
    return pair.fields.first.map { ($0.name, $0.value) }
  }

  /// The value of one cookie.
  func cookie(_ name: String) -> String? {
    let pairs = headers["cookie"]?.split(separator: ";") ?? []
    return RequestFields(
      parsing: pairs.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "&"))[name]
  }

  private func authorization(_ scheme: String) -> String? {
    let parts = headers["authorization"]?.split(separator: " ", maxSplits: 1) ?? []
    guard parts.count == 2, parts[0].lowercased() == scheme else { return nil }
    return String(parts[1])
  }

  /// The method and the path.
  public var description: String { "\(method) \(path)" }
}
