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

  /// Greets and goes on until the end of input.
  public func run(greeting: String) {
    output.printed(line: greeting)
    while let code = readCode() {
      guard let code, !code.allSatisfy(\.isWhitespace) else { continue }
      if !secrets.isSecret(code) { editor.addHistory(code) }
      if ["exit", "quit"].contains(code.trimmingCharacters(in: .whitespaces)) { return }
      evaluate(code)
    }
    output.printed("")
  }

  /// Reads one input, which may span lines; `.some(nil)` where it was dropped, nil at the end of input.
  private func readCode() -> String?? {
    var code = ""
    while true {
      switch editor.readLine(prompt: code.isEmpty ? "authgraph> " : "      ...> ") {
      case .endOfInput: return code.isEmpty ? nil : .some(code)
      case .interrupted: return .some(nil)
      case .line(let line):
        code = code.isEmpty ? line : "\(code)\n\(line)"
        if !admin.isIncomplete(code) { return .some(code) }
      }
    }
  }

  private func evaluate(_ code: String) {
    do throws(LuaError) {
      try admin.show(try admin.call(admin.compile(code, name: "console")))
    } catch {
      let text = ErrorText(error)
      text.printed(asJSON: output.isJSON)
      try? admin.state.set("lastError", to: .table(text.table))
    }
  }
}
