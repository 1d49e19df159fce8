public import AuthCore
import LuaRuntime
import NIOConcurrencyHelpers

/// A merge policy written in Lua.
///
/// LuaPlugins turns Lua files into what AuthCore asks for: merge policies today. Start here, then read
/// ``PolicyLibrary`` for the words of a file. It imports AuthCore and LuaRuntime.
///
/// Each concurrent decision has a Lua state of its own, taken from a pool and given back.
public final class LuaMergePolicy: MergePolicy {
  public let name: String
  public let triggers: Set<AuthError.Code>
  public let answersUnproven: Bool
  private let source: PolicySource
  private let hasTimeLimit: Bool
  private let log: @Sendable (ScriptLogRecord) -> Void
  private let pool: ScriptPool<PolicyScript>
  /// How many conflicts it is not asked about at once, because it had no answer to one before.
  private let conflictsToSkip = NIOLockedValueBox(0)

  /// A policy that is always slow costs those who wait a hundredth of its tries; one that was slow once is quick again.
  package static let conflictsSkipped = 100

  /// Compiles a policy; throws `invalid-policy` with the line at fault.
  ///
  /// `log` takes what the file logs in a decision.
  public convenience init(
    _ source: PolicySource, log: @escaping @Sendable (ScriptLogRecord) -> Void = { _ in }
  ) throws(AuthError) {
    try self.init(source, hasTimeLimit: true, log: log)
  }

  /// Without a limit of time a policy may also run under a tool that counts instructions and takes long.
  package init(
    _ source: PolicySource, hasTimeLimit: Bool,
    log: @escaping @Sendable (ScriptLogRecord) -> Void = { _ in }
  ) throws(AuthError) {
    let script = try PolicyScript(source, hasTimeLimit: hasTimeLimit)
    self.source = source
    self.hasTimeLimit = hasTimeLimit
    self.log = log
    name = script.declaration.name
    triggers = script.declaration.triggers
    answersUnproven = script.declaration.answersUnproven
    pool = ScriptPool(first: script)
  }

  public func decide(_ conflict: MergeConflict) throws -> MergeAnswer {
    let script = try pool.take() ?? PolicyScript(source, hasTimeLimit: hasTimeLimit)
    defer {
      script.takeLog().forEach(log)
      if !script.isTainted { pool.giveBack(script) }
    }
    return try script.decide(conflict)
  }

  /// Answers within a small part of what a decision may use otherwise, by rules that have names, or with a refusal; nil
  /// where that is not enough, and for some conflicts after it.
  public func decideAtOnce(_ conflict: MergeConflict) throws -> MergeAnswer? {
    guard !isSkipped(), let script = pool.take() else { return nil }
    var isAnswered = true
    defer {
      let lines = script.takeLog()
      // A conflict without an answer is decided again, and logged then.
      if isAnswered { lines.forEach(log) }
      if !script.isTainted { pool.giveBack(script) }
    }
    var limits = LuaLimits.decisionAtOnce
    if !hasTimeLimit { limits.cpuTime = nil }
    let answer = try script.decide(conflict, within: limits)
    if answer == nil {
      isAnswered = false
      conflictsToSkip.withLockedValue { $0 = Self.conflictsSkipped }
    }
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
  /// Suits a decision for which others wait: the file's run, and `decide`, take some fifty microseconds each at most.
  fileprivate static let decisionAtOnce = Self(
    instructions: 5000, cpuTime: .milliseconds(1), memory: LuaLimits.policy.memory)
}

/// Compiles policies once and keeps them.
public final class LuaPolicyCompiler: MergePolicyCompiler {
  private let compiled = NIOLockedValueBox<[PolicySource: LuaMergePolicy]>([:])
  private static let largestCache = 16

  private let hasTimeLimit: Bool
  private let log: @Sendable (ScriptLogRecord) -> Void

  /// Makes a compiler; `log` takes what policies log in their decisions.
  public init(log: @escaping @Sendable (ScriptLogRecord) -> Void = { _ in }) {
    hasTimeLimit = true
    self.log = log
  }

  /// Without limits of time, as a policy itself.
  package init(hasTimeLimit: Bool) {
    self.hasTimeLimit = hasTimeLimit
    log = { _ in }
  }

  public func known(_ source: PolicySource) -> (any MergePolicy)? {
    compiled.withLockedValue { $0[source] }
  }

  public func policy(_ source: PolicySource) throws(AuthError) -> any MergePolicy {
    if let policy = known(source) { return policy }
    let policy = try LuaMergePolicy(source, hasTimeLimit: hasTimeLimit, log: log)
    compiled.withLockedValue { cache in
      if cache.count >= Self.largestCache { cache = [:] }
      cache[source] = policy
    }
    return policy
  }
}
