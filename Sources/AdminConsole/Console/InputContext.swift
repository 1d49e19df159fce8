/// The place of the cursor in an unfinished input: inside a string, or at a name in a table that is an argument.
struct InputContext: Equatable {
  enum Kind: Equatable {
    /// Inside a string, the first byte of which is at `start`.
    case string
    /// At the name of an entry of a table.
    case name
    /// Inside the brackets of `providers["…`.
    case index
  }

  let kind: Kind
  /// The function that is called, as it is written: `policy.use`, `x:unlink`, `show():csv`.
  let callee: String
  /// The position of the argument, from 1.
  let argument: Int
  /// The names that lead to the place inside the argument; empty if the argument is the string itself.
  let path: [String]
  /// The first byte of the word at the cursor.
  let start: Int
  /// The names that the innermost table has already.
  let given: [String]

  /// Reads the text before the cursor; nil if the cursor is at no such place.
  init?(_ text: [UInt8]) {
    var reader = ContextReader(text)
    guard let context = reader.read() else { return nil }
    self = context
  }

  fileprivate init(
    _ kind: Kind, _ frames: [ContextReader.Frame], callee own: String?, key: String?, start: Int
  ) {
    var path = key.map { [$0] } ?? []
    var callee = own
    var argument = 1
    for frame in frames.reversed() where callee == nil {
      switch frame.kind {
      case .call(let name, let number): (callee, argument) = (name, number)
      case .table(let name):
        if let name { callee = name } else if let key = frame.key { path.insert(key, at: 0) }
      case .index: callee = ""
      }
    }
    self.kind = kind
    self.callee = callee ?? ""
    self.argument = argument
    self.path = path
    self.start = start
    given = frames.last?.given ?? []
  }
}

/// Reads Lua that may be unfinished, and remembers the brackets that are open.
private struct ContextReader {
  struct Frame {
    enum Kind {
      case call(String, argument: Int)
      /// A table; with a name it is the only argument of that function.
      case table(String?)
      case index(String)
    }

    var kind: Kind
    /// The name in the table around it whose value this is.
    var key: String?
    var given: [String] = []
  }

  private let text: [UInt8]
  private var at = 0
  private var frames: [Frame] = []
  /// The expression that ends here and may be called; nil after an operator.
  private var expression: String?
  /// The key of the innermost table whose value follows.
  private var key: String?
  private var wordStart = 0

  init(_ text: [UInt8]) { self.text = text }

  mutating func read() -> InputContext? {
    while at < text.count {
      let byte = text[at]
      switch byte {
      case _ where byte.isPartOfName: readWord()
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if let context = readString(byte) { return context }
      case UInt8(ascii: "-") where next == byte:
        // A comment; a long one is as good as the end of the line.
        guard let end = text[at...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        at = end
      case UInt8(ascii: "[") where next == byte: return nil
      default: readSymbol(byte)
      }
    }
    guard case .table? = frames.last?.kind, key == nil else { return nil }
    guard expression == nil || isWordAtEnd else { return nil }
    let start = isWordAtEnd ? wordStart : text.count
    return InputContext(.name, frames, callee: nil, key: nil, start: start)
  }

  private var next: UInt8? { at + 1 < text.count ? text[at + 1] : nil }

  private var isWordAtEnd: Bool {
    guard let last = text.last, last.isPartOfName else { return false }
    return expression.map { !$0.contains { ".:([".contains($0) } } ?? false
  }

  private mutating func readWord() {
    let start = at
    while at < text.count, text[at].isPartOfName { at += 1 }
    let word = String(decoding: text[start..<at], as: UTF8.self)
    wordStart = start
    if Self.keywords.contains(word) {
      expression = nil
    } else if let before = expression, before.hasSuffix(".") || before.hasSuffix(":") {
      expression = before + word
    } else {
      expression = word
    }
  }

  /// Reads a string; returns the place if the string does not end.
  private mutating func readString(_ quote: UInt8) -> InputContext? {
    let start = at + 1
    at = start
    while at < text.count, text[at] != quote, text[at] != UInt8(ascii: "\n") {
      at += text[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard at < text.count else {
      if case .index? = frames.last?.kind {
        return InputContext(.index, frames, callee: "", key: nil, start: start)
      }
      return InputContext(.string, frames, callee: expression, key: key, start: start)
    }
    at += 1
    if case .index? = frames.last?.kind { return nil }
    expression = expression.map { "\($0)()" }
    return nil
  }

  private mutating func readSymbol(_ byte: UInt8) {
    at += 1
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return
    case UInt8(ascii: "."), UInt8(ascii: ":"):
      expression = expression.map { $0 + (byte == UInt8(ascii: ".") ? "." : ":") }
    case UInt8(ascii: "("): open(.call(expression ?? "", argument: 1))
    case UInt8(ascii: "{"): open(.table(expression))
    case UInt8(ascii: "["):
      open(.index(expression ?? ""))
    case UInt8(ascii: ")"), UInt8(ascii: "}"), UInt8(ascii: "]"): close()
    case UInt8(ascii: ","), UInt8(ascii: ";"): separate()
    case UInt8(ascii: "=") where at < text.count && text[at] == byte:
      at += 1
      expression = nil
    case UInt8(ascii: "="):
      if case .table? = frames.last?.kind, key == nil, let name = expression {
        key = name
        frames[frames.count - 1].given.append(name)
      }
      expression = nil
    default: expression = nil
    }
  }

  private mutating func open(_ kind: Frame.Kind) {
    frames.append(Frame(kind: kind, key: key))
    (expression, key) = (nil, nil)
  }

  private mutating func close() {
    guard let frame = frames.popLast() else {
      expression = nil
      return
    }
    key = frame.key
    switch frame.kind {
    case .call(let name, _): expression = "\(name)()"
    case .index(let name): expression = "\(name)[]"
    case .table(let name): expression = name.map { "\($0)()" }
    }
  }

  private mutating func separate() {
    (expression, key) = (nil, nil)
    guard let last = frames.indices.last else { return }
    if case .call(let name, let argument) = frames[last].kind {
      frames[last].kind = .call(name, argument: argument + 1)
    }
  }

  private static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "for", "function", "goto", "if", "in", "local",
    "not", "or", "repeat", "return", "then", "until", "while", "true", "false", "nil",
  ]
}

extension UInt8 {
  /// True for a byte of a Lua name, and for those of UTF-8 beyond ASCII, which are part of the word that is typed.
  var isPartOfName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
