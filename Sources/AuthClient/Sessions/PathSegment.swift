/// A path segment that encodes any name.
///
/// Different names have different segments, and none leads out of its folder.
struct PathSegment {
  /// The maximum length in bytes, which leaves room for a draft's suffix below the 255 bytes of a file name.
  private static let mostBytes = 160

  let text: String

  init(_ name: String) {
    let bytes = Array(name.utf8)
    var text = ""
    for (index, byte) in bytes.enumerated() {
      text +=
        Self.isPlain(byte) || (byte == UInt8(ascii: ".") && index > 0)
        ? String(UnicodeScalar(byte)) : Self.escape(byte)
    }
    if text.isEmpty { text = "%" }
    if text.utf8.count > Self.mostBytes {
      text = "\(text.prefix(Self.mostBytes - 18))%-\(Self.digest(bytes))"
    }
    self.text = text
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private static func escape(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count == 1 ? "%0\(digits)" : "%\(digits)"
  }

  /// Returns a 64-bit FNV-1a hash, which tells long names apart.
  ///
  /// Nothing is secret here.
  private static func digest(_ bytes: [UInt8]) -> String {
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let text = String(digest, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
