/// Writes JSON text, compact or spread over lines.
///
/// The compact form is that of Foundation's `JSONEncoder` with sorted keys and unescaped slashes. The spread form is
/// that of JavaScript's `JSON.stringify` with an indent of two. Every answer and every audit event is JSON, so an
/// encoder's cost would dominate most requests.
package struct JSONWriter: ~Copyable {
  var written = GrowingBytes(capacity: 512)
  let isSpread: Bool
  var depth = 0

  package init(spread: Bool = false) {
    isSpread = spread
  }

  /// Returns a value as bytes; null if it holds a number that JSON cannot express.
  package static func bytes(of value: JSONValue, spread: Bool = false) -> [UInt8] {
    var writer = JSONWriter(spread: spread)
    return writer.write(value) ? writer.bytes() : Array("null".utf8)
  }

  /// The number of bytes written.
  package var count: Int { written.count }

  /// Returns a copy of the bytes written.
  package func bytes() -> [UInt8] { written.withBytes(Array.init) }

  var text: String { written.withBytes { String(decoding: $0, as: UTF8.self) } }

  /// Returns the bytes written so far and empties the buffer.
  package mutating func takeBytes() -> [UInt8] {
    defer { written.cut(to: 0) }
    return bytes()
  }

  /// Writes a literal of the source.
  package mutating func sign(_ literal: StaticString) {
    literal.withUTF8Buffer { written.append($0) }
  }

  /// Writes a value; returns false if it holds a number that JSON cannot express.
  mutating func write(_ value: JSONValue) -> Bool {
    switch value {
    case .null: sign("null")
    case .bool(let value): if value { sign("true") } else { sign("false") }
    case .integer(let value): write(value)
    case .number(let value):
      guard value.isFinite else { return false }
      let text = value.description
      for byte in (text.hasSuffix(".0") ? text.dropLast(2) : Substring(text)).utf8 {
        written.append(byte)
      }
    case .string(let value): write(value)
    case .array(let elements):
      return list(of: elements.count, from: "[", to: "]") { $0.write(elements[$1]) }
    case .object(let members):
      let members = Array(members)
      let order = Self.order(of: members)
      return list(of: order.count, from: "{", to: "}") { writer, place in
        writer.write(members[order[place]].key)
        if writer.isSpread { writer.sign(": ") } else { writer.sign(":") }
        return writer.write(members[order[place]].value)
      }
    }
    return true
  }

  /// Returns the indices of members in the byte order of their names.
  ///
  /// Bytes order even texts that look the same. Sorting indices avoids the reference counting of moving members.
  private static func order(of members: [(key: String, value: JSONValue)]) -> [Int] {
    members.indices.sorted { members[$0].key.precedesExactly(members[$1].key) }
  }

  /// Writes elements separated by commas; returns false if one of them cannot be expressed.
  @discardableResult
  package mutating func list(
    of count: Int, from opening: StaticString, to closing: StaticString,
    _ element: (inout JSONWriter, Int) -> Bool
  ) -> Bool {
    sign(opening)
    depth += 1
    for index in 0..<count {
      if index > 0 { sign(",") }
      beginLine()
      guard element(&self, index) else { return false }
    }
    depth -= 1
    if count > 0 { beginLine() }
    sign(closing)
    return true
  }

  /// Begins the line of an element or a member in the spread form.
  mutating func beginLine() {
    guard isSpread else { return }
    written.append(UInt8(ascii: "\n"))
    written.append(UInt8(ascii: " "), times: 2 * depth)
  }

  /// Writes a whole number.
  package mutating func write(_ number: Int64) {
    var rest = number.magnitude
    var digits = 1
    while rest >= 10 {
      rest /= 10
      digits += 1
    }
    let length = number < 0 ? digits + 1 : digits
    written.append(upTo: length) { end in
      end[0] = UInt8(ascii: "-")
      var rest = number.magnitude
      for place in (length - digits..<length).reversed() {
        end[place] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
      return length
    }
  }

  /// Writes a value; null if it holds a number that JSON cannot express.
  package mutating func writeOrNull(_ value: JSONValue) {
    let (start, outside) = (written.count, depth)
    guard !write(value) else { return }
    written.cut(to: start)
    depth = outside
    sign("null")
  }

  /// Writes a string in quotes.
  package mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      let plain = JSONStringBytes.plainPrefix(of: UnsafeRawBufferPointer(utf8)).count
      guard plain < utf8.count else { return writePlain(utf8) }
      written.append(0x22)
      for byte in utf8 {
        if JSONStringBytes.isPlain(byte) { written.append(byte) } else { escape(byte) }
      }
      written.append(0x22)
    }
  }

  private mutating func writePlain(_ bytes: UnsafeBufferPointer<UInt8>) {
    written.append(upTo: bytes.count + 2) { end in
      end[0] = 0x22
      if let first = bytes.baseAddress { (end + 1).initialize(from: first, count: bytes.count) }
      end[bytes.count + 1] = 0x22
      return bytes.count + 2
    }
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
      written.append(Self.hexadecimal[Int(byte >> 4)])
      written.append(Self.hexadecimal[Int(byte & 15)])
    }
  }

  private static let hexadecimal = Array("0123456789abcdef".utf8)
}
