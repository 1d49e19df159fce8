package import AuthCore

/// Reads JSON that others wrote and that decides who somebody is.
///
/// Stricter than Foundation's reader, which silently takes one of two members of one name: two readers of a
/// token could then see two different subjects (RFC 8259 section 4, RFC 8725 section 2.6). It also
/// refuses deep nesting, lone surrogates, text that is not UTF-8 and anything after the value.
package struct StrictJSON {
  package struct Failure: Error {}

  private static let maximumDepth = 32

  private let bytes: [UInt8]
  private var position = 0

  package static func parse(_ bytes: [UInt8]) throws(Failure) -> JSONValue {
    var reader = StrictJSON(bytes: bytes)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.position == bytes.count else { throw Failure() }
    return value
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private mutating func take(_ expected: Unicode.Scalar) throws(Failure) {
    guard let byte = next, UInt32(byte) == expected.value else { throw Failure() }
    position += 1
  }

  private mutating func has(_ expected: Unicode.Scalar) -> Bool {
    guard let byte = next, UInt32(byte) == expected.value else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(Failure) -> JSONValue {
    guard depth < Self.maximumDepth else { throw Failure() }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(
    _ text: StaticString, _ value: JSONValue
  ) throws(Failure) -> JSONValue {
    for index in 0..<text.utf8CodeUnitCount {
      try take(Unicode.Scalar(text.utf8Start[index]))
    }
    return value
  }

  private mutating func object(depth: Int) throws(Failure) -> JSONValue {
    try take("{")
    var members: [String: JSONValue] = [:]
    skipSpace()
    if has("}") { return .object(members) }
    repeat {
      skipSpace()
      let name = try string()
      skipSpace()
      try take(":")
      // Names that a Swift string holds equal, such as the two ways to write é, count as one.
      guard members.updateValue(try value(depth: depth + 1), forKey: name) == nil else {
        throw Failure()
      }
      skipSpace()
    } while has(",")
    try take("}")
    return .object(members)
  }

  private mutating func array(depth: Int) throws(Failure) -> JSONValue {
    try take("[")
    var elements: [JSONValue] = []
    skipSpace()
    if has("]") { return .array(elements) }
    repeat {
      elements.append(try value(depth: depth + 1))
      skipSpace()
    } while has(",")
    try take("]")
    return .array(elements)
  }
}

extension StrictJSON {
  private mutating func digits() throws(Failure) {
    let start = position
    while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
    guard position > start else { throw Failure() }
  }

  private mutating func number() throws(Failure) -> JSONValue {
    let start = position
    var isInteger = true
    _ = has("-")
    if !has("0") { try digits() }
    if has(".") {
      isInteger = false
      try digits()
    }
    if has("e") || has("E") {
      isInteger = false
      if !has("+") { _ = has("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let whole = Int64(text) { return .integer(whole) }
    guard let number = Double(text), number.isFinite else { throw Failure() }
    // 1e2 and 100.0 are the number 100, as long as a double holds every integer.
    if let whole = Int64(exactly: number), whole.magnitude <= 1 << 53 { return .integer(whole) }
    return .number(number)
  }

  private mutating func string() throws(Failure) -> String {
    try take("\"")
    let start = position
    while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\\") {
      guard byte == UInt8(ascii: "\"") else {
        position += 1
        continue
      }
      let plain = String(validating: bytes[start..<position], as: UTF8.self)
      position += 1
      guard let plain else { throw Failure() }
      return plain
    }
    return try escapedString(from: start)
  }

  private mutating func escapedString(from start: Int) throws(Failure) -> String {
    var text = Array(bytes[start..<position])
    while let byte = next, byte >= 0x20 {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else { throw Failure() }
        return string
      case UInt8(ascii: "\\"): text.append(contentsOf: try escape())
      default: text.append(byte)
      }
    }
    throw Failure()
  }

  private mutating func escape() throws(Failure) -> [UInt8] {
    guard let byte = next else { throw Failure() }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return Array(String(Character(try scalar())).utf8)
    default: throw Failure()
    }
  }

  private mutating func scalar() throws(Failure) -> Unicode.Scalar {
    let first = try codeUnit()
    guard (0xD800...0xDBFF).contains(first) else {
      guard let scalar = Unicode.Scalar(first) else { throw Failure() }
      return scalar
    }
    try take("\\")
    try take("u")
    let second = try codeUnit()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw Failure() }
    return scalar
  }

  private mutating func codeUnit() throws(Failure) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw Failure()
      }
      unit = unit << 4 + UInt32(digit)
      position += 1
    }
    return unit
  }
}
