import LuaRuntime

/// Collects lines until they are a whole statement; the same for what is typed, pasted and piped in.
struct StatementReader {
  /// What a line leads to.
  ///
  /// `before` counts the lines ahead of the statement.
  enum Step {
    case more
    case statement(String, before: Int)
    /// The end of the input, after a last statement if there is one.
    case leave(String?, before: Int)
  }

  private var code = ""
  private var scanner = LuaScanner()
  /// How many lines were taken, and how many of them belong to the statement.
  private var count = 0
  private var height = 0
  /// At which height the compiler is asked next, whatever the scanner says.
  private var nextLook = 0

  var isEmpty: Bool { height == 0 }

  /// What is left of the input behind its last whole statement.
  var rest: (code: String, before: Int)? { isEmpty ? nil : (code, count - height) }

  /// Up to this height the compiler is asked after each line, so that an error is told at once.
  private static let alwaysLooked = 64

  /// Takes the next line, and asks the compiler whether code breaks off.
  ///
  /// If further lines are known, a `local` takes them all with it.
  mutating func take(
    _ line: String, isLast: Bool, isIncomplete: (String) -> Bool
  ) -> Step {
    if Self.leaves(line), isEmpty || (isLocal && scanner.mayBeWhole && !isIncomplete(code)) {
      let before = count - height
      let step = Step.leave(isEmpty ? nil : code, before: before)
      reset()
      return step
    }
    if !isEmpty { code += "\n" }
    code += line
    count += 1
    height += 1
    scanner.read(line)
    if scanner.isInText || (isLocal && !isLast) { return .more }
    guard scanner.mayBeWhole || height <= Self.alwaysLooked || height >= nextLook else {
      return .more
    }
    // An error far above is found, and what is compiled for it stays in proportion to the text.
    if height > Self.alwaysLooked { nextLook = 2 * height }
    guard !isIncomplete(code) else { return .more }
    defer { reset() }
    return .statement(code, before: count - height)
  }

  /// Drops what is not whole.
  mutating func reset() {
    code = ""
    scanner = LuaScanner()
    height = 0
    nextLook = 0
  }

  private var isLocal: Bool { scanner.firstWord == "local" }

  /// Whether a line is the word that leaves: `exit` or `quit`, with blanks, semicolons or a comment.
  static func leaves(_ line: String) -> Bool {
    // Few lines begin so, and a pattern costs more than a letter.
    guard let first = line.utf8.first(where: { $0 > 0x20 }), "eq".utf8.contains(first) else {
      return false
    }
    return line.wholeMatch(of: #/\s*(?:exit|quit)\s*(?:;\s*)*(?:--[^\n]*)?\s*/#) != nil
  }
}

/// Asks the command to end with a status, as `exit` of a script or a line `exit` does.
public struct ScriptExit: Error, Hashable {
  public let status: Int32
}
