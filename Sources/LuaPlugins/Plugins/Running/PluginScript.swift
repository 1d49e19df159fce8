import AuthCore
import LuaRuntime
import NIOConcurrencyHelpers

/// The current sign-in, for the functions of a script.
final class SessionBox: Sendable {
  private let current = NIOLockedValueBox<PluginSession?>(nil)

  func set(_ session: PluginSession?) { current.withLockedValue { $0 = session } }

  var session: PluginSession? { current.withLockedValue { $0 } }

  /// The sign-in; throws while a file is only being read, when no action is allowed.
  func required(_ word: String) throws -> PluginSession {
    guard let session else {
      throw LuaArgumentError("\(word) works only inside the functions of a plug-in")
    }
    return session
  }
}

/// A plug-in file in its own Lua state, for one sign-in at a time.
final class PluginScript {
  let state: LuaState
  private let box = SessionBox()
  private let chunk: LuaFunction
  private let modules: PluginModules
  private let randomSeed: @Sendable () -> UInt64
  /// The library `http`, which the plug-in's functions get as an argument.
  let http: LuaValue

  /// Compiles a file without running it; throws `invalid-plugin` with the line.
  init(_ source: PluginSource, _ host: PluginHost) throws(AuthError) {
    randomSeed = host.randomSeed
    do throws(LuaError) {
      let box = box
      let clock = host.clock
      state = try LuaState(
        profile: .plugin,
        configuration: LuaConfiguration(
          limits: host.limits.lua, log: { box.session?.log($0) },
          clock: { (box.session?.now ?? clock()).milliseconds }))
      try DeclarationLibrary.install(in: state)
      try TextLibrary.install(in: state)
      try IdentityLibrary(box: box).install(in: state)
      try TokenLibrary(box: box).install(in: state)
      try SignatureLibrary(box: box).install(in: state)
      try SecretLibrary.install(in: state)
      try URLLibrary.install(in: state)
      http = HTTPLibrary(box: box).make(in: state)
      modules = try PluginModules(source, in: state)
      chunk = try state.load(source.text, name: source.name)
    } catch {
      throw .unreadablePlugin(source, error)
    }
  }

  /// Runs the file in its own environment, and returns the table that it declares.
  ///
  /// The next run sees no change that this one makes.
  func declare() throws(LuaError) -> LuaReference? {
    let environment = state.makeEnvironment(sealed: true)
    try state.set("_G", to: .nil, in: environment)
    try state.bind(chunk, to: environment)
    try modules.bind(to: environment, in: state)
    let results = try state.call(chunk, results: .references)
    guard let table = results.first?.referenceValue, table.typeName == "table" else { return nil }
    return table
  }

  /// Enables the functions for a sign-in, until it ends.
  func begin(_ session: PluginSession?) {
    box.set(session)
    if session != nil { state.seedRandom(randomSeed()) }
  }

  /// True if it can serve another sign-in.
  var isReusable: Bool { !state.isTainted && state.memoryUsed < 2 << 20 }
}

extension PluginLimits {
  var lua: LuaLimits {
    LuaLimits(instructions: instructions, cpuTime: cpuTime, memory: memory, deadline: time)
  }
}

extension AuthError {
  /// A Lua error of a file that is being read, with the line in the file or in one of its modules.
  static func invalidPlugin(_ source: PluginSource, _ error: LuaError) -> AuthError {
    let module = source.modules.first { $0.name == error.script }
    let place = module.map { PluginSource(name: $0.name, text: $0.text, path: source.path) }
    return .invalidPlugin(
      place ?? source, line: error.line, error.message, remedy: remedy(for: error), cause: error)
  }

  /// The remedy for a table that is not closed where Lua expects it: a comma is missing before the named place.
  private static func remedy(for error: LuaError) -> String? {
    guard error.code == .syntax, error.message.contains("'}' expected") else { return nil }
    return "A comma is missing at the end of the field before it, or a brace."
  }

  /// Returns a Lua error of a file that may be for a newer program, which is then the reason.
  static func unreadablePlugin(_ source: PluginSource, _ error: LuaError) -> AuthError {
    if error.message.contains("'importer' is not defined") {
      return .importerAsPlugin(source, line: error.line, cause: error)
    }
    guard let misfit = PluginContract.misfit(ofText: source.text) else {
      return .invalidPlugin(source, error)
    }
    return .invalidPlugin(
      source, line: source.line(of: misfit.field), misfit.message, field: misfit.field,
      remedy: misfit.remedy, cause: error)
  }
}
