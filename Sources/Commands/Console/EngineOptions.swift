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

  /// Runs a body with a session on the store, or on the server that the options name.
  ///
  /// - Parameters:
  ///   - origin: the origin of the code, such as `console`: the reason of writes without another.
  ///   - isInteractive: true for a person at a terminal.
  ///   - readsInput: true if code may read standard input, which is not the code itself then.
  ///   - body: gets the session, and its place for a greeting.
  /// - Throws: an error of an option, the server's refusal, what the body throws, and `operation-not-allowed` if a
  ///   script leaves changes rehearsed.
  func run(
    origin: String, isInteractive: Bool, readsInput: Bool,
    _ body: (any ConsoleEngine, _ place: String) throws -> Void
  ) throws {
    let here = FileManager.default.currentDirectoryPath
    let host = try console.host(writing: isInteractive ? [here] : [])
    let input = readsInput ? InputLines() : nil
    let transport = HTTPClientTransport()
    defer { try? waiting { try await transport.shutdown() } }
    if let link = try server.link(
      store, transport, creates: newPlace.create, actor: session.actor)
    {
      try run(on: link, origin, isInteractive, input, host, body)
    } else {
      try runHere(origin, isInteractive, input, host, body)
    }
  }

  private func run(
    on link: ConsoleLink, _ origin: String, _ isInteractive: Bool, _ input: InputLines?,
    _ host: LocalHost, _ body: (any ConsoleEngine, String) throws -> Void
  ) throws {
    var opening = ConsoleOpening()
    opening.isInteractive = isInteractive
    opening.isReadOnly = session.readOnly
    (opening.origin, opening.reason) = (origin, session.reason)
    let engine = try RemoteConsole(
      link, output: .standard(isJSON: store.json), opening: opening, input: input, host: host,
      askReason: isInteractive ? { try SessionOptions.askForReason() } : nil)
    defer { engine.close() }
    try console.start(engine, isInteractive: isInteractive)
    try body(engine, "\(engine.scope) on \(link.host) as \(engine.actor)")
    if !isInteractive { try engine.requireCommit() }
  }

  private func runHere(
    _ origin: String, _ isInteractive: Bool, _ input: InputLines?, _ host: LocalHost,
    _ body: (any ConsoleEngine, String) throws -> Void
  ) throws {
    let asks = isInteractive && TextOutput.standardError.isTerminal
    let assembly = try newPlace.open(store, for: session, asks: asks)
    let opened = assembly.session(reason: origin, isJSON: store.json)
    try session.prepare(opened, isInteractive: isInteractive)
    defer { opened.end() }
    opened.input = input
    opened.host = host
    let engine = try AdminState(session: opened)
    try console.start(engine, isInteractive: isInteractive)
    let sweeps = isInteractive && !assembly.isReadOnly
    try withExtendedLifetime(sweeps ? BackgroundSweep(of: assembly.graph) : nil) {
      try body(engine, "\(assembly.scope) in \(try store.location().description)")
    }
    if !isInteractive { try engine.requireCommit() }
  }
}
