public import AuthCore
import LuaRuntime
import NIOConcurrencyHelpers

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
  private let pools = NIOLockedValueBox<[PolicySource: ScriptPool<HookScript>]>([:])
  private static let largestCache = 64
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
    let pool = try pool(source)
    let now = clock()
    let script = try pool.take() ?? HookScript(source, at: now)
    let answer = Result { try script.answer(event, at: now) }
    script.takeLog().forEach(log)
    if !script.isTainted { pool.giveBack(script) }
    return try answer.get()
  }

  private func pool(_ source: PolicySource) throws(AuthError) -> ScriptPool<HookScript> {
    if let pool = pools.withLockedValue({ $0[source] }) { return pool }
    let pool = ScriptPool(first: try HookScript(source, at: clock()))
    pools.withLockedValue { cache in
      if cache.count >= Self.largestCache { cache = [:] }
      cache[source] = pool
    }
    return pool
  }
}
