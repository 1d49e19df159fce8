import AuthValues

/// Gives scripts base64 in the standard and the URL alphabet; padding is optional in texts to decode.
enum Base64Library {
  static var functions: [String: (LuaCall) throws -> [LuaValue]] {
    [
      "encode": { try encode($0, .standard) },
      "encodeURL": { try encode($0, .url) },
      "decode": { try decode($0, .standard) },
      "decodeURL": { try decode($0, .url) },
    ]
  }

  /// The size of a piece in bytes; the budget can stop the work between two pieces.
  private static let piece = 12_288

  private static func encode(_ call: LuaCall, _ base64: Base64) throws -> [LuaValue] {
    let bytes = try call.bytes(1, "data")
    var text = ""
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: piece) {
      let end = min(start + piece, bytes.count)
      try call.charge((end - start) / 4)
      text += base64.text(bytes[start..<end])
    }
    return [.string(text)]
  }

  /// Returns nil and a message for invalid text, as is the convention in Lua.
  private static func decode(_ call: LuaCall, _ base64: Base64) throws -> [LuaValue] {
    let text = try call.bytes(1, "text")
    var decoded: [UInt8] = []
    decoded.reserveCapacity(text.count / 4 * 3)
    for start in stride(from: 0, to: text.count, by: piece) {
      let end = min(start + piece, text.count)
      try call.charge((end - start) / 4)
      // Only the last piece may be padded or end within a group of four.
      guard let bytes = base64.bytes(of: text[start..<end], padding: .optional),
        end == text.count || bytes.count == piece / 4 * 3
      else { return [.nil, .string("not valid \(base64 == .url ? "base64url" : "base64")")] }
      decoded += bytes
    }
    return [.bytes(decoded)]
  }
}
