public import AuthCore
import LuaRuntime

/// Runs the Lua script of a scope's blocking functions.
///
/// ```lua
/// return hooks {
///   before_create = function(event)
///     if event.account.email == nil then return refuse "an address is needed" end
///   end,
///   before_sign_in = function(event)
///     return { sessionClaims = { plan = "basic" } }
///   end,
/// }
/// ```
///
/// A script is compiled once, and runs again for each event; each concurrent event has its own Lua state.
public final class LuaSignInHooks: SignInHooks {
  private let pools = CompiledScripts<ScriptPool<HookScript>>(atMost: 64)
  private let clock: @Sendable () -> Timestamp
  private let log: @Sendable (ScriptLogRecord) -> Void

  /// Makes hooks that run the script of each scope.
  ///
  /// - Parameters:
  ///   - clock: the time of an event, which `time.now` of a script returns.
  ///   - log: takes the lines that a script logs.
  public init(
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
    log: @escaping @Sendable (ScriptLogRecord) -> Void = { _ in }
  ) {
    self.clock = clock
    self.log = log
  }

  /// Tells whether the scope has a script.
  public func isInterested(in functions: BlockingFunctions) -> Bool { functions.script != nil }

  /// Runs the scope's script for an event; nil if it has no function for the event.
  public func answer(_ event: SignInHookEvent) async throws -> SignInHookAnswer? {
    guard let source = event.functions.script else { return nil }
    let now = clock()
    let pool = try pools.script(of: source) { () throws(AuthError) in
      ScriptPool(first: try HookScript(source, at: now))
    }
    let script = try pool.take() ?? HookScript(source, at: now)
    let answer = Result { try script.answer(event, at: now) }
    script.takeLog().forEach(log)
    if !script.isTainted { pool.giveBack(script) }
    return try answer.get()
  }
}
