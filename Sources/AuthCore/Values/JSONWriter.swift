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
      let members = Array(members)
      return list("{", Self.order(of: members), "}") { writer, index in
        writer.write(members[index].key)
        if writer.isSpread { writer.sign(": ") } else { writer.sign(":") }
        return writer.write(members[index].value)
      }
    }
    return true
  }

  /// The places of members in the order of their names' bytes, since texts that look the same have an order too.
  ///
  /// Members themselves are not moved: each move would count its references.
  private static func order(of members: [(key: String, value: JSONValue)]) -> [Int] {
    members.indices.sorted { members[$0].key.precedesExactly(members[$1].key) }
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
    var text = text
    bytes.append(0x22)
    text.withUTF8 { utf8 in
      guard !Self.isPlain(UnsafeRawBufferPointer(utf8)) else {
        return bytes.append(contentsOf: utf8)
      }
      for byte in utf8 {
        if Self.isPlain(byte) { bytes.append(byte) } else { escape(byte) }
      }
    }
    bytes.append(0x22)
  }

  /// Whether a byte stands for itself in a string (RFC 8259 section 7).
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x22 && byte != 0x5C
  }

  /// Whether all bytes do; looks at eight at a time, of which one that does not sets its highest bit.
  private static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
    let (ones, highest) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
    var offset = 0
    while offset + 8 <= text.count {
      let word = text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let (quote, backslash) = (word ^ ones &* 0x22, word ^ ones &* 0x5C)
      let special =
        (word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
      guard special & highest == 0 else { return false }
      offset += 8
    }
    return text[offset...].allSatisfy(isPlain)
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case 0x22: sign("\\\"")
    case 0x5C: sign("\\\\")
    case 0x08: sign("\\b")
    case 0x09: sign("\\t")
    case 0x0A: sign("\\n")
    case 0x0C: sign("\\f")
    case 0x0D: sign("\\r")
    default:
      sign("\\u00")
      bytes.append(Self.hexadecimal[Int(byte >> 4)])
      bytes.append(Self.hexadecimal[Int(byte & 15)])
    }
  }

  private static let hexadecimal = Array("0123456789abcdef".utf8)

  // MARK: Records

  /// Writes an object whose members are told one by one, in the order of their names.
  mutating func object(_ members: (inout JSONWriter) -> Void) {
    sign("{")
    members(&self)
    sign("}")
  }

  /// Writes the name of the next member.
  mutating func name(_ name: StaticString) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    sign(name)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes a member; none where there is no value.
  mutating func member(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    self.name(name)
    write(value)
  }

  mutating func member(_ name: StaticString, _ value: Bool) {
    self.name(name)
    if value { sign("true") } else { sign("false") }
  }

  mutating func member(_ name: StaticString, _ value: Int64?) {
    guard let value else { return }
    self.name(name)
    bytes.append(contentsOf: String(value).utf8)
  }

  /// Writes a member of any kind; null where it holds a number that JSON cannot say.
  mutating func member(_ name: StaticString, _ value: JSONValue) {
    self.name(name)
    let start = bytes.count
    guard !write(value) else { return }
    bytes.removeSubrange(start...)
    sign("null")
  }
}
