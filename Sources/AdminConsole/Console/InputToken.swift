/// A word of an input, recognised even in text that is not Lua.
struct InputToken: Equatable {
  enum Kind {
    case name, text, number, symbol, comment
  }

  let kind: Kind
  /// The word; for a quoted string the text between the quotes.
  let text: String

  func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }
  func isName(_ name: String) -> Bool { kind == .name && text == name }

  /// Splits a text into words.
  ///
  /// An unfinished quoted string extends to the end of its line, an unfinished long string to the end of the text.
  static func all(in code: String) -> [InputToken] {
    var reader = InputReader(rest: code[...])
    var tokens: [InputToken] = []
    while let token = reader.next() { tokens.append(token) }
    return tokens
  }
}

private struct InputReader {
  var rest: Substring

  mutating func next() -> InputToken? {
    rest = rest.drop(while: \.isWhitespace)
    guard let first = rest.first else { return nil }
    if rest.hasPrefix("--") {
      rest = rest.dropFirst(2)
      let text = longText() ?? String(take { !$0.isNewline })
      return InputToken(kind: .comment, text: text)
    }
    if let text = longText() { return InputToken(kind: .text, text: text) }
    switch first {
    case "\"", "'": return quoted(until: first)
    case "“", "”": return quoted(until: "”")
    case "‘", "’": return quoted(until: "’")
    default: break
    }
    if first.isNumber { return InputToken(kind: .number, text: String(take(Self.isInNumber))) }
    if Self.isInName(first) { return InputToken(kind: .name, text: String(take(Self.isInName))) }
    let pairs = ["==", "~=", "<=", ">=", "..", "::"]
    let symbol = pairs.first { rest.hasPrefix($0) } ?? String(first)
    rest = rest.dropFirst(symbol.count)
    return InputToken(kind: .symbol, text: symbol)
  }

  private mutating func quoted(until end: Character) -> InputToken {
    rest = rest.dropFirst()
    var text = ""
    while let character = rest.popFirst(), character != end, !character.isNewline {
      text.append(character)
      if character == "\\", let escaped = rest.popFirst() { text.append(escaped) }
    }
    return InputToken(kind: .text, text: text)
  }

  /// Reads a string in long brackets, if one begins here.
  private mutating func longText() -> String? {
    guard rest.first == "[" else { return nil }
    let level = rest.dropFirst().prefix { $0 == "=" }
    let body = rest.dropFirst(1 + level.count)
    guard body.first == "[" else { return nil }
    let text = body.dropFirst()
    let end = text.firstRange(of: "]\(level)]")
    rest = end.map { text[$0.upperBound...] } ?? ""
    return String(end.map { text[..<$0.lowerBound] } ?? text)
  }

  private mutating func take(_ isWanted: (Character) -> Bool) -> Substring {
    let taken = rest.prefix(while: isWanted)
    rest = rest.dropFirst(taken.count)
    return taken
  }

  private static func isInName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  private static func isInNumber(_ character: Character) -> Bool {
    isInName(character) || character == "."
  }
}
