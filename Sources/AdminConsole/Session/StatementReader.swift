import LuaRuntime

/// Collects lines until they form a whole statement, for typed, pasted and piped input alike.
struct StatementReader {
  /// The result of taking a line.
  ///
  /// `before` is the number of lines before the statement.
  enum Step {
    case more
    case statement(String, before: Int)
    /// The end of the input, after a last statement if there is one.
    case leave(String?, before: Int)
  }

  private var code = ""
  private var scanner = LuaScanner()
  /// The number of lines taken, and the number of those that belong to the statement.
  private var count = 0
  private var height = 0
  /// The height at which the compiler is asked next, regardless of the scanner.
  private var nextLook = 0

  var isEmpty: Bool { height == 0 }

  /// The incomplete statement at the end of the input.
  var rest: (code: String, before: Int)? { isEmpty ? nil : (code, count - height) }

  /// The height up to which the compiler is asked after each line, so that errors are reported at once.
  private static let alwaysLooked = 64

  /// Takes the next line, and asks the compiler if the code is incomplete.
  ///
  /// A statement that begins with `local` takes all lines of a paste, up to the one that `isLast`.
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
    // Doubling keeps the total compile time proportional to the text, and still finds an early error.
    if height > Self.alwaysLooked { nextLook = 2 * height }
    guard !isIncomplete(code) else { return .more }
    defer { reset() }
    return .statement(code, before: count - height)
  }

  /// Counts a line that belongs to no statement, and returns the number of lines before it.
  mutating func pass() -> Int {
    defer { count += 1 }
    return count
  }

  /// Discards the incomplete statement.
  mutating func reset() {
    code = ""
    scanner = LuaScanner()
    height = 0
    nextLook = 0
  }

  private var isLocal: Bool { scanner.firstWord == "local" }

  /// Tells whether a line exits: `exit` or `quit`, with blanks, semicolons or a comment.
  static func leaves(_ line: String) -> Bool {
    // This test is cheaper than the pattern, and most lines fail it.
    guard let first = line.utf8.first(where: { $0 > 0x20 }), "eq".utf8.contains(first) else {
      return false
    }
    return line.wholeMatch(of: #/\s*(?:exit|quit)\s*(?:;\s*)*(?:--[^\n]*)?\s*/#) != nil
  }
}

/// A request to end the command with a status, from `exit` in a script or as a line.
public struct ScriptExit: Error, Hashable {
  /// The exit status of the process.
  public let status: Int32
}
