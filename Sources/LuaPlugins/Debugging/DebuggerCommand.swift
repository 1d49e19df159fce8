package import AuthCore

/// A command of the debugger.
package enum DebuggerCommand: Hashable, Sendable {
  /// Runs to the next line, also of a function that is called.
  case step
  /// Runs to the next line of this function, or of the one that called it.
  case next
  /// Runs to the next breakpoint.
  case resume
  /// Sets a breakpoint.
  case breakAt(Int)
  /// Removes a breakpoint; nil for all.
  case clear(Int?)
  /// Shows the variables.
  case locals
  /// Shows the value of an expression.
  case evaluate(String)
  /// Shows the calls that have not returned.
  case frames
  /// Shows the text around the line.
  case source
  /// Ends the decision.
  case quit
  /// Explains the commands.
  case help

  /// Reads a command; throws `invalid-argument` with the nearest one.
  package init(_ text: String) throws(AuthError) {
    let text = String(text.trimming(while: \.isWhitespace))
    if text.hasPrefix("=") {
      self = try Self.evaluation(String(text.dropFirst()))
      return
    }
    let word = String(text.prefix { !$0.isWhitespace })
    let rest = String(text.dropFirst(word.count).trimming(while: \.isWhitespace))
    switch word {
    case "print", "p":
      self = try Self.evaluation(rest)
      return
    case "break", "b":
      self = .breakAt(try Self.line(rest, of: word))
      return
    case "clear":
      self = .clear(rest.isEmpty ? nil : try Self.line(rest, of: word))
      return
    default: break
    }
    guard let command = Self.plain[word] else {
      throw AuthError(
        .invalidArgument, "The debugger has no command \"\(word)\".", field: "command",
        remedy: suggestion(for: word, among: Self.words))
    }
    guard rest.isEmpty else {
      throw AuthError(
        .invalidArgument, "\(word) takes nothing, not \"\(rest)\".", field: "command",
        remedy: "Write \(word).")
    }
    self = command
  }

  private static let plain: [String: DebuggerCommand] = [
    "step": .step, "s": .step, "next": .next, "n": .next, "continue": .resume, "c": .resume,
    "locals": .locals, "where": .frames, "source": .source, "quit": .quit, "q": .quit,
    "help": .help,
  ]
  private static let words = [
    "step", "next", "continue", "break", "clear", "locals", "print", "where", "source", "quit",
    "help",
  ]

  /// The commands and their meanings.
  package static let helpText = """
    step           runs to the next line, also of a function that is called
    next           runs to the next line of this function, or of the one that called it
    continue       runs to the next breakpoint, or to the end
    break LINE     sets a breakpoint
    clear [LINE]   removes one breakpoint, or all
    locals         shows the variables
    print EXPR     shows the value of an expression; = EXPR does too
    where          shows the calls that have not returned
    source         shows the text around the line
    quit           ends the decision
    An empty line repeats the last step, next or continue.
    """

  private static func evaluation(_ text: String) throws(AuthError) -> DebuggerCommand {
    let text = String(text.trimming(while: \.isWhitespace))
    guard !text.isEmpty else {
      throw AuthError(
        .invalidArgument, "There is no expression.", field: "command",
        remedy: "Write print conflict.proof.both.")
    }
    return .evaluate(text)
  }

  private static func line(_ text: String, of word: String) throws(AuthError) -> Int {
    guard let line = Int(text), line > 0 else {
      throw AuthError(
        .invalidArgument, "\(word) takes the number of a line.", field: "command",
        remedy: "Write \(word) 9.")
    }
    return line
  }
}

extension StringProtocol {
  fileprivate func trimming(while isTrimmed: (Character) -> Bool) -> SubSequence {
    let start = firstIndex { !isTrimmed($0) } ?? endIndex
    let end = self[start...].lastIndex { !isTrimmed($0) }.map { index(after: $0) } ?? start
    return self[start..<end]
  }
}
