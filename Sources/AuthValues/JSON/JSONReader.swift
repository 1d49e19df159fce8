/// A fast reader of JSON (RFC 8259) for tokens, requests and rows.
///
/// It refuses malformed JSON, lone surrogates, invalid UTF-8, deep nesting and anything after the value.
package struct JSONReader: ~Copyable {
  package struct Failure: Error, CustomStringConvertible {
    /// The number of bytes read before the failure.
    package let offset: Int
    /// The list or object with too many entries; nil if the text is malformed.
    package private(set) var excess: Excess?
    /// True if the failure is a lone surrogate.
    package private(set) var isHalfCharacter = false

    package var description: String {
      if let excess { return excess.description }
      return isHalfCharacter
        ? "It has half of a character (a lone surrogate) at byte \(offset)."
        : "It stops being good JSON at byte \(offset)."
    }

    /// The failure of a lone surrogate.
    fileprivate var ofHalfCharacter: Failure {
      var failure = self
      failure.isHalfCharacter = true
      return failure
    }

    /// Returns the failure with the name of its container added to the path.
    fileprivate func inside(_ name: @autoclosure () -> String) -> Failure {
      guard var excess else { return self }
      excess.path = "/\(name().prefix(64))\(excess.path)"
      return Failure(offset: offset, excess: excess)
    }
  }

  /// A list or an object with more entries than its bound.
  package struct Excess: CustomStringConvertible {
    /// The place as a JSON pointer (RFC 6901); empty for the whole text.
    package fileprivate(set) var path = ""
    /// The maximum number of entries.
    package let bound: Int

    package var description: String {
      "\(path.isEmpty ? "/" : path) must have at most \(bound) entries"
    }
  }

  /// The treatment of two members with one name in an object.
  package enum Repetition {
    /// Refuses them, because two readers could see two values (RFC 8259 section 4, RFC 8725 section 2.6).
    ///
    /// For texts that decide who a person is.
    case refused
    /// Takes the first, as Foundation's decoder does, so that stored records keep their meaning.
    case firstCounts
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let repetition: Repetition
  private let maximumDepth: Int
  private var position = 0

  /// Reads one value, and stops at the first entry that exceeds a bound.
  package static func value(
    _ bytes: [UInt8], repeatedNames: Repetition, maximumDepth: Int = 32,
    bounds: JSONBounds? = nil
  ) throws(Failure) -> JSONValue {
    try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      try value(bytes, repeatedNames: repeatedNames, maximumDepth: maximumDepth, bounds: bounds)
    }
  }

  private static func value(
    _ bytes: UnsafeBufferPointer<UInt8>, repeatedNames: Repetition, maximumDepth: Int,
    bounds: JSONBounds?
  ) throws(Failure) -> JSONValue {
    var reader = JSONReader(bytes, repeatedNames, maximumDepth)
    let value = try reader.value(depth: 0, bounds)
    reader.skipSpace()
    guard reader.position == bytes.count else { throw reader.failure }
    return value
  }

  private init(
    _ bytes: UnsafeBufferPointer<UInt8>, _ repetition: Repetition, _ maximumDepth: Int
  ) {
    self.bytes = bytes
    self.repetition = repetition
    self.maximumDepth = maximumDepth
  }

  private var failure: Failure { Failure(offset: position) }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private mutating func take(_ expected: UInt8) throws(Failure) {
    guard has(expected) else { throw failure }
  }

  private mutating func has(_ expected: UInt8) -> Bool {
    guard next == expected else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int, _ bounds: JSONBounds?) throws(Failure) -> JSONValue {
    guard depth < maximumDepth else { throw failure }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth, bounds)
    case UInt8(ascii: "["): return try array(depth: depth, bounds)
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
    for index in 0..<text.utf8CodeUnitCount { try take(text.utf8Start[index]) }
    return value
  }

  /// Throws if one more entry would exceed the bound.
  private func admit(_ count: Int, _ bounds: JSONBounds?) throws(Failure) {
    guard let bounds, count >= bounds.entries else { return }
    throw Failure(offset: position, excess: Excess(bound: bounds.entries))
  }

  private mutating func object(depth: Int, _ bounds: JSONBounds?) throws(Failure) -> JSONValue {
    try take(UInt8(ascii: "{"))
    skipSpace()
    if has(UInt8(ascii: "}")) { return .object([:]) }
    var members: [String: JSONValue] = [:]
    // An estimate of the number of members, so that few are moved as the dictionary grows. A long text may consist of
    // very many small objects.
    let rest = bytes.count - position
    if rest < 4096 { members.reserveCapacity(min(12, 1 + rest / 32)) }
    repeat {
      try admit(members.count, bounds)
      skipSpace()
      let name = try string()
      skipSpace()
      try take(UInt8(ascii: ":"))
      let member: JSONValue
      do throws(Failure) {
        member = try value(depth: depth + 1, bounds?.inside(name))
      } catch {
        throw error.inside(name)
      }
      // Names that are equal as Swift strings, such as the two spellings of é, count as one.
      if let first = members.updateValue(member, forKey: name) {
        guard repetition == .firstCounts else { throw failure }
        members[name] = first
      }
      skipSpace()
    } while has(UInt8(ascii: ","))
    try take(UInt8(ascii: "}"))
    return .object(members)
  }

  private mutating func array(depth: Int, _ bounds: JSONBounds?) throws(Failure) -> JSONValue {
    try take(UInt8(ascii: "["))
    var elements: [JSONValue] = []
    skipSpace()
    if has(UInt8(ascii: "]")) { return .array(elements) }
    let inner = bounds?.inside("*")
    repeat {
      try admit(elements.count, bounds)
      do throws(Failure) {
        elements.append(try value(depth: depth + 1, inner))
      } catch {
        throw error.inside(String(elements.count))
      }
      skipSpace()
    } while has(UInt8(ascii: ","))
    try take(UInt8(ascii: "]"))
    return .array(elements)
  }

  private mutating func digits() throws(Failure) {
    let start = position
    while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
    guard position > start else { throw failure }
  }

  private mutating func number() throws(Failure) -> JSONValue {
    let start = position
    var isInteger = true
    _ = has(UInt8(ascii: "-"))
    if !has(UInt8(ascii: "0")) { try digits() }
    if has(UInt8(ascii: ".")) {
      isInteger = false
      try digits()
    }
    if has(UInt8(ascii: "e")) || has(UInt8(ascii: "E")) {
      isInteger = false
      if !has(UInt8(ascii: "+")) { _ = has(UInt8(ascii: "-")) }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let whole = Int64(text) { return .integer(whole) }
    guard let number = Double(text), number.isFinite else { throw failure }
    // 1e2 and 100.0 are the integer 100, up to the largest range in which a double holds every integer.
    if let whole = Int64(exactly: number), whole.magnitude <= 1 << 53 { return .integer(whole) }
    return .number(number)
  }
}

