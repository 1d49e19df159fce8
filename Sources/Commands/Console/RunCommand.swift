import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import LuaPlugins
import LuaRuntime

/// `authgraph run FILE [ARGS]`: runs a Lua script with the whole admin API.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a Lua script with the admin API. Its arguments are in the list arg.",
    discussion: """
      Options of authgraph come before FILE; everything after FILE is passed to the script. An option that authgraph \
      has too is refused there, unless -- comes before it. FILE can be a pipe, or - for standard input. A script that prints nothing itself prints the values that it returns. exit(STATUS) ends the script; input.lines() iterates over the lines of standard input.
      """)

  @OptionGroup var options: EngineOptions

  @Argument(help: "The script, or - for standard input.", completion: .file(extensions: ["lua"]))
  var file: String

  @Argument(parsing: .captureForPassthrough, help: "The arguments of the script, in arg.")
  var arguments: [String] = []

  func run() throws {
    try reportingErrors(asJSON: options.store.json) {
      let source = try LuaSource(file: file, kind: "script")
      let arguments = try scriptArguments()
      let isStandardInput = file == InputFile.standardInput
      let origin =
        isStandardInput ? "standard input" : "run \(URL(filePath: file).lastPathComponent)"
      let code = EngineOptions.Code(
        origin: origin, isInteractive: false, readsInput: !isStandardInput)
      try options.run(code) { engine, _ in
        try engine.run(source, file: file, arguments: arguments)
      }
    }
  }

  /// Returns the arguments of the script, without the -- that ends the check of them.
  ///
  /// Throws `invalid-argument` for an option of authgraph, which would have no effect behind the file.
  private func scriptArguments() throws(AuthError) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let misplaced = arguments[..<end].enumerated().first { _, argument in
      Self.options.contains { argument == $0 || argument.hasPrefix("\($0)=") }
    }
    guard let (place, option) = misplaced else {
      return Array(arguments[..<end] + arguments[end...].dropFirst())
    }
    var moved = [option]
    if !option.contains("="), !Self.flags.contains(option), place + 1 < end {
      moved.append(arguments[place + 1])
    }
    let order = (["authgraph run"] + moved + [file]).joined(separator: " ")
    throw AuthError(
      .invalidArgument, "\(option) stands behind the script, where it has no effect.",
      field: String(option.prefix { $0 != "=" }.drop { $0 == "-" }),
      remedy: "Write \(order), or put -- before it if it is the script's own.")
  }

  private static let flags = [
    "--json", "--create", "--init", "--no-init", "--read-only", "--insecure",
  ]
  private static let options =
    flags + [
      "--store", "--project", "--tenant", "--key-file", "--messages", "--plugins",
      "--rehearsal-provider", "--allow-write", "--actor", "--reason", "--server",
      "--token-file", "--ca",
    ]
}
