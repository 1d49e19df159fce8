/// Writes base64url without padding (RFC 7515 section 2) right behind what is there already.
enum Base64URLText {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
    let alphabet = alphabet
    let groups = bytes.count / 3
    let tail = bytes.count % 3
    text.reserveCapacity(text.count + groups * 4 + tail + 1)
    for group in 0..<groups {
      let at = group * 3
      let word = UInt32(bytes[at]) << 16 | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2])
      text.append(alphabet[Int(word >> 18)])
      text.append(alphabet[Int(word >> 12 & 63)])
      text.append(alphabet[Int(word >> 6 & 63)])
      text.append(alphabet[Int(word & 63)])
    }
    let rest = groups * 3
    if tail == 1 {
      text.append(alphabet[Int(bytes[rest] >> 2)])
      text.append(alphabet[Int(bytes[rest] & 3) << 4])
    } else if tail == 2 {
      let word = UInt32(bytes[rest]) << 8 | UInt32(bytes[rest + 1])
      text.append(alphabet[Int(word >> 10)])
      text.append(alphabet[Int(word >> 4 & 63)])
      text.append(alphabet[Int(word & 15) << 2])
    }
  }

  static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    append(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}
