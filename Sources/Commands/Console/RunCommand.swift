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
      Options of authgraph come before FILE; everything after FILE is passed to the script. FILE can be a pipe, or - \
      for standard input. exit(STATUS) ends the script; input.lines() iterates over the lines of standard input.
      """)

  @OptionGroup var options: StoreOptions

  @Argument(help: "The script, or - for standard input.", completion: .file(extensions: ["lua"]))
  var file: String

  @Argument(parsing: .captureForPassthrough, help: "The arguments of the script, in arg.")
  var arguments: [String] = []

  func run() throws {
    try reportingErrors(asJSON: options.json) {
      let source = try LuaSource(file: file, kind: "script")
      warnOfOptions()
      let isStandardInput = file == InputFile.standardInput
      let name = isStandardInput ? "stdin" : URL(filePath: file).lastPathComponent
      let assembly = try Assembly(options)
      let session = assembly.session(
        reason: isStandardInput ? "standard input" : "run \(name)", isJSON: options.json)
      if !isStandardInput { session.input = InputLines() }
      let admin = try AdminState(session: session)
      try admin.setArguments(arguments, of: file)
      try admin.runScript(source, name: name)
    }
  }
  /// Warns about options of authgraph that stand after the script and therefore have no effect.
  private func warnOfOptions() {
    let names = ["--store", "--project", "--tenant", "--key-file", "--messages", "--plugins"]
    for name in names where arguments.contains(where: { $0 == name || $0.hasPrefix("\(name)=") }) {
      StandardStreams.warn(
        "\(name) stands behind \(file) and goes to the script. To set it for authgraph, write it before the file."
      )
    }
  }
}
