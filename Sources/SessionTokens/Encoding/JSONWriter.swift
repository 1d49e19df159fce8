import AuthCore

/// Writes JSON values as compact text in one pass.
///
/// Every sign-in writes a token, and Foundation's encoder would take longer than an ES256 signature.
/// Members come in no particular order.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  static func bytes(of value: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.bytes.reserveCapacity(1024)
    writer.write(value)
    return writer.bytes
  }

  private mutating func write(_ value: JSONValue) {
    switch value {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .integer(let value): append(String(value))
    // JSON has no word for what is not finite.
    case .number(let value): append(value.isFinite ? String(value) : "null")
    case .string(let text): write(text)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(element)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      var isFirst = true
      for (name, member) in members {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        write(name)
        bytes.append(UInt8(ascii: ":"))
        write(member)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case ..<0x20:
        append(byte < 0x10 ? "\\u000" : "\\u00")
        append(String(byte, radix: 16))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
