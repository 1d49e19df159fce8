import AdminConsole
import ArgumentParser
public import AuthCore
import Foundation
import LuaRuntime

/// The raw arguments and variables of the process.
///
/// The runtime replaces bytes that are not UTF-8 with U+FFFD, which would be stored.
public enum ProgramInput {
  /// Throws `invalid-argument` if an argument, or a variable that begins with `AUTHGRAPH_`, is not UTF-8.
  public static func check() throws(AuthError) {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index] else { continue }
      try check(argument, "Argument \(index)", field: "arguments")
    }
    for name in ProcessInfo.processInfo.environment.keys.sorted()
    where name.hasPrefix("AUTHGRAPH_") {
      guard let value = getenv(name) else { continue }
      try check(value, "The variable \(name)", field: name)
    }
  }

  /// The arguments, with code that begins with a dash joined to its `-e`, so that it is not parsed as an option.
  public static var arguments: [String] {
    joiningCode(Array(CommandLine.arguments.dropFirst()))
  }

  /// Joins `-e` and code that begins with a dash, if the verb is the console.
  static func joiningCode(_ arguments: [String]) -> [String] {
    let verbs = AuthGraphCommand.configuration.subcommands.compactMap {
      $0.configuration.commandName
    }
    let others = verbs.filter { $0 != ConsoleCommand.configuration.commandName } + ["help"]
    guard let first = arguments.first, !others.contains(first) else { return arguments }
    var joined: [String] = []
    for argument in arguments {
      if argument.hasPrefix("-"), joined.last == "-e" {
        joined[joined.count - 1] = "-e=\(argument)"
      } else {
        joined.append(argument)
      }
    }
    return joined
  }

  static func check(
    _ text: UnsafePointer<CChar>, _ what: String, field: String
  ) throws(AuthError) {
    let bytes = UnsafeBufferPointer(start: text, count: strlen(text)).map(UInt8.init(bitPattern:))
    guard let fault = UTF8Fault.first(in: bytes) else { return }
    throw AuthError(
      .invalidArgument,
      "\(what) has the byte \(UTF8Fault.name(of: bytes[fault])), which is not UTF-8.", field: field,
      remedy: "Write it in UTF-8.")
  }

  /// Ends the process with one line, or JSON, if ``check()`` throws.
  public static func checkOrExit() {
    do throws(AuthError) {
      try check()
    } catch {
      ErrorText(error).printed(asJSON: CommandLine.arguments.contains("--json"))
      exit(EXIT_FAILURE)
    }
  }
}
