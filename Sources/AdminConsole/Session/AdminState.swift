import AuthCore
import Foundation
import LuaPlugins
import LuaRuntime

/// A Lua state with the whole admin API in it.
public final class AdminState {
  let session: ConsoleSession
  let state: LuaState
  private let tour: Tour
  /// The values of the names that the console needs, which an input may replace by mistake.
  private var ownValues: [String: LuaValue] = [:]

  /// Makes the state; throws if Lua cannot be set up.
  public init(session: ConsoleSession) throws {
    self.session = session
    tour = Tour(session: session)
    let output = session.output
    state = try LuaState(
      profile: .console,
      configuration: LuaConfiguration(
        limits: session.limits,
        print: {
          output.look.hasPrinted = true
          output.printed(bytes: $0)
        },
        log: { output.printed(line: "\($0.level): \($0.message)") },
        describeLimits: { output.describeLimits }, clock: { Timestamp.now().milliseconds },
        randomSeed: UInt64.random(in: .min ... .max)))
    state.signature = { HelpTopic.signature(of: $0) }
    let standard = Set(state.globalFunctions)
    let data = ObjectData(session: session)
    state.dataForJSON = { data.table(of: $0) }
    let interrupt = state.interrupt
    session.isInterrupted = { interrupt.isRaised }
    if session.rights != nil {
      // The token may change between statements.
      state.authorize = { [session] in try session.rights?.check($0) }
    }
    AccountObject(session: session).install(in: state)
    try AccountsLibrary(session: session).install(in: state)
    try ProvidersLibrary(session: session).install(in: state)
    try AuthLibrary(session: session).install(in: state)
    try MergeLibrary(session: session).install(in: state)
    try PolicyLibrary(session: session).install(in: state)
    try HooksLibrary(session: session).install(in: state)
    try DuplicatesLibrary(session: session).install(in: state)
    try AuditLibrary(session: session).install(in: state)
    try RehearsalLibrary(session: session).install(in: state)
    try GraphLibrary(session: session).install(in: state)
    try SettingsLibrary(session: session).install(in: state)
    try PluginsLibrary(session: session).install(in: state)
    try SecretLibrary(session: session).install(in: state)
    try HelpLibrary(session: session).install(in: state)
    try ExitLibrary(session: session).install(in: state)
    try InputLibrary(session: session).install(in: state)
    try SetLibrary(session: session).install(in: state)
    try ShowLibrary(session: session).install(in: state)
    try TenantsLibrary(session: session).install(in: state)
    try TourLibrary(tour: tour, session: session).install(in: state)
    try HelpTopic.check(
      state.definedFunctions + state.globalFunctions.filter { !standard.contains($0) })
    // They get values later, and must exist before.
    for name in ["_", "lastError", "arg"] { try state.set(name, to: .nil) }
    let groups = HelpTopic.all.map { topic in String(topic.name.prefix { $0 != "." && $0 != ":" }) }
    for name in Set(groups + ["print", "quit"]) {
      let value = state.get(name)
      if value.objectValue != nil || value.functionValue != nil { ownValues[name] = value }
    }
  }

  /// Restores the libraries and functions of the console that an input has replaced by something else, and returns
  /// their names.
  ///
  /// A function in place of a function stays.
  func restoreOwnNames() -> [String] {
    ownValues.keys.sorted().filter { name in
      guard let own = ownValues[name] else { return false }
      let value = state.get(name)
      let isKept =
        own.functionValue != nil
        ? value.functionValue != nil : value.objectValue?.type == own.objectValue?.type
      if !isKept { try? state.set(name, to: own) }
      return !isKept
    }
  }

  /// Sets the arguments of scripts as the global list `arg`; `arg.script` is the script's name.
  private func setArguments(_ arguments: [String], of script: String) throws(LuaError) {
    var list = LuaTable(array: arguments.map { .string($0) })
    list.fields["script"] = .string(script)
    try state.set("arg", to: .table(list))
  }

  /// Compiles code, as an expression if possible, so that `1 + 1` needs no `return`.
  func compile(_ code: String, name: String) throws(LuaError) -> LuaFunction {
    try state.statement(code, name: name)
  }

