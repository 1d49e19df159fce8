import AuthValues
import NIOHTTP1

extension HTTPRequest {
  /// Returns the headers to send, with a `User-Agent` if there is none.
  ///
  /// Throws ``Failure/header`` for text that could end a line and begin another (RFC 9110, 5.5), and for headers
  /// that are reserved for the transport: a wrong `Host` reaches another site at the same address, and a compressed
  /// answer would bypass the limit of its size.
  func checkedHeaders() throws -> HTTPHeaders {
    var checked = HTTPHeaders()
    for (name, value) in headers {
      let isToken = !name.isEmpty && name.utf8.allSatisfy(Self.isTokenByte)
      let isLine = value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
      guard isToken, isLine, !Self.reserved.contains(name.lowercased()) else {
        throw Failure.header
      }
      checked.add(name: name, value: value)
    }
    if !checked.contains(name: "User-Agent") { checked.add(name: "User-Agent", value: "AuthGraph") }
    return checked
  }

  private static let reserved: Set = [
    "host", "connection", "keep-alive", "proxy-connection", "proxy-authorization", "te", "trailer",
    "transfer-encoding", "content-length", "upgrade", "expect", "accept-encoding",
  ]

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
