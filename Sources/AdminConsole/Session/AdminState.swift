import AuthCore
import Foundation
import LuaPlugins
public import LuaRuntime

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
        print: { output.printed(Self.visible($0)) },
        log: { record in
          output.printed(VisibleText.neutralised("\(record.level): \(record.message)"))
        },
        clock: { Timestamp.now().milliseconds }, randomSeed: UInt64.random(in: .min ... .max)))
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
    try ExitLibrary(session: session).install(in: state)
    try InputLibrary(session: session).install(in: state)
  }

  /// What `print` writes: data can hold anything, and nothing of it may steer the terminal.
  private static func visible(_ text: String) -> String {
    text.split(separator: "\t", omittingEmptySubsequences: false)
      .map { VisibleText.neutralised(String($0), keepingNewlines: true) }
      .joined(separator: "\t")
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
    do throws(LuaError) {
      return try outcome.get()
    } catch {
      var error = error
      error.cause = session.takeExit() ?? error.cause
      throw error
    }
  }

  /// Runs a whole script; what it returns is printed with `--json` only.
  ///
  /// Throws ``ScriptFailure`` after the error was printed, and ``ScriptExit`` if the script calls `exit`.
  public func runScript(_ source: LuaSource, name: String) throws {
    try report {
      let chunk = try hintingAtExit(source.text) { text throws(LuaError) in
        try state.load(text, name: name)
      }
      let results = try call(chunk)
      if session.output.isJSON { show(results) }
    }
  }

  /// Runs a piece of code and prints what it gives.
  ///
  /// Throws ``ScriptFailure`` after the error was printed, and ``ScriptExit`` if the code leaves.
  public func evaluate(_ code: LuaSource, name: String) throws {
    if StatementReader.leaves(code.text) { throw ScriptExit(status: 0) }
    try report { try evaluate(code.text, name: name, after: 0) }
  }

  /// Runs input as if it were typed: each statement as soon as it is whole, with what it gives printed.
  ///
  /// From the first `local` on, the rest is one piece, in which that name is known. The first error ends it, and so
  /// do `exit` and `quit`. `next` waits for a line, and gives nil at the end.
  ///
  /// Throws ``ScriptFailure`` after the error was printed; what ran before it stays. Throws ``ScriptExit`` if a line
  /// leaves.
  public func evaluateInput(name: String, next: () throws -> String?) throws {
    var reader = StatementReader()
    while let line = try next() {
      switch reader.take(line, isLast: false, isIncomplete: isIncomplete) {
      case .more: continue
      case .statement(let code, let before):
        try report { try evaluate(code, name: name, after: before) }
      case .leave(let code, let before):
        if let code { try report { try evaluate(code, name: name, after: before) } }
        throw ScriptExit(status: 0)
      }
    }
    if let (code, before) = reader.rest {
      try report { try evaluate(code, name: name, after: before) }
    }
  }

  /// Runs a statement and prints what it gives; its errors count the lines before it.
  private func evaluate(_ code: String, name: String, after before: Int) throws(LuaError) {
    // Empty lines in the place of what ran. Beyond some they would cost more than the statement.
    let isFar = before > Self.mostLinesBefore
    let place = isFar ? "\(name), from line \(before + 1)" : name
    let lines = isFar ? "" : String(decoding: Self.emptyLines.utf8.prefix(before), as: UTF8.self)
    show(
      try call(
        hintingAtExit(lines + code) { text throws(LuaError) in try compile(text, name: place) }))
  }

  private static let mostLinesBefore = 5000
  private static let emptyLines = String(repeating: "\n", count: mostLinesBefore)

  /// Compiles a text; an error that a bare `exit` may have led to says how a script leaves.
  private func hintingAtExit(
    _ text: String, _ compile: (String) throws(LuaError) -> LuaFunction
  ) throws(LuaError) -> LuaFunction {
    do throws(LuaError) {
      return try compile(text)
    } catch {
      var error = error
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      if error.code == .syntax, let line = error.line,
        lines.prefix(line).suffix(2).contains(where: { StatementReader.leaves(String($0)) })
      {
        error.message += ". Write exit() to leave"
        error.value = nil
      }
      throw error
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
  func show(_ results: [LuaValue]) {
    for value in results {
      session.output.write(
        session.output.isJSON
          ? ValueJSON(state: state, session: session).render(value)
          : ValueText(state: state, session: session).render(value))
    }
    if let first = results.first { try? state.set("_", to: first) }
  }

  private func report(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as LuaError {
      if let exit = error.cause as? ScriptExit { throw exit }
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