extension JSONReader {
  private mutating func string() throws(Failure) -> String {
    try take(UInt8(ascii: "\""))
    let start = position
    let rest = UnsafeBufferPointer(rebasing: bytes[start...])
    let plain = JSONStringBytes.plainPrefix(of: UnsafeRawBufferPointer(rest))
    position += plain.count
    guard has(UInt8(ascii: "\"")) else { return try escapedString(from: start) }
    let text = UnsafeBufferPointer(rebasing: rest[..<plain.count])
    // ASCII needs no validation.
    if plain.isASCII { return String(decoding: text, as: UTF8.self) }
    guard let text = String(validating: text, as: UTF8.self) else { throw failure }
    return text
  }

  private mutating func escapedString(from start: Int) throws(Failure) -> String {
    var text = Array(bytes[start..<position])
    while let byte = next, byte >= 0x20 {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else { throw failure }
        return string
      case UInt8(ascii: "\\"): try escape(into: &text)
      default: text.append(byte)
      }
    }
    throw failure
  }

  private mutating func escape(into text: inout [UInt8]) throws(Failure) {
    guard let byte = next else { throw failure }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text.append(contentsOf: String(try scalar()).utf8)
    default: throw failure
    }
  }

  private mutating func scalar() throws(Failure) -> Unicode.Scalar {
    let first = try codeUnit()
    guard (0xD800...0xDBFF).contains(first) else {
      guard let scalar = Unicode.Scalar(first) else { throw failure.ofHalfCharacter }
      return scalar
    }
    guard has(UInt8(ascii: "\\")), has(UInt8(ascii: "u")) else { throw failure.ofHalfCharacter }
    let second = try codeUnit()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw failure.ofHalfCharacter }
    return scalar
  }

  private mutating func codeUnit() throws(Failure) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = byte.hexadecimalValue else {
        throw failure
      }
      unit = unit << 4 + UInt32(digit)
      position += 1
    }
    return unit
  }
}
