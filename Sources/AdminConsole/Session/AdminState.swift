import AuthCore
import Foundation
import LuaPlugins
import LuaRuntime

/// A Lua state with the whole admin API in it.
public final class AdminState {
  let session: ConsoleSession
  let state: LuaState

  /// Makes the state; throws where Lua itself cannot be set up.
  public init(session: ConsoleSession) throws {
    self.session = session
    let output = session.output
    state = try LuaState(
      profile: .console,
      configuration: LuaConfiguration(
        print: { output.printed(bytes: $0) },
        log: { output.printed(line: "\($0.level): \($0.message)") },
        describeLimits: { output.describeLimits }, clock: { Timestamp.now().milliseconds },
        randomSeed: UInt64.random(in: .min ... .max)))
    let data = ObjectData(session: session)
    state.dataForJSON = { data.table(of: $0) }
    let interrupt = state.interrupt
    session.isInterrupted = { interrupt.isRaised }
    AccountObject(session: session).install(in: state)
    try AccountsLibrary(session: session).install(in: state)
    try ProvidersLibrary(session: session).install(in: state)
    try AuthLibrary(session: session).install(in: state)
    try MergeLibrary(session: session).install(in: state)
    try PolicyLibrary(session: session).install(in: state)
    try HooksLibrary(session: session).install(in: state)
    try DuplicatesLibrary(session: session).install(in: state)
    try AuditLibrary(session: session).install(in: state)
    try GraphLibrary(session: session).install(in: state)
    try SettingsLibrary(session: session).install(in: state)
    try PluginsLibrary(session: session).install(in: state)
    try HelpLibrary(session: session).install(in: state)
  }

  /// Gives scripts their arguments as the global list `arg`; `arg.script` is what runs.
  public func setArguments(_ arguments: [String], of script: String) throws {
    var list = LuaTable(array: arguments.map { .string($0) })
    list.fields["script"] = .string(script)
    try state.set("arg", to: .table(list))
  }

  /// Compiles code, as an expression where it is one, so that `1 + 1` needs no `return`.
  func compile(_ code: String, name: String) throws(LuaError) -> LuaFunction {
    if let expression = try? state.load("return \(code)\n", name: name) { return expression }
    return try state.load(code, name: name)
  }

  /// Runs compiled code; an interrupt from the keyboard stops it.
  func call(_ function: LuaFunction) throws(LuaError) -> [LuaValue] {
    session.refresh()
    session.pickUpPlugins()
    let stop = Unmanaged.passRetained(InterruptBox(state.interrupt))
    defer { stop.release() }
    let outcome = InterruptSource.routing(to: interruptHandler, context: stop.toOpaque()) {
      () -> Result<[LuaValue], LuaError> in
      do throws(LuaError) {
        return .success(try state.call(function, results: .references))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  /// Runs a whole script file; what it returns is printed with `--json` only.
  ///
  /// Throws ``ScriptFailure`` after the error was printed.
  public func runScript(_ source: String, name: String) throws {
    try report {
      // The line of an interpreter, as in Lua's own runner; its newline stays, so lines keep their numbers.
      let code = source.hasPrefix("#") ? "--" + source : source
      let results = try call(state.load(code, name: name))
      if session.output.isJSON { try show(results) }
    }
  }

  /// Runs a piece of code and prints what it gives; throws ``ScriptFailure`` after the error was printed.
  public func evaluate(_ code: String, name: String) throws {
    try report { try show(try call(compile(code, name: name))) }
  }

  /// Runs input as if it were typed: each statement as soon as it is whole, with what it gives printed.
  ///
  /// From the first `local` at the start of a line on, the rest is one piece, in which that name is known.
  /// Throws ``ScriptFailure`` after the error was printed; what ran before it stays.
  public func evaluateInput(_ input: String, name: String) throws {
    let lines = input.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var start = 0
    for index in lines.indices where index >= start {
      let isRest = lines[start].hasPrefix("local ")
      let end = isRest ? lines.count : index + 1
      let piece = lines[start..<end].joined(separator: "\n")
      guard end == lines.count || !isIncomplete(piece) else { continue }
      // Empty lines in the place of what ran, so that errors name the line of the input.
      try evaluate(String(repeating: "\n", count: start) + piece, name: name)
      start = end
    }
  }

  /// Whether code breaks off, so that further lines may complete it.
  func isIncomplete(_ code: String) -> Bool {
    do throws(LuaError) {
      _ = try compile(code, name: "console")
      return false
    } catch {
      // A string ends with its line, so a further line would not help.
      return error.isIncomplete && !error.message.contains("unfinished string")
    }
  }

  /// Prints results and keeps the first as `_`.
  ///
  /// With JSON all are written or none: throws `conversion` for what JSON cannot say.
  func show(_ results: [LuaValue]) throws(LuaError) {
    if session.output.isJSON {
      let names = results.indices.map { results.count == 1 ? "result" : "result \($0 + 1)" }
      let texts = try zip(results, names).map { value, name throws(LuaError) in
        try state.json(value, named: name, emptyTables: .lists)
      }
      texts.forEach(session.output.show(json:))
    } else {
      let text = ValueText(state: state, session: session)
      for value in results {
        // A text is itself, also where it is no UTF-8.
        if let bytes = value.bytesValue {
          session.output.show(bytes: bytes)
        } else {
          session.output.show(text.painted(value))
        }
      }
    }
    if let first = results.first { try? state.set("_", to: first) }
  }

  private func report(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as LuaError {
      ErrorText(error).printed(asJSON: session.output.isJSON)
      throw ScriptFailure(isInterrupt: error.code == .interrupted)
    }
  }
}

/// A script failed, and its error has been printed.
public struct ScriptFailure: Error {
  public let isInterrupt: Bool
  /// What a shell is told: 130 after an interrupt, as by convention, otherwise 1.
  public var exitCode: Int32 { isInterrupt ? 130 : 1 }
}

/// Carries the interrupt through a signal handler's context pointer.
private final class InterruptBox {
  let interrupt: LuaInterrupt

  init(_ interrupt: LuaInterrupt) {
    self.interrupt = interrupt
  }
}

private let interruptHandler: InterruptSource.Handler = { context in
  guard let context else { return }
  Unmanaged<InterruptBox>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.interrupt.interrupt() }
}
