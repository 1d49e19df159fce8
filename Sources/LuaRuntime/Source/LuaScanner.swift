/// Follows Lua text line by line, and knows what is still open at the end of each line.
///
/// It recognises statements that cannot be complete yet, so that only complete ones are compiled. For text that is
/// not Lua, the decision is left to the compiler.
public struct LuaScanner {
  private enum Place {
    case code
    case quoted(UInt8)
    /// Inside a long string or comment, whose closing bracket has this number of equals signs.
    case long(Int)
    case skippingBlanks(UInt8)
  }

  private var place = Place.code
  private var brackets = 0
  private var blocks = 0
  /// True if something was closed that was never opened, or a quoted string ends with its line.
  private var isBroken = false
  /// True if the last word requires another one.
  private var asksForMore = false
  private var endsWithBackslash = false
  /// The first word of the text.
  public private(set) var firstWord: String?
  /// The first character beyond ASCII outside of strings and comments.
  private(set) var stray: (line: Int, scalar: Unicode.Scalar)?
  private var line = 0

  /// Creates a scanner at the beginning of a text.
  public init() {}

  /// Tells whether the text so far may be a whole statement, or cannot be completed by any further line.
  public var mayBeWhole: Bool {
    guard !isBroken else { return true }
    guard case .code = place else { return false }
    return brackets == 0 && blocks == 0 && !asksForMore
  }

  /// Tells whether the text ends inside a string or comment that continues on the next line.
  public var isInText: Bool {
    if case .code = place { false } else { !isBroken }
  }

  /// Reads the next line, without its end.
  public mutating func read(_ text: String) {
    line += 1
    var text = text
    text.withUTF8 { read($0) }
  }

  private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
    var at = 0
    while at < bytes.count {
      switch place {
      case .code: at = readCode(bytes, at)
      case .quoted(let quote): at = readQuoted(bytes, at, quote)
      case .long(let level): at = readLong(bytes, at, level)
      case .skippingBlanks(let quote):
        if bytes[at] <= 0x20 { at += 1 } else { place = .quoted(quote) }
      }
    }
    guard case .quoted = place else { return }
    // A string continues on the next line only after a backslash at the end.
    if endsWithBackslash { endsWithBackslash = false } else { isBroken = true }
  }

  private mutating func readQuoted(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ quote: UInt8
  ) -> Int {
    var at = start
    endsWithBackslash = false
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      if byte == quote {
        place = .code
        return at
      }
      guard byte == UInt8(ascii: "\\") else { continue }
      guard at < bytes.count else {
        endsWithBackslash = true
        return at
      }
      if bytes[at] == UInt8(ascii: "z") {
        place = .skippingBlanks(quote)
        return at + 1
      }
      at += 1
    }
    return at
  }

  private mutating func readLong(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ level: Int
  ) -> Int {
    var at = start
    while at < bytes.count {
      if bytes[at] == UInt8(ascii: "]"), at + level + 1 < bytes.count,
        bytes[at + level + 1] == UInt8(ascii: "]"),
        bytes[(at + 1)..<(at + 1 + level)].allSatisfy({ $0 == UInt8(ascii: "=") })
      {
        place = .code
        return at + level + 2
      }
      at += 1
    }
    return at
  }

  /// Returns the level of the long bracket that opens at an offset; nil if none does.
  private func longBracket(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int? {
    guard at < bytes.count, bytes[at] == UInt8(ascii: "[") else { return nil }
    var level = 0
    while at + 1 + level < bytes.count, bytes[at + 1 + level] == UInt8(ascii: "=") { level += 1 }
    let second = at + 1 + level
    return second < bytes.count && bytes[second] == UInt8(ascii: "[") ? level : nil
  }

  private mutating func readCode(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int {
    let byte = bytes[at]
    if byte <= 0x20 { return at + 1 }
    if byte == UInt8(ascii: "-"), at + 1 < bytes.count, bytes[at + 1] == byte {
      guard let level = longBracket(bytes, at + 2) else { return bytes.count }
      place = .long(level)
      return at + 4 + level
    }
    if byte.isLuaNameByte { return readWord(bytes, at) }
    asksForMore = false
    if firstWord == nil { firstWord = "" }
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      place = .quoted(byte)
      endsWithBackslash = false
      return at + 1
    }
    if let level = longBracket(bytes, at) {
      place = .long(level)
      return at + 2 + level
    }
    if byte >= 0x80 { note(bytes, at) }
    return readSymbol(bytes, at)
  }

  private mutating func readSymbol(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int {
    switch bytes[at] {
    case UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "["): brackets += 1
    case UInt8(ascii: ")"), UInt8(ascii: "}"), UInt8(ascii: "]"):
      brackets -= 1
      if brackets < 0 { isBroken = true }
    case UInt8(ascii: ":"):
      // The end of a label requires nothing after it.
      if at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: ":") { return at + 2 }
      asksForMore = true
    case UInt8(ascii: "."):
      let dots = bytes[at...].prefix(while: { $0 == UInt8(ascii: ".") }).count
      asksForMore = dots != 3
      return at + dots
    default: asksForMore = Self.operators.contains(bytes[at])
    }
    return at + 1
  }

  private mutating func readWord(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    var end = start
    let isNumber = bytes[start] >= UInt8(ascii: "0") && bytes[start] <= UInt8(ascii: "9")
    // A point belongs to a number.
    while end < bytes.count,
      bytes[end].isLuaNameByte || (isNumber && bytes[end] == UInt8(ascii: "."))
    {
      end += 1
    }
    let word = String(decoding: bytes[start..<end], as: UTF8.self)
    if firstWord == nil { firstWord = word }
    asksForMore = Self.openWords.contains(word)
    switch word {
    case "function", "if", "do", "repeat": blocks += 1
    case "end", "until":
      blocks -= 1
      if blocks < 0 { isBroken = true }
    default: break
    }
    return end
  }

  private mutating func note(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) {
    guard stray == nil else { return }
    let rest = String(decoding: bytes[at...].prefix(4), as: UTF8.self)
    if let scalar = rest.unicodeScalars.first { stray = (line, scalar) }
  }

  private static let operators = Set("+-*/%^#&~|<>=,".utf8)
  private static let openWords: Set = ["and", "or", "not", "in", "local", "until", "goto"]
}
