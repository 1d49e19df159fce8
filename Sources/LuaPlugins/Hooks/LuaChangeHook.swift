public import AuthCore
import LuaRuntime

/// A hook file as the graph asks it about changes of who owns what.
///
/// The file is the same as that of ``LuaSignInHooks``. Each concurrent decision has its own Lua state.
public final class LuaChangeHook: ChangeHook {
  /// The file's name, with the first 12 digits of the SHA-256 of its text.
  public let version: String
  /// The kinds of changes for which the file has a function.
  public let kinds: Set<ChangeEvent.Kind>
  private let source: PolicySource
  private let log: @Sendable (ScriptLogRecord) -> Void
  private let pool: ScriptPool<HookScript>

  /// Compiles a file; throws `invalid-policy` with the line at fault.
  ///
  /// `log` takes the lines that the file logs in a decision.
  public init(
    _ source: PolicySource, log: @escaping @Sendable (ScriptLogRecord) -> Void = { _ in }
  ) throws(AuthError) {
    let script = try HookScript(source, at: .now())
    self.source = source
    self.log = log
    version = "\(source.name) \(LuaSource.digest(of: source.text).prefix(12))"
    kinds = script.declaration.changes
    pool = ScriptPool(first: script)
  }

  /// Answers an event within the usual limits; throws `invalid-policy` if the file fails.
  public func answer(_ event: ChangeEvent) throws -> ChangeAnswer {
    let script = try pool.take() ?? HookScript(source, at: event.now)
    defer { finish(script, isAnswered: true) }
    return try script.answer(event)
  }

  /// Answers an event within a small part of the usual limits; nil if these are too small.
  public func answerAtOnce(_ event: ChangeEvent) throws -> ChangeAnswer? {
    guard let script = pool.take() else { return nil }
    var answer: ChangeAnswer?
    // An event without an answer is asked about again, and its lines are logged then.
    defer { finish(script, isAnswered: answer != nil) }
    answer = try script.answer(event, within: .decisionAtOnce)
    return answer
  }

  private func finish(_ script: HookScript, isAnswered: Bool) {
    let lines = script.takeLog()
    if isAnswered { lines.forEach(log) }
    if !script.isTainted { pool.giveBack(script) }
  }
}

/// Compiles hook files once and keeps them.
public final class LuaChangeHookCompiler: ChangeHookCompiler {
  private let compiled = CompiledScripts<LuaChangeHook>(atMost: 64)
  private let log: @Sendable (ScriptLogRecord) -> Void

  /// Makes a compiler; `log` takes the lines that files log in their decisions.
  public init(log: @escaping @Sendable (ScriptLogRecord) -> Void = { _ in }) {
    self.log = log
  }

  /// The compiled file of a source; nil if it is not compiled yet.
  public func known(_ source: PolicySource) -> (any ChangeHook)? {
    compiled.known(source)
  }

  /// The file of a source, compiled if necessary; throws `invalid-policy` with the line at fault.
  public func hook(_ source: PolicySource) throws(AuthError) -> any ChangeHook {
    try compiled.script(of: source) { () throws(AuthError) in try LuaChangeHook(source, log: log) }
  }
}
