import AuthCore
import NIOConcurrencyHelpers
import TerminalOutput

@testable import AdminConsole

/// The text that a console writes, as a terminal of 100 columns would show it.
final class CollectedOutput: OutputReceiving {
  private let written = NIOLockedValueBox("")
  let profile: TerminalProfile

  init(profile: TerminalProfile = TerminalProfile(isTerminal: true, width: 100)) {
    self.profile = profile
  }

  func receive(_ piece: OutputPiece) {
    let text =
      switch piece.content {
      case .text(let text), .line(let text), .redrawing(let text): text
      case .bytes(let bytes), .json(let bytes): String(decoding: bytes, as: UTF8.self)
      case .painted(let text): text.text(for: profile)
      }
    written.withLockedValue { $0 += text + (piece.endsLine ? "\n" : "") }
  }

  /// The text so far.
  var text: String { written.withLockedValue(\.self) }

  /// Returns the text since the last call.
  func taken() -> String {
    written.withLockedValue { text in
      defer { text = "" }
      return text
    }
  }

  /// An output for results and notices alike.
  func output(isJSON: Bool = false) -> ConsoleOutput {
    ConsoleOutput(isJSON: isJSON, results: TextOutput(to: self), errors: TextOutput(to: self))
  }
}

extension ConsoleEngine {
  /// Runs a statement as the prompt does, and writes its error among its output.
  @discardableResult
  func enter(_ code: String, _ collected: CollectedOutput) -> StatementEnd {
    let end = run(ConsoleStatement(code, .prompt))
    if let error = end.error { collected.receive(OutputPiece(.line(error.line))) }
    return end
  }
}
