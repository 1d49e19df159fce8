import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import HTTPClientTransport
import TerminalOutput

/// The options of the commands that run Lua: the store or the server, and what a session may do there.
struct EngineOptions: ParsableArguments {
  @OptionGroup var store: StoreOptions
  @OptionGroup var newPlace: NewPlaceOptions
  @OptionGroup var console: ConsoleOptions
  @OptionGroup var session: SessionOptions
  @OptionGroup var server: ServerOptions

  /// The code that a command runs.
  struct Code {
    /// The origin, such as `console`: the reason of writes without another.
    let origin: String
    /// True for a person at a terminal.
    let isInteractive: Bool
    /// True if the code may read standard input, which is not the code itself then.
    let readsInput: Bool

    var input: InputLines? { readsInput ? InputLines() : nil }
  }

  /// Runs a body with a session on the store, or on the server that the options name.
  ///
  /// - Parameters:
  ///   - code: the code that the body runs.
  ///   - body: gets the session, and its place for a greeting.
  /// - Throws: an error of an option, the server's refusal, what the body throws, and `operation-not-allowed` if a
  ///   script leaves changes rehearsed.
  func run(
    _ code: Code, _ body: (any ConsoleEngine, _ place: String) throws -> Void
  ) throws {
    let here = FileManager.default.currentDirectoryPath
    let host = try console.host(writing: code.isInteractive ? [here] : [])
    let transport = try server.authority.transport()
    defer { try? waiting { try await transport.shutdown() } }
    if let link = try server.link(
      store, transport, creates: newPlace.create, actor: session.actor)
    {
      try run(code, on: link, host, body)
    } else {
      try run(code, host, body)
    }
  }

  private func run(
    _ code: Code, on link: ConsoleLink, _ host: LocalHost,
    _ body: (any ConsoleEngine, String) throws -> Void
  ) throws {
    var opening = ConsoleOpening()
    opening.isInteractive = code.isInteractive
    opening.isReadOnly = session.readOnly
    (opening.origin, opening.reason) = (code.origin, session.reason)
    let engine = try RemoteConsole(
      link, output: .standard(isJSON: store.json), opening: opening, input: code.input, host: host,
      askReason: code.isInteractive ? { try SessionOptions.askForReason() } : nil)
    defer { engine.close() }
    try console.start(engine, isInteractive: code.isInteractive)
    try body(engine, "\(engine.scope) on \(link.host) as \(engine.actor)")
    if !code.isInteractive { try engine.requireCommit() }
  }

  private func run(
    _ code: Code, _ host: LocalHost, _ body: (any ConsoleEngine, String) throws -> Void
  ) throws {
    let asks = code.isInteractive && TextOutput.standardError.isTerminal
    let assembly = try newPlace.open(store, for: session, asks: asks)
    let opened = assembly.session(reason: code.origin, isJSON: store.json)
    try session.prepare(opened, isInteractive: code.isInteractive)
    defer { opened.end() }
    opened.input = code.input
    opened.host = host
    let engine = try AdminState(session: opened)
    try console.start(engine, isInteractive: code.isInteractive)
    let sweeps = code.isInteractive && !assembly.isReadOnly
    try withExtendedLifetime(sweeps ? BackgroundSweep(of: assembly.graph) : nil) {
      try body(engine, "\(assembly.scope) in \(try store.location().description)")
    }
    if !code.isInteractive { try engine.requireCommit() }
  }
}
