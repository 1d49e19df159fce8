public import AuthCore
import Synchronization

/// A merge policy written in Lua.
///
/// LuaPlugins turns Lua files into what AuthCore asks for: merge policies today. Start here, then read
/// ``PolicyVocabulary`` for the words of a file. It imports AuthCore and LuaRuntime.
///
/// Each concurrent decision has a Lua state of its own, taken from a pool and given back.
public final class LuaMergePolicy: MergePolicy {
  public let name: String
  public let triggers: Set<AuthError.Code>
  private let source: PolicySource
  private let idle = Mutex<[Idle]>([])

  /// A script that nobody holds; handed from one holder to the next, never shared.
  private struct Idle: @unchecked Sendable {
    let script: PolicyScript
  }

  private static let largestPool = 8

  /// Compiles a policy; throws `invalid-policy` with the line at fault.
  public init(_ source: PolicySource) throws(AuthError) {
    let script = try PolicyScript(source)
    self.source = source
    name = script.declaration.name
    triggers = script.declaration.triggers
    let first = Idle(script: script)
    idle.withLock { $0.append(first) }
  }

  public func decide(_ conflict: MergeConflict) throws -> MergeAnswer {
    let script = try idle.withLock { $0.popLast() }?.script ?? PolicyScript(source)
    defer { giveBack(script) }
    return try script.decide(conflict)
  }

  private func giveBack(_ script: PolicyScript) {
    guard !script.isTainted else { return }
    let returned = Idle(script: script)
    idle.withLock { pool in
      if pool.count < Self.largestPool { pool.append(returned) }
    }
  }
}

/// Compiles policies once and keeps them.
public final class LuaPolicyCompiler: MergePolicyCompiler {
  private let compiled = Mutex<[PolicySource: LuaMergePolicy]>([:])
  private static let largestCache = 16

  public init() {}

  public func policy(_ source: PolicySource) throws(AuthError) -> any MergePolicy {
    if let policy = compiled.withLock({ $0[source] }) { return policy }
    let policy = try LuaMergePolicy(source)
    compiled.withLock { cache in
      if cache.count >= Self.largestCache { cache = [:] }
      cache[source] = policy
    }
    return policy
  }
}
