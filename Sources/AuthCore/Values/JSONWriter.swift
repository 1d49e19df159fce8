/// Writes JSON as text, members by their names; compact, in the form of Foundation's `JSONEncoder` with sorted keys and
/// plain slashes, or spread over lines, as JavaScript's `JSON.stringify` does with an indent of two.
///
/// Every request is answered in JSON and every change writes some into the audit, and an encoder would take longer than
/// the rest of most.
package struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private let isSpread: Bool
  private var depth = 0

  init(spread: Bool = false) {
    isSpread = spread
    bytes.reserveCapacity(512)
  }

  /// A value as bytes; null where it holds a number that JSON cannot say.
  package static func bytes(of value: JSONValue, spread: Bool = false) -> [UInt8] {
    var writer = JSONWriter(spread: spread)
    return writer.write(value) ? writer.bytes : Array("null".utf8)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Writes what is the same in every text.
  mutating func sign(_ literal: StaticString) {
    literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Writes a value; false where it holds a number that JSON cannot say.
  mutating func write(_ value: JSONValue) -> Bool {
    switch value {
    case .null: sign("null")
    case .bool(let value): if value { sign("true") } else { sign("false") }
    case .integer(let value): bytes.append(contentsOf: String(value).utf8)
    case .number(let value):
      guard value.isFinite else { return false }
      let text = value.description
      bytes.append(contentsOf: (text.hasSuffix(".0") ? text.dropLast(2) : Substring(text)).utf8)
    case .string(let value): write(value)
    case .array(let elements):
      return list("[", elements, "]") { $0.write($1) }
    case .object(let members):
      return list("{", members.sorted(by: Self.precedes), "}") { writer, member in
        writer.write(member.key)
        if writer.isSpread { writer.sign(": ") } else { writer.sign(":") }
        return writer.write(member.value)
      }
    }
    return true
  }

  /// By their bytes, since texts that look the same have an order too.
  private static func precedes(
    _ a: (key: String, value: JSONValue), _ b: (key: String, value: JSONValue)
  ) -> Bool {
    a.key.utf8.lexicographicallyPrecedes(b.key.utf8)
  }

  /// Writes elements with commas between; false where one of them cannot be said.
  @discardableResult
  mutating func list<Elements: Sequence>(
    _ opening: StaticString, _ elements: Elements, _ closing: StaticString,
    _ element: (inout JSONWriter, Elements.Element) -> Bool
  ) -> Bool {
    sign(opening)
    depth += 1
    var isFirst = true
    for one in elements {
      if !isFirst { sign(",") }
      isFirst = false
      beginLine()
      guard element(&self, one) else { return false }
    }
    depth -= 1
    if !isFirst { beginLine() }
    sign(closing)
    return true
  }

  private mutating func beginLine() {
    guard isSpread else { return }
    sign("\n")
    for _ in 0..<depth { sign("  ") }
  }

  /// Writes a string with its quotes.
  mutating func write(_ text: String) {
    bytes.append(0x22)
    for byte in text.utf8 {
      switch byte {
      case 0x22: sign("\\\"")
      case 0x5C: sign("\\\\")
      case 0x08: sign("\\b")
      case 0x09: sign("\\t")
      case 0x0A: sign("\\n")
      case 0x0C: sign("\\f")
      case 0x0D: sign("\\r")
      case ..<0x20:
        sign("\\u00")
        bytes.append(Self.hexadecimal[Int(byte >> 4)])
        bytes.append(Self.hexadecimal[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    bytes.append(0x22)
  }

  private static let hexadecimal = Array("0123456789abcdef".utf8)
}
