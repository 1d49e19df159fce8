/// Base32 (RFC 4648, section 6), the form of secrets in authenticator apps.
enum Base32 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  /// Encodes bytes in capital letters, without padding.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var letters: [UInt8] = []
    var (bits, count) = (0, 0)
    for byte in bytes {
      bits = (bits << 8 | Int(byte)) & 0xFFF
      count += 8
      while count >= 5 {
        count -= 5
        letters.append(alphabet[bits >> count & 31])
      }
    }
    if count > 0 { letters.append(alphabet[bits << (5 - count) & 31]) }
    return String(decoding: letters, as: UTF8.self)
  }

  /// Decodes base32; nil if the text is malformed.
  ///
  /// Accepts lower case, spaces and dashes between groups, and padding, because people type secrets in.
  static func bytes(_ text: String) -> [UInt8]? {
    let letters = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }
    let end = letters.firstIndex(of: UInt8(ascii: "=")) ?? letters.endIndex
    guard letters[end...].allSatisfy({ $0 == UInt8(ascii: "=") }), letters.count - end <= 6,
      // No number of whole bytes ends with 1, 3 or 6 letters.
      ![1, 3, 6].contains(end % 8)
    else { return nil }
    var bytes: [UInt8] = []
    var (bits, count) = (0, 0)
    for letter in letters[..<end] {
      guard let value = value(of: letter) else { return nil }
      bits = (bits << 5 | value) & 0xFFF
      count += 5
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(bits >> count & 0xFF))
      }
    }
    return bytes
  }

  private static func value(of letter: UInt8) -> Int? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(letter - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(letter - UInt8(ascii: "a"))
    case UInt8(ascii: "2")...UInt8(ascii: "7"): Int(letter - UInt8(ascii: "2")) + 26
    default: nil
    }
  }
}
