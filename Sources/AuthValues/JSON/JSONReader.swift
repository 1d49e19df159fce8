/// Reads JSON (RFC 8259) by hand: tokens, requests and rows are read all the time, and a decoder that asks for one type
/// after another takes many times as long.
///
/// It refuses what is no JSON, lone surrogates, bytes that are not UTF-8, deep nesting and anything after the value.
package struct JSONReader: ~Copyable {
  package struct Failure: Error, CustomStringConvertible {
    /// How many bytes had been read when it was noticed.
    package let offset: Int
    /// What has too many entries; nil if the text is no JSON.
    package private(set) var excess: Excess?
    /// Whether it is half of a character: a surrogate without the other one.
    package private(set) var isHalfCharacter = false

    package var description: String {
      if let excess { return excess.description }
      return isHalfCharacter
        ? "It has half of a character (a lone surrogate) at byte \(offset)."
        : "It stops being good JSON at byte \(offset)."
    }

    /// The failure of a surrogate that stands alone.
    fileprivate var ofHalfCharacter: Failure {
      var failure = self
      failure.isHalfCharacter = true
      return failure
    }

    /// The failure of a value as its container has it.
    fileprivate func inside(_ name: @autoclosure () -> String) -> Failure {
      guard var excess else { return self }
      excess.path = "/\(name().prefix(64))\(excess.path)"
      return Failure(offset: offset, excess: excess)
    }
  }

  /// A list or an object with more entries than it may have.
  package struct Excess: CustomStringConvertible {
    /// Where it stands, as a JSON pointer (RFC 6901); empty for the whole text.
    package fileprivate(set) var path = ""
    /// How many entries it may have.
    package let bound: Int

    package var description: String {
      "\(path.isEmpty ? "/" : path) must have at most \(bound) entries"
    }
  }

  /// What becomes of two members of one name in one object.
  package enum Repetition {
    /// They are refused, because two readers could see two different values (RFC 8259 section 4, RFC 8725 section
    /// 2.6): for what decides who somebody is.
    case refused
    /// The first counts, as for Foundation's decoder: what was stored goes on meaning what it did.
    case firstCounts
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let repetition: Repetition
  private let maximumDepth: Int
  private var position = 0

  /// Reads one value; stops at the first entry that exceeds a bound.
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
    // About how many there may be, so that few have to be moved to a larger place. A long text may be of very many
    // small objects.
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
      // Names that a Swift string holds equal, such as the two ways to write é, count as one.
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
    // 1e2 and 100.0 are the number 100, as long as a double holds every integer.
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
    // ASCII needs no look at how its bytes go together.
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
