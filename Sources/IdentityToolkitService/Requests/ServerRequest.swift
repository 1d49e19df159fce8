import IdentityToolkit

/// The head of an HTTP request: everything but its body.
package struct RequestHead: Sendable {
  package let method: String
  /// The path as it was sent, percent-encoded and without the query.
  package let path: String
  /// The query without its question mark.
  package let query: String
  /// Header fields by their names in lower case.
  package let headers: [String: String]
  /// The address that the connection comes from.
  package let peer: String?
  /// The ID of the request in the log.
  package let requestID: String?

  package init(
    method: String, path: String, query: String = "", headers: [String: String] = [:],
    peer: String? = nil, requestID: String? = nil
  ) {
    self.requestID = requestID
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.peer = peer
  }

  /// The name that the caller's address is counted under.
  package var countedAs: String { ClientAddress.countedAs(peer) }

  /// The parameters of the query; of two with one name the last counts.
  ///
  /// Throws if there are too many.
  var parameters: [String: String] {
    get throws(WireError) { try FormText.parse(query, of: "The query") }
  }

  /// The token of an `Authorization: Bearer` field.
  package var bearer: String? {
    guard let header = headers["authorization"] else { return nil }
    let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return parts[1].trimmingPrefix(while: { $0 == " " }).description
  }
}

/// One HTTP request, read whole.
package struct ServerRequest: Sendable {
  package let head: RequestHead
  package let body: [UInt8]

  package init(
    method: String, path: String, query: String = "", headers: [String: String] = [:],
    body: [UInt8] = [], peer: String? = nil, requestID: String? = nil
  ) {
    head = RequestHead(
      method: method, path: path, query: query, headers: headers, peer: peer,
      requestID: requestID)
    self.body = body
  }
}

/// Text as forms and queries encode it (`application/x-www-form-urlencoded`).
enum FormText {
  /// The fields by their names; throws if there are too many of what the place names.
  static func parse(_ text: String, of place: String) throws(WireError) -> [String: String] {
    Dictionary(try pairs(text, of: place), uniquingKeysWith: { _, last in last })
  }

  /// The fields in their order; throws like ``parse(_:of:)``.
  static func pairs(_ text: String, of place: String) throws(WireError) -> [(String, String)] {
    var text = text
    let most = RouteBounds.formFields
    let pairs = text.withUTF8 { bytes -> [(String, String)]? in
      let parts = bytes.split(separator: UInt8(ascii: "&"), maxSplits: most)
      guard parts.count <= most else { return nil }
      return parts.map { pair in
        let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
        return (decode(pair[..<end]), decode(pair[end...].dropFirst()))
      }
    }
    guard let pairs else {
      throw WireError("INVALID_ARGUMENT", "\(place) must have at most \(most) fields.")
    }
    return pairs
  }

  /// The name of one field.
  static func name(of pair: Substring) -> String {
    var name = String(pair.prefix { $0 != "=" })
    return name.withUTF8 { decode($0[...]) }
  }

  /// The text that was encoded; what is encoded wrongly stays as it is, but for its plus signs.
  private static func decode(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    let text = UnsafeBufferPointer(rebasing: text)
    let isEncoded = text.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
    // It is a part of a text between ASCII characters, and so a text.
    guard isEncoded else { return String(decoding: text, as: UTF8.self) }
    return decoded(text).flatMap { String(validating: $0, as: UTF8.self) }
      ?? String(decoding: text, as: UTF8.self).replacing("+", with: " ")
  }

  private static func decoded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard index + 2 < text.count, let high = text[index + 1].hexDigit,
          let low = text[index + 2].hexDigit
        else { return nil }
        decoded.append(high << 4 | low)
        index += 2
      default: decoded.append(text[index])
      }
      index += 1
    }
    return decoded
  }
}

extension UInt8 {
  fileprivate var hexDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
