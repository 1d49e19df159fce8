import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import LuaPlugins
import LuaRuntime

/// `authgraph console`: opens the Lua console, or runs code from `-e` or standard input.
struct ConsoleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "console",
    abstract: "Open the Lua console, or run code given by -e or on standard input.",
    discussion: """
      Code on standard input runs like typed code: each statement runs as soon as it is complete, and its results \
      are printed. exit, quit or an error ends the input. From the first local statement on, the rest runs as one chunk.
      """)

  @OptionGroup var options: EngineOptions

  @Option(
    name: .customShort("e"), parsing: .unconditionalSingleValue,
    help: "Run this code, print its results, and exit.")
  var code: [String] = []

  func run() throws {
    try reportingErrors(asJSON: options.store.json) {
      let isInteractive = code.isEmpty && isatty(STDIN_FILENO) == 1
      let origin = isInteractive ? "console" : code.isEmpty ? "standard input" : "authgraph -e"
      let pieces = try code.map { piece in
        do throws(LuaSourceError) {
          return try LuaSource(piece)
        } catch {
          throw AuthError(error, in: "-e", field: "e")
        }
      }
      let given = EngineOptions.Code(
        origin: origin, isInteractive: isInteractive, readsInput: !code.isEmpty)
      try options.run(given) { engine, place in
        if isInteractive {
          try converse(engine, place)
        } else if code.isEmpty {
          let input = InputLines(isScript: true)
          try engine.evaluateInput(name: "stdin") { try input.next() }
        } else {
          for piece in pieces { try engine.evaluate(piece, name: "-e") }
        }
      }
    }
  }

  private func converse(_ engine: any ConsoleEngine, _ place: String) throws {
    let mode =
      options.session.readOnly
      ? " Nothing is written here."
      : engine.rehearsedCount != nil ? " Changes are rehearsed: commit() writes them." : ""
    let folder = UserDirectories.state
    // If the folder cannot be made, the line editor reports it and continues without a history.
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try AdminConsole(engine: engine, historyFile: "\(folder)/history").run(
      greeting: "AuthGraph: \(place).\(mode) help() shows what there is.")
  }
}
