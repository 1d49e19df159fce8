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
  } catch let error as AuthError {
    ErrorText(error).printed(asJSON: asJSON)
    throw ExitCode.failure
  }
}

enum StandardStreams {
  static func print(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }

  static func printError(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}
