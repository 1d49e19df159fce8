/// One token of a Lua text.
struct LuaToken: Hashable {
  enum Kind: Hashable {
    case name, keyword, text, number, symbol, end
  }

  let kind: Kind
  /// A string's value without its quotes; every other token as it is written.
  let text: String
  let line: Int
  /// The bytes of the text that are the token.
  var bytes: Range<Int> = 0..<0
}

/// Splits a Lua 5.4 text into tokens, without running any of it.
///
/// For files that Lua has already compiled: malformed text is skipped and not reported.
struct LuaLexer {
  private let bytes: [UInt8]
  private var position = 0
  /// The position at which the last token begins.
  private var begin = 0
  private var line = 1

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  static func tokens(of text: String) -> [LuaToken] {
    var lexer = LuaLexer(text)
    var tokens: [LuaToken] = []
    while var token = lexer.next() {
      token.bytes = lexer.begin..<lexer.position
      tokens.append(token)
    }
    tokens.append(LuaToken(kind: .end, text: "", line: lexer.line))
    return tokens
  }

  static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]
  private static let symbols = [
    "...", "::", "<<", ">>", "//", "==", "~=", "<=", ">=", "..",
  ].map { Array($0.utf8) }

  private mutating func next() -> LuaToken? {
    skipBlanks()
    guard let byte = peek() else { return nil }
    begin = position
    let start = line
    if Self.isLetter(byte) {
      let word = take { Self.isLetter($0) || Self.isDigit($0) }
      return LuaToken(
        kind: Self.keywords.contains(word) ? .keyword : .name, text: word, line: start)
    }
    if Self.isDigit(byte) || (byte == UInt8(ascii: ".") && peek(1).map(Self.isDigit) == true) {
      return LuaToken(kind: .number, text: number(), line: start)
    }
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      return LuaToken(kind: .text, text: quoted(byte), line: start)
    }
    if let level = longBracket() {
      return LuaToken(kind: .text, text: long(level), line: start)
    }
    if let symbol = Self.symbols.first(where: { bytes[position...].starts(with: $0) }) {
      position += symbol.count
      return LuaToken(kind: .symbol, text: String(decoding: symbol, as: UTF8.self), line: start)
    }
    position += 1
    return LuaToken(kind: .symbol, text: String(decoding: [byte], as: UTF8.self), line: start)
  }

  private func peek(_ offset: Int = 0) -> UInt8? {
    bytes.indices.contains(position + offset) ? bytes[position + offset] : nil
  }

  private mutating func take(while holds: (UInt8) -> Bool) -> String {
    let start = position
    while let byte = peek(), holds(byte) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func skipBlanks() {
    while let byte = peek() {
      if byte == UInt8(ascii: "\n") { line += 1 }
      if byte <= 0x20 {
        position += 1
      } else if byte == UInt8(ascii: "-"), peek(1) == byte {
        position += 2
        if let level = longBracket() {
          _ = long(level)
        } else {
          _ = take { $0 != UInt8(ascii: "\n") }
        }
      } else {
        return
      }
    }
  }

  private mutating func number() -> String {
    var last: UInt8 = 0
    return take { byte in
      // A sign belongs to a number only after its exponent.
      let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      let follows = isSign && "eEpP".utf8.contains(last)
      last = byte
      return follows || Self.isLetter(byte) || Self.isDigit(byte) || byte == UInt8(ascii: ".")
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

/// Strings, in quotes and in long brackets.
extension LuaLexer {
  /// The number of equals signs in the long bracket at this position; nil if there is no bracket.
  private func longBracket() -> Int? {
    guard peek() == UInt8(ascii: "[") else { return nil }
    var level = 0
    while peek(1 + level) == UInt8(ascii: "=") { level += 1 }
    return peek(1 + level) == UInt8(ascii: "[") ? level : nil
  }

  private mutating func long(_ level: Int) -> String {
    position += level + 2
    let start = position
    let close = Array("]".utf8) + Array(repeating: UInt8(ascii: "="), count: level) + "]".utf8
    while position < bytes.count, !bytes[position...].starts(with: close) {
      if bytes[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    position = min(bytes.count, position + close.count)
    return text.hasPrefix("\n") ? String(text.dropFirst()) : text
  }

  private mutating func quoted(_ quote: UInt8) -> String {
    position += 1
    var value: [UInt8] = []
    while let byte = peek(), byte != quote {
      position += 1
      if byte == UInt8(ascii: "\\") {
        escape(into: &value)
      } else {
        value.append(byte)
      }
    }
    position += 1
    return String(decoding: value, as: UTF8.self)
  }

  private mutating func escape(into value: inout [UInt8]) {
    guard let byte = peek() else { return }
    position += 1
    switch byte {
    case UInt8(ascii: "n"): value.append(0x0A)
    case UInt8(ascii: "t"): value.append(0x09)
    case UInt8(ascii: "r"): value.append(0x0D)
    case UInt8(ascii: "z"): _ = take { $0 <= 0x20 }
    case UInt8(ascii: "x"):
      let digits = String(decoding: bytes[position...].prefix(2), as: UTF8.self)
      position = min(bytes.count, position + 2)
      value.append(UInt8(digits, radix: 16) ?? 0)
    case _ where Self.isDigit(byte):
      position -= 1
      let digits = bytes[position...].prefix(3).prefix(while: Self.isDigit)
      position += digits.count
      value.append(UInt8(String(decoding: digits, as: UTF8.self)) ?? 0)
    default:
      if byte == 0x0A { line += 1 }
      value.append(byte)
    }
  }
}
