import AdminConsole
import ArgumentParser
import AuthCore
import Foundation

/// `authgraph console`: the Lua console, or code from `-e` or standard input.
struct ConsoleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "console",
    abstract: "Open the Lua console, or run code given by -e or on standard input.",
    discussion: """
      Code on standard input runs as if it were typed: each statement when it is whole, with its results \
      printed; the first error ends it.
      """)

  @OptionGroup var options: StoreOptions

  @Option(name: .customShort("e"), help: "Run this code, print what it gives, and leave.")
  var code: [String] = []

  func run() throws {
    try reportingErrors(asJSON: options.json) {
      let isInteractive = code.isEmpty && isatty(STDIN_FILENO) == 1
      let reason = isInteractive ? "console" : code.isEmpty ? "standard input" : "authgraph -e"
      let assembly = try Assembly(options)
      let admin = try AdminState(session: assembly.session(reason: reason, isJSON: options.json))
      if isInteractive {
        try converse(admin, assembly)
      } else if code.isEmpty {
        try admin.evaluateInput(try Self.standardInput(), name: "stdin")
      } else {
        for piece in code { try admin.evaluate(piece, name: "-e") }
      }
    }
  }

  private static func standardInput() throws(AuthError) -> String {
    do {
      let input = try FileHandle.standardInput.readToEnd() ?? Data()
      return String(decoding: input, as: UTF8.self)
    } catch {
      throw AuthError(
        .invalidArgument, "Standard input cannot be read.", field: "stdin",
        remedy: "Pipe code into it, or give it with -e.", cause: error)
    }
  }

  private func converse(_ admin: AdminState, _ assembly: Assembly) throws {
    let folder = UserDirectories.state
    // Where it cannot be made, the line editor says so and goes on without a history.
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let console = AdminConsole(admin: admin, historyFile: "\(folder)/history")
    let place = try options.location().description
    withExtendedLifetime(BackgroundSweep(of: assembly.graph)) {
      console.run(
        greeting: "AuthGraph: \(assembly.scope) in \(place). help() shows what there is.")
    }
  }
}
