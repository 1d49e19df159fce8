import AdminConsole
import ArgumentParser
import AuthCore
import Foundation

/// `authgraph run FILE [ARGS]`: a Lua script with the whole admin API.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a Lua script with the admin API; its arguments are the list arg.",
    discussion: "Options of authgraph stand before FILE; what follows FILE is the script's.")

  @OptionGroup var options: StoreOptions

  @Argument(help: "The script.", completion: .file(extensions: ["lua"]))
  var file: String

  @Argument(parsing: .captureForPassthrough, help: "What the script finds in arg.")
  var arguments: [String] = []

  func run() throws {
    try reportingErrors(asJSON: options.json) {
      guard let data = FileManager.default.contents(atPath: file),
        let source = String(data: data, encoding: .utf8)
      else {
        throw AuthError(
          .invalidArgument, "The script \(file) cannot be read as UTF-8 text.", field: "file",
          remedy: "Check the path and its permissions.")
      }
      warnOfOptions()
      let name = URL(filePath: file).lastPathComponent
      let assembly = try Assembly(options)
      let admin = try AdminState(
        session: assembly.session(reason: "run \(name)", isJSON: options.json))
      try admin.setArguments(arguments, of: file)
      try admin.runScript(source, name: name)
    }
  }
  /// Warns where an option of authgraph's own stands behind the script, which it does not reach.
  private func warnOfOptions() {
    let names = ["--store", "--project", "--tenant", "--key-file", "--messages", "--plugins"]
    for name in names where arguments.contains(where: { $0 == name || $0.hasPrefix("\(name)=") }) {
      StandardStreams.warn(
        "\(name) stands behind \(file) and goes to the script. To set it for authgraph, write it before the file."
      )
    }
  }
}
