extension LuaSource {
  /// Returns a text in the form that is compiled; throws `syntax` if it cannot be the text of a script.
  static func compilable(_ text: String, name: String) throws(LuaError) -> String {
    guard text.utf8.count > mostBytes || !isInForm(text) else { return text }
    do throws(LuaSourceError) {
      return try LuaSource(text).text
    } catch {
      var refusal = LuaError(.syntax, "\(error.fault). \(error.remedy)")
      refusal.script = name
      refusal.line = error.line
      throw refusal
    }
  }

  /// Tells whether a text already has the form of ``LuaSource``, as texts that it read have.
  private static func isInForm(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return true }
    // The first bytes of a byte order mark, an interpreter line and compiled Lua.
    if [0xEF, UInt8(ascii: "#"), 0x1B].contains(first) { return false }
    var text = text
    return text.withUTF8 { !$0.contains(0x0D) && !$0.contains(0) }
  }
}

extension LuaError {
  /// Names the character at the syntax error, if web pages and word processors write such characters.
  mutating func explainStray(in source: String) {
    guard code == .syntax, message.contains("near '<\\") else { return }
    var scanner = LuaScanner()
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      scanner.read(String(line))
      if scanner.stray != nil { break }
    }
    guard let (line, scalar) = scanner.stray, line == self.line else { return }
    let isBlank = scalar.properties.isWhitespace || ["\u{FEFF}", "\u{200B}"].contains(scalar)
    let remedy =
      switch scalar {
      case "\u{201C}", "\u{201D}", "\u{201E}", "\u{201F}", "\u{AB}", "\u{BB}", "\u{2033}":
        "Write \" instead"
      case "\u{2018}", "\u{2019}", "\u{201A}", "\u{201B}", "\u{2032}": "Write ' instead"
      case "\u{2010}"..."\u{2015}", "\u{2212}": "Write - instead"
      default: isBlank ? "Write a plain blank instead" : "It can stand in quotes and comments only"
      }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let number = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    message = "the \(isBlank ? "blank" : "character \(scalar)") \(number) is not Lua. \(remedy)"
    value = nil
  }
}
