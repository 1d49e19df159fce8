/// Encodes and decodes base64, plain and in the alphabet for URLs (RFC 4648).
enum Base64 {
  static var functions: [String: (LuaCall) throws -> [LuaValue]] {
    [
      "encode": { try encode($0, url: false) },
      "encodeURL": { try encode($0, url: true) },
      "decode": { try decode($0, url: false) },
      "decodeURL": { try decode($0, url: true) },
    ]
  }

  private static let plain = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let forURLs = plain.prefix(62) + Array("-_".utf8)

  /// Encodes; the URL form has no padding.
  static func encode(_ bytes: [UInt8], url: Bool) -> String {
    let alphabet = url ? Array(forURLs) : plain
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0...group.count { text.append(alphabet[bits >> (18 - 6 * place) & 63]) }
      if !url { text += repeatElement(UInt8(ascii: "="), count: 3 - group.count) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes, or answers nil for anything but the one right encoding; padding may be missing.
  static func decode(_ text: [UInt8], url: Bool) -> [UInt8]? {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, letter) in (url ? Array(forURLs) : plain).enumerated() {
      values[Int(letter)] = UInt8(value)
    }
    var letters = text[...]
    if letters.count % 4 == 0, letters.last == UInt8(ascii: "=") {
      letters.removeLast()
      if letters.last == UInt8(ascii: "=") { letters.removeLast() }
    }
    guard letters.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(letters.count / 4 * 3 + 2)
    var bits = 0
    var count = 0
    for letter in letters {
      let value = values[Int(letter)]
      guard value != 255 else { return nil }
      bits = bits << 6 | Int(value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(bits >> count & 255))
      bits &= (1 << count) - 1
    }
    // Left-over bits must be zero, else two texts would mean the same.
    return bits == 0 ? bytes : nil
  }

  /// Goes on in pieces, so that the budget can stop it between them.
  private static let piece = 12_288

  private static func encode(_ call: LuaCall, url: Bool) throws -> [LuaValue] {
    let bytes = try call.bytes(1, "data")
    var text = ""
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: piece) {
      let end = min(start + piece, bytes.count)
      try call.charge((end - start) / 4)
      text += encode(Array(bytes[start..<end]), url: url)
    }
    return [.string(text)]
  }

  /// Answers nil and a message for bad text, as is the habit in Lua.
  private static func decode(_ call: LuaCall, url: Bool) throws -> [LuaValue] {
    let text = try call.bytes(1, "text")
    var decoded: [UInt8] = []
    decoded.reserveCapacity(text.count / 4 * 3)
    for start in stride(from: 0, to: text.count, by: piece) {
      let end = min(start + piece, text.count)
      try call.charge((end - start) / 4)
      // Only the last piece may be padded or end within a group of four.
      guard let bytes = decode(Array(text[start..<end]), url: url),
        end == text.count || bytes.count == piece / 4 * 3
      else { return [.nil, .string("not valid \(url ? "base64url" : "base64")")] }
      decoded += bytes
    }
    return [.bytes(decoded)]
  }
}
