import Foundation
import LuaRuntime
import TerminalOutput

/// Where the console prints, and how.
public struct ConsoleOutput {
  /// Whether results are printed as JSON.
  public let isJSON: Bool
  private let results = TextOutput.standard

  /// Prints results to standard output.
  ///
  /// With JSON, results alone go there, and what scripts print goes to standard error.
  public static func standard(isJSON: Bool) -> ConsoleOutput { ConsoleOutput(isJSON: isJSON) }

  /// Tells something beside the results, in one line on standard error.
  package static func warn(_ text: String) {
    // Where it cannot be told there is nobody to tell.
    try? TextOutput.standardError.write(line: text)
  }

  /// The terminal as it is now: windows are resized while a console is open.
  var profile: TerminalProfile { results.profile }

  /// Where `print` of a script writes.
  var printing: TextOutput { isJSON ? .standardError : results }

  /// How much of a value is described: on a terminal what one can read, in a file all of it.
  var describeLimits: LuaDescribeLimits { printing.isTerminal ? LuaDescribeLimits() : .whole }

  /// Shows a result.
  func show(_ painted: PaintedText) {
    reporting { () throws(OutputFailure) in try results.write(painted) }
  }

  /// Shows a text that is a result: in a file its very bytes.
  func show(bytes: [UInt8]) {
    reporting { () throws(OutputFailure) in try results.write(bytes: bytes) }
  }

  /// Shows a result that is JSON already.
  func show(json: [UInt8]) {
    reporting { () throws(OutputFailure) in try results.write(json: json) }
  }

  /// What `print` of a script writes: in a file the very bytes of its strings.
  func printed(bytes: [UInt8]) {
    reporting { () throws(OutputFailure) in try printing.write(bytes: bytes) }
  }

  /// What the console itself says among the results.
  func printed(_ text: String) {
    reporting { () throws(OutputFailure) in try printing.write(text) }
  }

  /// A line of the console's own that holds text of others.
  func printed(line: String) {
    reporting { () throws(OutputFailure) in try printing.write(line: line) }
  }

  private func reporting(_ write: () throws(OutputFailure) -> Void) {
    do {
      try write()
    } catch {
      // Nobody reads on; a script must not go on writing to accounts unseen.
      Self.warn("Standard output cannot be written: \(error)")
      exit(EXIT_FAILURE)
    }
  }
}
