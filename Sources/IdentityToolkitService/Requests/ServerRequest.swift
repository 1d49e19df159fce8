import Foundation

/// One HTTP request, read whole.
package struct ServerRequest: Sendable {
  package let method: String
  /// The path as it was sent, percent-encoded and without the query.
  package let path: String
  /// The query without its question mark.
  package let query: String
  /// Header fields by their names in lower case.
  package let headers: [String: String]
  package let body: [UInt8]
  /// The address that the connection comes from.
  package let peer: String?

  package init(
    method: String, path: String, query: String = "", headers: [String: String] = [:],
    body: [UInt8] = [], peer: String? = nil
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.peer = peer
  }

  /// The parameters of the query; of two with one name the last counts.
  var parameters: [String: String] { FormText.parse(query) }
}

/// Text as forms and queries encode it (`application/x-www-form-urlencoded`).
enum FormText {
  static func parse(_ text: String) -> [String: String] {
    Dictionary(pairs(text), uniquingKeysWith: { _, last in last })
  }

  static func pairs(_ text: String) -> [(String, String)] {
    text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (decode(parts[0]), parts.count > 1 ? decode(parts[1]) : "")
    }
  }

  private static func decode(_ text: Substring) -> String {
    let spaced = String(text.replacing("+", with: " "))
    return spaced.removingPercentEncoding ?? spaced
  }
}
