import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import HTTPClientTransport
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

  @OptionGroup var remote: ServerOptions

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
      let here = FileManager.default.currentDirectoryPath
      let host = try console.host(writing: isInteractive ? [here] : [])
      let transport = HTTPClientTransport()
      if let link = try remote.link(options, transport, creates: newPlace.create) {
        let engine = try RemoteConsole(
          link, output: .standard(isJSON: options.json), reason: reason,
          input: code.isEmpty ? nil : InputLines(), host: host)
        defer {
          engine.close()
          try? waiting { try await transport.shutdown() }
        }
        try run(engine, pieces, isInteractive) {
          "AuthGraph: \(engine.scope) on \(link.host) as \(engine.actor). help() shows what there is."
        }
      } else {
        try runHere(pieces, isInteractive, reason: reason, host)
      }
      if !isInteractive { try session.requireCommit() }
    }
  }

  /// Runs on a store that this process opens.
  private func runHere(
    _ pieces: [LuaSource], _ isInteractive: Bool, reason: String, _ host: LocalHost
  ) throws {
    let asks = isInteractive && TextOutput.standardError.isTerminal
    try newPlace.checkStore(options, asks: asks)
    let assembly = try Assembly(options)
    try newPlace.checkProject(of: assembly, asks: asks)
    let session = assembly.session(reason: reason, isJSON: options.json)
    if !code.isEmpty { session.input = InputLines() }
    session.host = host
    let admin = try AdminState(session: session)
    try withExtendedLifetime(isInteractive ? BackgroundSweep(of: assembly.graph) : nil) {
      try run(admin, pieces, isInteractive) {
        "AuthGraph: \(assembly.scope) in \(try options.location().description). help() shows what there is."
      }
    }
  }

  private func run(
    _ engine: any ConsoleEngine, _ pieces: [LuaSource], _ isInteractive: Bool,
    greeting: () throws -> String
  ) throws {
    try console.start(engine, isInteractive: isInteractive)
    if isInteractive {
      try converse(engine, greeting: try greeting())
    } else if code.isEmpty {
      let input = InputLines(isScript: true)
      try engine.evaluateInput(name: "stdin") { try input.next() }
    } else {
      for piece in pieces { try engine.evaluate(piece, name: "-e") }
    }
  }

  private func converse(_ engine: any ConsoleEngine, greeting: String) throws {
    let folder = UserDirectories.state
    // If the folder cannot be made, the line editor reports it and continues without a history.
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try AdminConsole(engine: engine, historyFile: "\(folder)/history").run(greeting: greeting)
  }
}
