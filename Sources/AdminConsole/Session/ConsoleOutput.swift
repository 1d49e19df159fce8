import Foundation
import LuaRuntime
package import TerminalOutput

/// The output of the console: its destination and format.
public struct ConsoleOutput {
  /// True to print results as JSON.
  public let isJSON: Bool
  /// The form in which things are shown.
  let look = ConsoleLook()
  private let results: TextOutput
  /// The destination of notices, errors and progress.
  let errors: TextOutput

  package init(
    isJSON: Bool, results: TextOutput = .standard, errors: TextOutput = .standardError
  ) {
    self.isJSON = isJSON
    self.results = results
    self.errors = errors
  }

  /// Prints results to standard output.
  ///
  /// With JSON, only results go there; `print` of scripts writes to standard error.
  public static func standard(isJSON: Bool) -> ConsoleOutput { ConsoleOutput(isJSON: isJSON) }

  /// Prints one line apart from the results.
  func notice(_ text: String) { Self.notice(text, on: errors) }

  private static func notice(_ text: String, on output: TextOutput) {
    // A failure to write to standard error cannot be reported.
    guard output.isTerminal else {
      try? output.write(line: text)
      return
    }
    try? output.write(Prose(text).painted(for: output.profile))
  }

  /// Makes the display of a long job's progress.
  func progress(_ label: String, total: Int? = nil) -> ProgressBar {
    ProgressBar(label, total: total, profile: errors.profile) { [errors] in
      try? errors.write(redrawing: $0)
    }
  }

  /// Writes a piece that was written elsewhere, among the results or apart from them, up to an interrupt.
  func write(_ piece: OutputPiece, amongResults: Bool, unless isStopped: @escaping () -> Bool) {
    guard amongResults else {
      try? errors.write(piece)
      return
    }
    reporting { () throws(OutputFailure) in try results.write(piece, unless: isStopped) }
  }

  /// Prints one line to standard error, apart from the results.
  package static func warn(_ text: String) { notice(text, on: .standardError) }

  /// True if a person sees the results or the notices.
  var isAtTerminal: Bool { results.isTerminal || errors.isTerminal }

  /// The terminal's present profile; a window can be resized while a console is open.
  var profile: TerminalProfile { look.applied(to: results.profile) }

  /// The profile of the destination of `print`.
  var printingProfile: TerminalProfile { look.applied(to: printing.profile) }

  /// The destination of `print` in scripts.
  var printing: TextOutput { isJSON ? errors : results }

  /// The limits of descriptions: a readable amount on a terminal, everything in a file.
  var describeLimits: LuaDescribeLimits { printing.isTerminal ? LuaDescribeLimits() : .whole }

  /// Shows a result, up to an interrupt.
  func show(_ painted: PaintedText, unless isStopped: @escaping () -> Bool) {
    reporting { () throws(OutputFailure) in try results.write(painted, unless: isStopped) }
  }

  /// Shows results at a prompt, up to an interrupt; those that are longer than the screen go to the pager.
  func show(paging results: [PaintedText], unless isStopped: @escaping () -> Bool) {
    guard !results.isEmpty else { return }
    let painted = results.joined(separator: "\n")
    guard let pager = pager(for: painted) else { return show(painted, unless: isStopped) }
    guard !pager.show(painted.text(for: profile) + "\n") else { return }
    notice(
      "There is no pager \"\(pager.command)\". Choose one with set.pager \"less\", or set.pager \"off\"."
    )
    look.pager = .none
    show(painted, unless: isStopped)
  }

  /// Returns the pager for a text; nil if the text fits on the screen, or if there may be no pager.
  private func pager(for painted: PaintedText) -> Pager? {
    guard look.isConversation, !isJSON, case .command(let command) = look.pager,
      results.isTerminalOfProcess, isatty(STDIN_FILENO) == 1, let height = TerminalProfile.height()
    else { return nil }
    let width = profile.width
    // What follows the last row of the screen does not matter, and may be long.
    let lines = painted.text(for: profile.withoutColor).utf8
      .split(separator: UInt8(ascii: "\n"), maxSplits: height, omittingEmptySubsequences: false)
    let rows = lines.reduce(0) { rows, line in
      let shown = String(Substring(line).prefix(width * height)).displayWidth
      return rows + max(1, (shown + width - 1) / width)
    }
    // The next prompt takes a line.
    return rows >= height ? Pager(command: command) : nil
  }

  /// Shows a string result, up to an interrupt; a file gets its exact bytes.
  func show(bytes: [UInt8], unless isStopped: @escaping () -> Bool) {
    reporting { () throws(OutputFailure) in try results.write(bytes: bytes, unless: isStopped) }
  }

  /// Shows a result that is already JSON, up to an interrupt.
  func show(json: [UInt8], unless isStopped: @escaping () -> Bool) {
    reporting { () throws(OutputFailure) in try results.write(json: json, unless: isStopped) }
  }

  /// Writes the output of `print`; a file gets the exact bytes of strings.
  func printed(bytes: [UInt8]) {
    reporting { () throws(OutputFailure) in try printing.write(bytes: bytes) }
  }

  /// Writes a message of the console among the results.
  func printed(_ text: String) {
    reporting { () throws(OutputFailure) in try printing.write(text) }
  }

  /// Writes a text of the console, up to an interrupt.
  ///
  /// A terminal breaks its lines between words, and a text that is longer than the screen goes to the pager.
  func printed(wrapping text: String, unless isStopped: @escaping () -> Bool) {
    let profile = printing.profile
    let wrapped = profile.isTerminal ? Prose.wrapped(text, to: profile.width) : text
    guard look.isConversation, !isJSON else { return printed(wrapped) }
    show(paging: [PaintedText(wrapped)], unless: isStopped)
  }

  /// Writes one line of the console that contains untrusted text.
  func printed(line: String) {
    reporting { () throws(OutputFailure) in try printing.write(line: line) }
  }

  private func reporting(_ write: () throws(OutputFailure) -> Void) {
    do {
      try write()
    } catch {
      // The reader is gone, and a script must not go on changing accounts unseen.
      notice("Standard output cannot be written: \(error)")
      exit(EXIT_FAILURE)
    }
  }
}
