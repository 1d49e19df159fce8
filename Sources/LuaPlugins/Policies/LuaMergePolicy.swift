public import AuthCore
import NIOConcurrencyHelpers

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
  private let hasTimeLimit: Bool
  private let pool: ScriptPool<PolicyScript>

  /// Compiles a policy; throws `invalid-policy` with the line at fault.
  public convenience init(_ source: PolicySource) throws(AuthError) {
    try self.init(source, hasTimeLimit: true)
  }

  /// Without a limit of time a policy may also run under a tool that counts instructions and takes long.
  package init(_ source: PolicySource, hasTimeLimit: Bool) throws(AuthError) {
    let script = try PolicyScript(source, hasTimeLimit: hasTimeLimit)
    self.source = source
    self.hasTimeLimit = hasTimeLimit
    name = script.declaration.name
    triggers = script.declaration.triggers
    pool = ScriptPool(first: script)
  }

  public func decide(_ conflict: MergeConflict) throws -> MergeAnswer {
    let script = try pool.take() ?? PolicyScript(source, hasTimeLimit: hasTimeLimit)
    defer { if !script.isTainted { pool.giveBack(script) } }
    return try script.decide(conflict)
  }
}

/// Compiles policies once and keeps them.
public final class LuaPolicyCompiler: MergePolicyCompiler {
  private let compiled = NIOLockedValueBox<[PolicySource: LuaMergePolicy]>([:])
  private static let largestCache = 16

  public init() {}

  public func policy(_ source: PolicySource) throws(AuthError) -> any MergePolicy {
    if let policy = compiled.withLockedValue({ $0[source] }) { return policy }
    let policy = try LuaMergePolicy(source)
    compiled.withLockedValue { cache in
      if cache.count >= Self.largestCache { cache = [:] }
      cache[source] = policy
    }
    return policy
  }
}
