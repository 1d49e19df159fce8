import AdminConsole
import ArgumentParser
import AuthCore
import TerminalOutput

/// Runs a command's work; errors become one readable line, or JSON, and a non-zero exit status.
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

/// What commands tell: results on standard output, and what is beside them on standard error.
enum StandardStreams {
  /// Tells something beside the results, in one line.
  static func warn(_ text: String) { ConsoleOutput.warn(text) }

  /// Prints a text with lines of its own.
  static func print(_ text: String) throws(AuthError) {
    try reporting { output throws(OutputFailure) in try output.write(text) }
  }

  /// Prints a line that may hold text of others.
  static func print(line: String) throws(AuthError) {
    try reporting { output throws(OutputFailure) in try output.write(line: line) }
  }

  /// Prints a drawing as wide as the terminal is.
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
