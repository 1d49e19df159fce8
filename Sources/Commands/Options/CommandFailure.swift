import AdminConsole
import ArgumentParser
import AuthCore
import Foundation

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

enum StandardStreams {
  /// Tells something beside the results; text of others cannot steer the terminal.
  static func warn(_ text: String) {
    let plain = String(
      text.map { $0.isNewline || $0.isASCII && !($0 >= " " && $0 <= "~") ? " " : $0 })
    // Where it cannot be told there is nobody to tell.
    try? FileHandle.standardError.write(contentsOf: Data((plain + "\n").utf8))
  }

  static func print(_ text: String) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    } catch {
      throw AuthError(
        .invalidArgument, "Standard output cannot be written.", field: "output",
        remedy: "Make room on the disk, or write to another place.", cause: error)
    }
  }
}
