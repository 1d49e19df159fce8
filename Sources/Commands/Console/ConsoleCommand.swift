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
      if let link = try remote.link(
        options, transport, creates: newPlace.create, actor: sessionOptions.actor)
      {
        var opening = ConsoleOpening()
        opening.isInteractive = isInteractive
        opening.isReadOnly = sessionOptions.readOnly
        (opening.origin, opening.reason) = (reason, sessionOptions.reason)
        let engine = try RemoteConsole(
          link, output: .standard(isJSON: options.json), opening: opening,
          input: code.isEmpty ? nil : InputLines(), host: host,
          askReason: isInteractive ? SessionOptions.askForReason : nil)
        defer {
          engine.close()
          try? waiting { try await transport.shutdown() }
        }
        let place = "\(engine.scope) on \(link.host) as \(engine.actor)"
        try run(engine, pieces, isInteractive, place)
      } else {
        try runHere(pieces, isInteractive, reason: reason, host)
      }
    }
  }

  /// Runs on a store that this process opens.
  private func runHere(
    _ pieces: [LuaSource], _ isInteractive: Bool, reason: String, _ host: LocalHost
  ) throws {
    let asks = isInteractive && TextOutput.standardError.isTerminal
    let assembly = try newPlace.open(options, for: sessionOptions, asks: asks)
    let session = assembly.session(reason: reason, isJSON: options.json)
    try sessionOptions.prepare(session, isInteractive: isInteractive)
    defer { session.end() }
    if !code.isEmpty { session.input = InputLines() }
    session.host = host
    let admin = try AdminState(session: session)
    let sweeps = isInteractive && !assembly.isReadOnly
    try withExtendedLifetime(sweeps ? BackgroundSweep(of: assembly.graph) : nil) {
      let place = "\(assembly.scope) in \(try options.location().description)"
      try run(admin, pieces, isInteractive, place)
    }
  }

  private func run(
    _ engine: any ConsoleEngine, _ pieces: [LuaSource], _ isInteractive: Bool, _ place: String
  ) throws {
    try console.start(engine, isInteractive: isInteractive)
    if isInteractive {
      let mode =
        sessionOptions.readOnly
        ? " Nothing is written here."
        : engine.rehearsedCount != nil ? " Changes are rehearsed: commit() writes them." : ""
      try converse(engine, greeting: "AuthGraph: \(place).\(mode) help() shows what there is.")
      return
    }
    if code.isEmpty {
      let input = InputLines(isScript: true)
      try engine.evaluateInput(name: "stdin") { try input.next() }
    } else {
      for piece in pieces { try engine.evaluate(piece, name: "-e") }
    }
    try engine.requireCommit()
  }

  private func converse(_ engine: any ConsoleEngine, greeting: String) throws {
    let folder = UserDirectories.state
    // If the folder cannot be made, the line editor reports it and continues without a history.
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try AdminConsole(engine: engine, historyFile: "\(folder)/history").run(greeting: greeting)
  }
}
