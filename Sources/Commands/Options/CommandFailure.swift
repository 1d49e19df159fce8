import AdminConsole
import ArgumentParser
import AuthCore
import TerminalOutput

/// Runs a command; errors become one readable line, or JSON, and a non-zero exit status.
func reportingErrors(asJSON: Bool, _ body: () throws -> Void) throws {
  do {
    try body()
  } catch let failure as ScriptFailure {
    throw ExitCode(failure.exitCode)
  } catch let exit as ScriptExit {
    throw ExitCode(exit.status)
  } catch let error as AuthError {
    ErrorText(error).printed(asJSON: asJSON)
    throw ExitCode.failure
  }
}

/// The output of commands: results on standard output, notices on standard error.
enum StandardStreams {
  /// Prints a notice in one line.
  static func warn(_ text: String) { ConsoleOutput.warn(text) }

  /// Prints a text that may have several lines.
  static func print(_ text: String) throws(AuthError) {
    try reporting { output throws(OutputFailure) in try output.write(text) }
  }

  /// Prints a line that may hold untrusted text.
  static func print(line: String) throws(AuthError) {
    try reporting { output throws(OutputFailure) in try output.write(line: line) }
  }

  /// Prints a drawing in the width of the terminal.
  static func print(_ drawing: any Drawing) throws(AuthError) {
    try reporting { output throws(OutputFailure) in
      try output.write(drawing.painted(for: output.profile))
    }
  }

  static func print(_ json: JSONValue) throws(AuthError) {
    try reporting { output throws(OutputFailure) in try output.write(json: json.text.utf8) }
  }

  private static func reporting(
    _ write: (TextOutput) throws(OutputFailure) -> Void
  ) throws(AuthError) {
    do {
      try write(.standard)
    } catch {
      throw AuthError(
        .invalidArgument, "Standard output cannot be written.", field: "output",
        remedy: "Make room on the disk, or write to another place.", cause: error)
    }
  }
}
