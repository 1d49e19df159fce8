import Foundation
import LuaRuntime
import TerminalOutput

/// The output of the console: its destination and format.
public struct ConsoleOutput {
  /// True to print results as JSON.
  public let isJSON: Bool
  private let results = TextOutput.standard

  /// Prints results to standard output.
  ///
  /// With JSON, only results go there; `print` of scripts writes to standard error.
  public static func standard(isJSON: Bool) -> ConsoleOutput { ConsoleOutput(isJSON: isJSON) }

  /// Prints one line to standard error, apart from the results.
  package static func warn(_ text: String) {
    // A failure to write to standard error cannot be reported.
    let output = TextOutput.standardError
    guard output.isTerminal else {
      try? output.write(line: text)
      return
    }
    try? output.write(Prose(text).painted(for: output.profile))
  }

  /// The terminal's present profile; a window can be resized while a console is open.
  var profile: TerminalProfile { results.profile }

  /// The destination of `print` in scripts.
  var printing: TextOutput { isJSON ? .standardError : results }

  /// The limits of descriptions: a readable amount on a terminal, everything in a file.
  var describeLimits: LuaDescribeLimits { printing.isTerminal ? LuaDescribeLimits() : .whole }

  /// Shows a result, up to an interrupt.
  func show(_ painted: PaintedText, unless isStopped: @escaping () -> Bool) {
    reporting { () throws(OutputFailure) in try results.write(painted, unless: isStopped) }
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

  /// Writes a text of the console, whose lines a terminal breaks between words.
  func printed(wrapping text: String) {
    let profile = printing.profile
    printed(profile.isTerminal ? Prose.wrapped(text, to: profile.width) : text)
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
      Self.warn("Standard output cannot be written: \(error)")
      exit(EXIT_FAILURE)
    }
  }
}
