public import AuthCore
import LuaRuntime
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
  public let answersUnproven: Bool
  private let source: PolicySource
  private let hasTimeLimit: Bool
  private let pool: ScriptPool<PolicyScript>
  /// How many conflicts it is not asked about at once, because it had no answer to one before.
  private let conflictsToSkip = NIOLockedValueBox(0)

  /// A policy that is always slow costs those who wait a hundredth of its tries; one that was slow once is quick again.
  package static let conflictsSkipped = 100

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
    answersUnproven = script.declaration.answersUnproven
    pool = ScriptPool(first: script)
  }

  public func decide(_ conflict: MergeConflict) throws -> MergeAnswer {
    let script = try pool.take() ?? PolicyScript(source, hasTimeLimit: hasTimeLimit)
    defer { if !script.isTainted { pool.giveBack(script) } }
    return try script.decide(conflict)
  }

  /// Answers within a small part of what a decision may use otherwise, by rules that have names, or with a refusal; nil
  /// where that is not enough, and for some conflicts after it.
  public func decideAtOnce(_ conflict: MergeConflict) throws -> MergeAnswer? {
    guard !isSkipped(), let script = pool.take() else { return nil }
    defer { if !script.isTainted { pool.giveBack(script) } }
    var limits = LuaLimits.decisionAtOnce
    if !hasTimeLimit { limits.cpuTime = nil }
    let answer = try script.decide(conflict, within: limits)
    if answer == nil { conflictsToSkip.withLockedValue { $0 = Self.conflictsSkipped } }
    return answer
  }

  private func isSkipped() -> Bool {
    conflictsToSkip.withLockedValue { left in
      guard left > 0 else { return false }
      left -= 1
      return true
    }
  }
}

extension LuaLimits {
  /// Suits a decision for which others wait; all of it takes some fifty microseconds.
  fileprivate static let decisionAtOnce = Self(
    instructions: 5000, cpuTime: .milliseconds(1), memory: LuaLimits.policy.memory)
}

/// Compiles policies once and keeps them.
public final class LuaPolicyCompiler: MergePolicyCompiler {
  private let compiled = NIOLockedValueBox<[PolicySource: LuaMergePolicy]>([:])
  private static let largestCache = 16

  private let hasTimeLimit: Bool

  public init() {
    hasTimeLimit = true
  }

  /// Without limits of time, as a policy itself.
  package init(hasTimeLimit: Bool) {
    self.hasTimeLimit = hasTimeLimit
  }

  public func known(_ source: PolicySource) -> (any MergePolicy)? {
    compiled.withLockedValue { $0[source] }
  }

  public func policy(_ source: PolicySource) throws(AuthError) -> any MergePolicy {
    if let policy = known(source) { return policy }
    let policy = try LuaMergePolicy(source, hasTimeLimit: hasTimeLimit)
    compiled.withLockedValue { cache in
      if cache.count >= Self.largestCache { cache = [:] }
      cache[source] = policy
    }
    return policy
  }
}
