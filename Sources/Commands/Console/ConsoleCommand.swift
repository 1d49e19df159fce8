import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import LuaPlugins
import LuaRuntime
import TerminalOutput

/// `authgraph console`: opens the Lua console, or runs code from `-e` or standard input.
struct ConsoleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "console",
    abstract: "Open the Lua console, or run code given by -e or on standard input.",
    discussion: """
      Code on standard input runs like typed code: each statement runs as soon as it is complete, and its results \
      are printed. exit, quit or an error ends the input. From the first local statement on, the rest runs as one chunk.
      """)

  @OptionGroup var options: StoreOptions
  @OptionGroup var newPlace: NewPlaceOptions
  @OptionGroup var console: ConsoleOptions
  @OptionGroup var sessionOptions: SessionOptions

  @Option(
    name: .customShort("e"), parsing: .unconditionalSingleValue,
    help: "Run this code, print its results, and exit.")
  var code: [String] = []

  func run() throws {
    try reportingErrors(asJSON: options.json) {
      let isInteractive = code.isEmpty && isatty(STDIN_FILENO) == 1
      let reason = isInteractive ? "console" : code.isEmpty ? "standard input" : "authgraph -e"
      let pieces = try code.map { piece in
        do throws(LuaSourceError) {
          return try LuaSource(piece)
        } catch {
          throw AuthError(error, in: "-e", field: "e")
        }
      }
      let asks = isInteractive && TextOutput.standardError.isTerminal
      let assembly = try newPlace.open(options, for: sessionOptions, asks: asks)
      let session = assembly.session(reason: reason, isJSON: options.json)
      try sessionOptions.prepare(session, isInteractive: isInteractive)
      defer { session.end() }
      if !code.isEmpty { session.input = InputLines() }
      let here = FileManager.default.currentDirectoryPath
      session.host = try console.host(writing: isInteractive ? [here] : [])
      let admin = try AdminState(session: session)
      try console.start(admin, isInteractive: isInteractive)
      if isInteractive {
        try converse(admin, assembly)
      } else if code.isEmpty {
        let input = InputLines(isScript: true)
        try admin.evaluateInput(name: "stdin") { try input.next() }
      } else {
        for piece in pieces { try admin.evaluate(piece, name: "-e") }
      }
      if !isInteractive { try session.requireCommit() }
    }
  }

  private func converse(_ admin: AdminState, _ assembly: Assembly) throws {
    let folder = UserDirectories.state
    // If the folder cannot be made, the line editor reports it and continues without a history.
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let console = AdminConsole(engine: admin, historyFile: "\(folder)/history")
    let place = try options.location().description
    let sweep = assembly.isReadOnly ? nil : BackgroundSweep(of: assembly.graph)
    let mode =
      assembly.isReadOnly
      ? " Nothing is written here."
      : admin.isRehearsing ? " Changes are rehearsed: commit() writes them." : ""
    try withExtendedLifetime(sweep) {
      try console.run(
        greeting: "AuthGraph: \(assembly.scope) in \(place).\(mode) help() shows what there is.")
    }
  }
}
