import AuthCore
package import LuaRuntime

/// The part of a console that runs statements: a state of this process, or a session on a server.
///
/// Everything that the admin's terminal does is outside of it, and the same for both.
package protocol ConsoleEngine: AnyObject {
  /// The output of the admin's terminal.
  var output: ConsoleOutput { get }

  /// The number of changes that are rehearsed and not committed; nil without a rehearsal.
  var rehearsedCount: Int? { get }

  /// Forgets what is rehearsed, without a word.
  func forgetRehearsal()

  /// Runs a statement and shows its results.
  ///
  /// An error is returned and not printed.
  func run(_ statement: ConsoleStatement) -> StatementEnd

  /// Shows what a tour says about an error, which was printed before.
  func showTour(after error: ErrorText)

  /// Tells whether code is incomplete, so that further lines may complete it.
  func isIncomplete(_ code: String) -> Bool

  /// Returns the whole words that may replace the text from `start` up to the cursor.
  func candidates(_ line: String, _ cursor: Int) -> (start: Int, candidates: [String])
}

/// Code that an admin enters.
package struct ConsoleStatement: Sendable {
  /// The origin of the code.
  package enum Origin: Hashable, Sendable {
    /// The prompt, where `lastError` keeps the error.
    case prompt
    /// An option or standard input, by its name in messages, with the number of lines before the code.
    case input(name: String, linesBefore: Int)
    /// The user's start-up file, whose results are not shown.
    case start(name: String)
    /// A script of a file, or of standard input if the file is `-`, whose values are shown if it printed nothing.
    case script(file: String, arguments: [String])
  }

  package let code: String
  package let origin: Origin

  package init(_ code: String, _ origin: Origin) {
    self.code = code
    self.origin = origin
  }

  /// The command of the prompt, if the code is one with a backslash; no Lua begins with it.
  var command: PromptCommand? {
    code.first { !$0.isWhitespace } == "\\" ? PromptCommand(code) : nil
  }
}

/// The end of a statement.
package struct StatementEnd {
  /// The error; nil if the statement ran to its end.
  var error: ErrorText?
  /// The status with which the statement ends the console; nil if the console goes on.
  var exit: ScriptExit?
  /// True if Ctrl-C stopped the statement.
  var isInterrupted = false
  /// True if the input may hold a secret, which the history file must not keep.
  var mayHoldSecret = false
  /// The number of changes that are rehearsed then, as a server tells it; nil without a rehearsal.
  var rehearsedCount: Int?
}

extension ConsoleEngine {
  /// Throws `operation-not-allowed` if changes were rehearsed and not committed, which a script has forgotten.
  package func requireCommit() throws {
    guard let count = rehearsedCount, count > 0 else { return }
    forgetRehearsal()
    throw AuthError(
      .operationNotAllowed, ConsoleSession.uncommitted(count),
      remedy: "End the script with commit(), or with nevermind() if they are not wanted.")
  }

  /// Runs the user's start-up file, which sets globals for what follows; throws as ``evaluate(_:name:)`` does.
  package func start(_ source: LuaSource, name: String) throws {
    try evaluate(source.text, .start(name: name))
  }

  /// Runs a script of a file, or of standard input if the file is `-`, with its arguments in the list `arg`.
  ///
  /// The values that it returns are printed, unless it printed something itself. Throws as
  /// ``evaluate(_:name:)`` does.
  package func run(_ source: LuaSource, file: String, arguments: [String]) throws {
    try evaluate(source.text, .script(file: file, arguments: arguments))
  }

  /// Runs a piece of code and prints its results.
  ///
  /// Throws ``ScriptFailure`` after the error was printed, and ``ScriptExit`` if the code exits.
  package func evaluate(_ code: LuaSource, name: String) throws {
    if StatementReader.leaves(code.text) { throw ScriptExit(status: 0) }
    let origin = ConsoleStatement.Origin.input(name: name, linesBefore: 0)
    guard let command = PromptCommand(code.text) else { return try evaluate(code.text, origin) }
    try obey(command, code.text, origin)
  }

  /// Runs input as if it were typed: each statement runs once it is complete, and its results are printed.
  ///
  /// From the first `local` on, the rest runs as one piece, in which that name is known. The first error ends the run,
  /// and so do `exit` and `quit`. `next` waits for a line and returns nil at the end.
  ///
  /// Throws ``ScriptFailure`` after the error was printed; earlier statements are not undone. Throws ``ScriptExit`` if
  /// a line exits.
  package func evaluateInput(name: String, next: () throws -> String?) throws {
    var reader = StatementReader()
    while let line = try next() {
      if reader.isEmpty, let command = PromptCommand(line) {
        try obey(command, line, .input(name: name, linesBefore: reader.pass()))
        continue
      }
      switch reader.take(line, isLast: false, isIncomplete: isIncomplete) {
      case .more: continue
      case .statement(let code, let before):
        try evaluate(code, .input(name: name, linesBefore: before))
      case .leave(let code, let before):
        if let code { try evaluate(code, .input(name: name, linesBefore: before)) }
        throw ScriptExit(status: 0)
      }
    }
    if let (code, before) = reader.rest {
      try evaluate(code, .input(name: name, linesBefore: before))
    }
  }

  /// Does what a command of the prompt means; throws ``ScriptExit`` if it leaves.
  private func obey(
    _ command: PromptCommand, _ line: String, _ origin: ConsoleStatement.Origin
  ) throws {
    switch command {
    case .leave: throw ScriptExit(status: 0)
    case .code(let code): try evaluate(code, origin)
    // The look of the console is the engine's.
    case .change, .refused: try evaluate(line, origin)
    }
  }

  private func evaluate(_ code: String, _ origin: ConsoleStatement.Origin) throws {
    let end = run(ConsoleStatement(code, origin))
    if let exit = end.exit { throw exit }
    guard let error = end.error else { return }
    error.printed(asJSON: output.isJSON)
    throw ScriptFailure(isInterrupt: end.isInterrupted)
  }
}
