import Foundation

/// Bytes as text in base64url without padding (RFC 4648, section 5).
enum Base64URL {
  /// Reads text; nil where it holds anything else, padding included.
  static func bytes(of text: some StringProtocol) -> Data? {
    var digits: [UInt8] = []
    digits.reserveCapacity(text.utf8.count + 3)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "-"): digits.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): digits.append(UInt8(ascii: "/"))
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
      default: digits.append(byte)
      }
    }
    while digits.count % 4 != 0 { digits.append(UInt8(ascii: "=")) }
    return Data(base64Encoded: Data(digits))
  }

  static func text(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}
