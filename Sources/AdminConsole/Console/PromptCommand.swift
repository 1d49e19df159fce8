/// A line at the prompt that is no Lua but a command of psql, IPython or another console.
enum PromptCommand: Equatable {
  case leave
  /// Lua code that means the same.
  case code(String)
  case unknown(String)

  /// Recognises a line; nil if it is Lua.
  init?(_ line: String) {
    let text = line.trimming(while: \.isWhitespace)
    switch text.first {
    case "\\":
      let name = String(text.prefix { !$0.isWhitespace })
      self = Self.known[name] ?? .unknown(name)
    case "?":
      let topic = text.dropFirst().trimming(while: \.isWhitespace)
      self = .code(topic.isEmpty ? "help()" : "help \(Self.quoted(topic))")
    case "=" where !text.hasPrefix("=="):
      let expression = text.dropFirst().trimming(while: \.isWhitespace)
      guard !expression.isEmpty else { return nil }
      self = .code(expression)
    default: return nil
    }
  }

  /// The commands that begin with a backslash.
  private static let known: [String: PromptCommand] = [
    "\\q": .leave, "\\?": .code("help()"), "\\h": .code("help()"),
    "\\d": .code("accounts.find { limit = 20 }"), "\\l": .code("providers.list()"),
  ]

  static let remedy =
    "It has \\q, \\d (accounts), \\l (providers) and \\? (help), and otherwise takes Lua: see help()."

  private static func quoted(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  /// Returns the name that an input of one line declares with `local`, and that no later input knows.
  static func localName(in code: String) -> String? {
    guard let name = code.wholeMatch(of: /\s*local\s+([A-Za-z_][A-Za-z_0-9]*)\s*(?:=[^;\n]*)?/)
    else {
      return nil
    }
    return name.output.1 == "function" ? nil : String(name.output.1)
  }
}

extension StringProtocol {
  /// The text without the characters of a kind at its ends.
  fileprivate func trimming(while belongs: (Character) -> Bool) -> String {
    let start = drop(while: belongs)
    let end = start.lastIndex { !belongs($0) }
    return end.map { String(start[...$0]) } ?? ""
  }
}
