import AuthCore
import Foundation
import LuaRuntime

/// The conversation: reads a line, runs it, prints what it gave.
public final class AdminConsole {
  private let admin: AdminState
  private let editor: LineEditor
  private let output: ConsoleOutput
  private let secrets: SecretInput

  /// Makes a console.
  ///
  /// - Parameters:
  ///   - admin: the state with the API.
  ///   - historyFile: where inputs are kept, or nil for nowhere.
  public init(admin: AdminState, historyFile: String?) {
    self.admin = admin
    output = admin.session.output
    editor = LineEditor(historyFile: historyFile)
    secrets = SecretInput(admin.session.graph.providers)
    let completion = ConsoleCompletion(state: admin.state, providers: admin.session.graph.providers)
    editor.completer = completion.candidates
  }

  /// Greets and goes on until the end of input; throws ``ScriptExit`` if a script leaves.
  public func run(greeting: String) throws {
    output.write(greeting)
    var reader = StatementReader()
    while true {
      switch editor.readLine(prompt: reader.isEmpty ? "authgraph> " : "      ...> ") {
      case .endOfInput:
        output.write("")
        guard let (code, _) = reader.rest else { return }
        try evaluate(code)
        reader.reset()
      case .interrupted: reader.reset()
      case .refused(let byte):
        reader.reset()
        ErrorText(Self.refusal(of: byte)).printed(asJSON: output.isJSON)
      case .lines(let lines):
        guard try run(lines, &reader) else { return }
      }
    }
  }

  /// Runs what a line, or the lines of a paste, make whole; false if one of them leaves.
  ///
  /// An error ends the paste, as it ends what is piped in.
  private func run(_ lines: [String], _ reader: inout StatementReader) throws -> Bool {
    for (index, line) in lines.enumerated() {
      let isLast = index == lines.count - 1
      let code: String
      switch reader.take(line, isLast: isLast, isIncomplete: admin.isIncomplete) {
      case .more: continue
      case .leave(let rest, _):
        if let rest { try evaluate(rest) }
        return false
      case .statement(let statement, _): code = statement
      }
      guard !code.allSatisfy(\.isWhitespace) else { continue }
      if !secrets.isSecret(code) { editor.addHistory(code) }
      guard try !evaluate(code), !isLast else { continue }
      let left = lines.count - 1 - index
      ConsoleOutput.warn("The rest of the paste was not run: \(left) line\(left == 1 ? "" : "s").")
      reader.reset()
      return true
    }
    return true
  }

  private static func refusal(of byte: UInt8) -> AuthError {
    AuthError(
      .invalidArgument,
      "The input has the byte \(UTF8Fault.name(of: byte)), which is not UTF-8, and was not run.",
      remedy: "Set the terminal to UTF-8.")
  }

  /// Runs code and prints what it gives or its error; whether it came to its end.
  @discardableResult
  private func evaluate(_ code: String) throws -> Bool {
    do throws(LuaError) {
      admin.show(try admin.call(admin.compile(code, name: "console")))
      return true
    } catch {
      if let exit = error.cause as? ScriptExit { throw exit }
      let text = ErrorText(error)
      text.printed(asJSON: output.isJSON)
      try? admin.state.set("lastError", to: .table(text.table))
      return false
    }
  }
}
