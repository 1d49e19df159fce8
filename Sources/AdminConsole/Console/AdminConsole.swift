import AuthCore
import Foundation
import LuaRuntime

/// The interactive console: reads a line, runs it, prints the results.
public final class AdminConsole {
  private let engine: any ConsoleEngine
  private let editor: LineEditor
  private let output: ConsoleOutput
  private let keepsHistory: Bool
  private var hasAdvised = false

  /// Makes a console.
  ///
  /// - Parameters:
  ///   - engine: the part that runs the statements.
  ///   - historyFile: the file that keeps inputs, or nil for none.
  package init(engine: any ConsoleEngine, historyFile: String?) {
    self.engine = engine
    output = engine.output
    editor = LineEditor(historyFile: historyFile)
    keepsHistory = historyFile != nil
    editor.completer = engine.candidates
  }

  /// Prints a greeting and runs until the end of input; throws ``ScriptExit`` if a script exits.
  public func run(greeting: String) throws {
    output.printed(line: greeting)
    var reader = StatementReader()
    while true {
      switch editor.readLine(prompt: reader.isEmpty ? prompt : "      ...> ") {
      case .endOfInput:
        output.printed("")
        guard let (code, _) = reader.rest else {
          guard mayLeave() else { continue }
          return
        }
        try submit(code)
        reader.reset()
      case .interrupted: reader.reset()
      case .refused(let byte):
        reader.reset()
        ErrorText(Self.refusal(of: byte)).printed(asJSON: output.isJSON)
      case .lines(let lines):
        do {
          guard try run(lines, &reader) || !mayLeave() else { return }
        } catch let exit as ScriptExit {
          guard !mayLeave() else { throw exit }
        }
      }
    }
  }

  /// The prompt; a star says that changes are rehearsed.
  private var prompt: String { engine.rehearsedCount == nil ? "authgraph> " : "authgraph*> " }

  /// Asks whether to forget what was rehearsed and not committed; true if there is nothing, or no terminal to ask at.
  private func mayLeave() -> Bool {
    guard let count = engine.rehearsedCount, count > 0 else { return true }
    let question =
      count == 1
      ? "1 rehearsed change is not committed. Leave and forget it? [y/N] "
      : "\(count) rehearsed changes are not committed. Leave and forget them? [y/N] "
    guard let answer = try? TerminalPrompt().answer(question) else { return true }
    guard case .refused = Consent(answer) else { return true }
    output.printed(line: "rehearsal() shows the changes, and commit() writes them.")
    return false
  }

  /// Runs the statements that a line or a paste completes; returns false if one of them exits.
  ///
  /// An error ends the paste, as it ends piped input.
  private func run(_ lines: [String], _ reader: inout StatementReader) throws -> Bool {
    for (index, line) in lines.enumerated() {
      let isLast = index == lines.count - 1
      let code: String
      if reader.isEmpty, let command = PromptCommand(line) {
        guard try obey(command, line) else { return false }
        continue
      }
      switch reader.take(line, isLast: isLast, isIncomplete: engine.isIncomplete) {
      case .more: continue
      case .leave(let rest, _):
        if let rest { try submit(rest) }
        return false
      case .statement(let statement, _): code = statement
      }
      guard !code.allSatisfy(\.isWhitespace) else { continue }
      guard try !submit(code), !isLast else { continue }
      let left = lines.count - 1 - index
      ConsoleOutput.warn("The rest of the paste was not run: \(left) line\(left == 1 ? "" : "s").")
      reader.reset()
      return true
    }
    return true
  }

  /// Does what a command of the prompt means; returns false if it leaves.
  private func obey(_ command: PromptCommand, _ line: String) throws -> Bool {
    switch command {
    case .leave: return false
    case .code(let code): try submit(code)
    // The look of the console is the engine's.
    case .change, .refused: try submit(line)
    }
    return true
  }

  private static func refusal(of byte: UInt8) -> AuthError {
    AuthError(
      .invalidArgument,
      "The input has the byte \(UTF8Fault.name(of: byte)), which is not UTF-8, and was not run.",
      remedy: "Set the terminal to UTF-8.")
  }

  /// Runs an input, prints its error and adds it to the history; returns true if it ran to its end.
  @discardableResult
  private func submit(_ code: String) throws -> Bool {
    let end = engine.run(ConsoleStatement(code, .prompt))
    if let error = end.error {
      error.printed(asJSON: output.isJSON)
      engine.showTour(after: error)
    }
    keep(code, isSecret: end.mayHoldSecret)
    if let exit = end.exit { throw exit }
    return end.error == nil
  }

  private func keep(_ code: String, isSecret: Bool) {
    editor.addHistory(code, inFile: !isSecret)
    guard isSecret, !hasAdvised, keepsHistory else { return }
    hasAdvised = true
    ConsoleOutput.warn(
      "This input is not kept in the history file: it may hold a secret. Ask for one with secret()."
    )
  }
}
