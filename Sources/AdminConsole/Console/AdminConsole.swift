import AuthCore
import Foundation
import LuaRuntime

/// The interactive console: reads a line, runs it, prints the results.
public final class AdminConsole {
  private let admin: AdminState
  private let editor: LineEditor
  private let output: ConsoleOutput
  private let secrets: SecretInput
  private let keepsHistory: Bool
  private var hasAdvised = false

  /// Makes a console.
  ///
  /// - Parameters:
  ///   - admin: the state with the API.
  ///   - historyFile: the file that keeps inputs, or nil for none.
  public init(admin: AdminState, historyFile: String?) {
    self.admin = admin
    output = admin.session.output
    editor = LineEditor(historyFile: historyFile)
    keepsHistory = historyFile != nil
    secrets = SecretInput(admin.session.graph.providers)
    let completion = ConsoleCompletion(state: admin.state, session: admin.session)
    editor.completer = completion.candidates
  }

  /// Prints a greeting and runs until the end of input; throws ``ScriptExit`` if a script exits.
  public func run(greeting: String) throws {
    output.look.isConversation = true
    defer { output.look.isConversation = false }
    output.printed(line: greeting)
    let session = admin.session
    session.ask = { try TerminalPrompt(isInterrupted: session.isInterrupted).answer($0) }
    defer { session.ask = nil }
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
  private var prompt: String {
    admin.session.rehearsal == nil ? "authgraph> " : "authgraph*> "
  }

  /// Asks whether to forget what was rehearsed and not committed; true if there is nothing, or no terminal to ask at.
  private func mayLeave() -> Bool {
    let count = admin.session.openChanges
    guard count > 0, let ask = admin.session.ask else { return true }
    let question =
      count == 1
      ? "1 rehearsed change is not committed. Leave and forget it? [y/N] "
      : "\(count) rehearsed changes are not committed. Leave and forget them? [y/N] "
    guard let answer = try? ask(question) else { return true }
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
      switch reader.take(line, isLast: isLast, isIncomplete: admin.isIncomplete) {
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
    case .change(let change):
      editor.addHistory(line)
      output.printed(change(output.look))
    case .refused(let message, let remedy):
      editor.addHistory(line)
      ErrorText(AuthError(.invalidArgument, message, remedy: remedy))
        .printed(asJSON: output.isJSON)
    }
    return true
  }

  private static func refusal(of byte: UInt8) -> AuthError {
    AuthError(
      .invalidArgument,
      "The input has the byte \(UTF8Fault.name(of: byte)), which is not UTF-8, and was not run.",
      remedy: "Set the terminal to UTF-8.")
  }

  /// Runs an input and adds it to the history; returns true if it ran to its end.
  @discardableResult
  private func submit(_ code: String) throws -> Bool {
    do {
      let error = try evaluate(code)
      keep(code, failed: error)
      return error == nil
    } catch {
      keep(code, failed: nil)
      throw error
    }
  }

  private func keep(_ code: String, failed error: LuaError?) {
    // The error of an input can show that the input holds a mistyped secret.
    let isSecret = error.map { secrets.isSecret(code, failed: $0) } ?? secrets.isSecret(code)
    admin.session.note(code, failed: error, isSecret: isSecret)
    editor.addHistory(code, inFile: !isSecret)
    guard isSecret, !hasAdvised, keepsHistory else { return }
    hasAdvised = true
    ConsoleOutput.warn(
      "This input is not kept in the history file: it may hold a secret. Ask for one with secret()."
    )
  }

  /// Runs code, prints its results or its error, and returns the error.
  private func evaluate(_ code: String) throws -> LuaError? {
    defer {
      for name in admin.restoreOwnNames() {
        ConsoleOutput.warn(
          "\(name) is a name of the console and means the same as before. Choose another name.")
      }
    }
    do throws(LuaError) {
      try admin.callAndShow(admin.compile(code, name: "console"))
      if let name = PromptCommand.localName(in: code) {
        ConsoleOutput.warn(
          "\(name) is forgotten now: local ends with its input. Write \(name) = … without local.")
      }
      return nil
    } catch {
      if let exit = error.cause as? ScriptExit { throw exit }
      let text = ErrorText(error)
      text.printed(asJSON: output.isJSON)
      try? admin.state.set("lastError", to: .table(text.table))
      admin.showTour([], error: text.code)
      return error
    }
  }
}