  /// Runs compiled code; an interrupt from the keyboard stops it.
  func call(_ function: LuaFunction) throws(LuaError) -> [LuaValue] {
    session.refresh()
    session.agreesToDeletions = false
    session.pickUpPlugins()
    do throws(LuaError) {
      return try interruptible { () throws(LuaError) in
        try state.call(function, results: .references)
      }
    } catch {
      var error = error
      error.cause = session.takeExit() ?? error.cause
      throw error
    }
  }

  /// Runs a body while Ctrl-C raises the state's interrupt instead of ending the process.
  ///
  /// An interrupt that came too late to stop the body is withdrawn, so that it does not stop the next input.
  private func interruptible<Value>(
    _ body: () throws(LuaError) -> Value
  ) throws(LuaError) -> Value {
    defer { state.interrupt.reset() }
    let outcome = session.host.interruptible(state.interrupt) {
      () -> Result<Value, LuaError> in
      do throws(LuaError) {
        return .success(try body())
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  /// Runs a whole script, and prints the values that it returns, unless it printed something itself.
  private func runScript(
    _ code: String, name: String, file: String, arguments: [String]
  ) throws(LuaError) {
    try setArguments(arguments, of: file)
    let results = try call(
      hintingAtExit(code) { text throws(LuaError) in try state.load(text, name: name) })
    let isQuiet = !session.output.look.hasPrinted
    if session.output.isJSON || isQuiet { try show(results) }
  }

  /// Runs a statement and prints its results; line numbers of its errors include the lines before it.
  private func evaluate(_ code: String, name: String, after before: Int) throws(LuaError) {
    // Empty lines replace the earlier statements. Many of them would cost more than the statement.
    let isFar = before > Self.mostLinesBefore
    let place = isFar ? "\(name), from line \(before + 1)" : name
    let lines = isFar ? "" : String(decoding: Self.emptyLines.utf8.prefix(before), as: UTF8.self)
    let function = try hintingAtExit(lines + code) { text throws(LuaError) in
      try compile(text, name: place)
    }
    try callAndShow(function)
  }

  /// Runs a statement and prints its results, and the time that it took if `set.timing` is on.
  func callAndShow(_ function: LuaFunction) throws(LuaError) {
    let start = ContinuousClock.now
    let results = try call(function)
    let duration = start.duration(to: .now)
    try show(results)
    if session.output.look.isTiming { session.output.printed("Time: \(duration.shortText)") }
  }

  private static let mostLinesBefore = 5000
  private static let emptyLines = String(repeating: "\n", count: mostLinesBefore)

  /// Compiles a text; an error that a bare `exit` may have caused explains how to exit.
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

  package func isIncomplete(_ code: String) -> Bool { state.isIncomplete(code) }

  /// Prints results and keeps the first as `_`.
  ///
  /// With JSON either all results are written or none: throws `conversion` for a value that JSON cannot express. Throws
  /// `interrupted` if Ctrl-C ended the output.
  func show(_ results: [LuaValue]) throws(LuaError) {
    let results = results.map(ShowLibrary.unwrapped)
    try interruptible { () throws(LuaError) in
      try write(results)
      if state.interrupt.isRaised { throw LuaError(.interrupted, "interrupted") }
    }
    if let first = results.first { try? state.set("_", to: first) }
    showTour(results)
  }

  private func write(_ results: [LuaValue]) throws(LuaError) {
    let isStopped = session.isInterrupted
    if session.output.isJSON {
      let names = results.indices.map { results.count == 1 ? "result" : "result \($0 + 1)" }
      let texts = try zip(results, names).map { value, name throws(LuaError) in
        try state.json(value, named: name, emptyTables: .lists)
      }
      for text in texts { session.output.show(json: text, unless: isStopped) }
    } else {
      let text = ValueText(state: state, session: session)
      let isText = !results.contains { if case .bytes = $0 { true } else { false } }
      if session.output.look.isConversation, isText {
        session.output.show(paging: results.map { text.painted($0) }, unless: isStopped)
      } else {
        for value in results where !isStopped() {
          // A string is printed unchanged, even if it is not UTF-8.
          if let bytes = value.bytesValue {
            session.output.show(bytes: bytes, unless: isStopped)
          } else {
            session.output.show(text.painted(value), unless: isStopped)
          }
        }
      }
    }
  }

  /// Shows the next step of the tour, if it is on and an input has done the present one.
  private func showTour(_ results: [LuaValue], error: String? = nil) {
    tour.look(
      at: TourMoment(session: session, state: state, results: results, errorCode: error))
  }
}

extension AdminState: ConsoleEngine {
  package var output: ConsoleOutput { session.output }
  package var rehearsedCount: Int? { session.rehearsal?.count }

  package func forgetRehearsal() { session.endRehearsal() }

  package func run(_ statement: ConsoleStatement) -> StatementEnd {
    output.look.isConversation = statement.origin == .prompt && output.isAtTerminal
    if let command = statement.command { return obey(command) }
    switch statement.origin {
    case .prompt: return runAtPrompt(statement.code)
    case .start(let name):
      session.note("run \(name)", isSecret: false)
      return end(of: { () throws(LuaError) in
        _ = try call(
          hintingAtExit(statement.code) { text throws(LuaError) in
            try state.load(text, name: name)
          })
      }).end
    case .script(let file, let arguments):
      let name =
        file == InputFile.standardInput ? "stdin" : URL(filePath: file).lastPathComponent
      session.note("run \(name)", isSecret: false)
      return end(of: { () throws(LuaError) in
        try runScript(statement.code, name: name, file: file, arguments: arguments)
      }).end
    case .input(let name, let before):
      let (end, error) = end(of: { () throws(LuaError) in
        try evaluate(statement.code, name: name, after: before)
      })
      if session.journal != nil { _ = noteInput(statement.code, failed: error) }
      return end
    }
  }

  /// Does what a command that begins with a backslash means.
  private func obey(_ command: PromptCommand) -> StatementEnd {
    switch command {
    case .leave: return StatementEnd(exit: ScriptExit(status: 0))
    case .change(let change): output.printed(change(output.look))
    case .refused(let message, let remedy):
      return StatementEnd(
        error: ErrorText(AuthError(.invalidArgument, message, remedy: remedy)))
    case .code(let code): return runAtPrompt(code)
    }
    return StatementEnd()
  }

  private func runAtPrompt(_ code: String) -> StatementEnd {
    var (end, error) = end(of: { () throws(LuaError) in
      try callAndShow(compile(code, name: "console"))
    })
    if let text = end.error {
      try? state.set("lastError", to: .table(text.table))
    } else if end.exit == nil, let name = PromptCommand.localName(in: code) {
      output.notice(
        "\(name) is forgotten now: local ends with its input. Write \(name) = … without local.")
    }
    for name in restoreOwnNames() {
      output.notice(
        "\(name) is a name of the console and means the same as before. Choose another name.")
    }
    end.mayHoldSecret = noteInput(code, failed: error)
    return end
  }

  /// Adds an input to those that the audit keeps; returns true if it may hold a secret.
  private func noteInput(_ code: String, failed error: LuaError?) -> Bool {
    let secrets = SecretInput(session.graph.providers)
    // A mistyped secret is detected by its error.
    let isSecret = error.map { secrets.isSecret(code, failed: $0) } ?? secrets.isSecret(code)
    session.note(code, failed: error, isSecret: isSecret)
    return isSecret
  }

  package func showTour(after error: ErrorText) { showTour([], error: error.code) }

  /// Returns the end of a statement, and its error unless it exits.
  private func end(
    of body: () throws(LuaError) -> Void
  ) -> (end: StatementEnd, error: LuaError?) {
    do throws(LuaError) {
      try body()
      return (StatementEnd(), nil)
    } catch {
      if let exit = error.cause as? ScriptExit { return (StatementEnd(exit: exit), nil) }
      let isInterrupted = error.code == .interrupted
      return (StatementEnd(error: ErrorText(error), isInterrupted: isInterrupted), error)
    }
  }

  package func candidates(_ line: String, _ cursor: Int) -> (start: Int, candidates: [String]) {
    ConsoleCompletion(state: state, session: session).candidates(line, cursor)
  }
}

/// The error of a script that failed after its error was printed.
public struct ScriptFailure: Error {
  /// True if Ctrl-C stopped the script.
  public let isInterrupt: Bool
  /// The exit status of the process: 130 after an interrupt, as is the convention, otherwise 1.
  public var exitCode: Int32 { isInterrupt ? 130 : 1 }
}
