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
    var text = text
    return text.withUTF8 { bytes in
      bytes.split(separator: UInt8(ascii: "&")).map { pair in
        let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
        return (decode(pair[..<end]), decode(pair[end...].dropFirst()))
      }
    }
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
