public import AuthCore
import Crypto
import LuaRuntime
import NIOConcurrencyHelpers

/// A merge policy written in Lua.
///
/// LuaPlugins turns Lua files into merge policies and providers for AuthCore. For policies start here, then read
/// ``PolicyLibrary`` for the functions of a file. The module imports AuthCore and LuaRuntime.
///
/// Each concurrent decision has its own Lua state, taken from a pool and given back.
public final class LuaMergePolicy: MergePolicy {
  /// The name that the file declares.
  public let name: String
  /// The conflicts that the policy decides.
  public let triggers: Set<AuthError.Code>
  /// True if the policy is also asked about unproven accounts.
  public let answersUnproven: Bool
  /// True if the file has `survivor = "by side"`: its answer may change if the two accounts change sides.
  package let dependsOnSide: Bool
  private let source: PolicySource
  private let hasTimeLimit: Bool
  private let log: @Sendable (ScriptLogRecord) -> Void
  private let pool: ScriptPool<PolicyScript>
  /// The number of conflicts to skip in `decideAtOnce`, after one without an answer.
  private let conflictsToSkip = NIOLockedValueBox(0)

  /// The conflicts skipped after a slow answer.
  ///
  /// An always slow policy costs waiting callers one attempt in a hundred, and a policy that was slow once
  /// recovers.
  package static let conflictsSkipped = 100

  /// Compiles a policy; throws `invalid-policy` with the line at fault.
  ///
  /// `log` takes the lines that the file logs in a decision.
  public convenience init(
    _ source: PolicySource, log: @escaping @Sendable (ScriptLogRecord) -> Void = { _ in }
  ) throws(AuthError) {
    try self.init(source, hasTimeLimit: true, log: log)
  }

  /// Compiles a policy, optionally without a time limit, for tools that count instructions and take long.
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
    dependsOnSide = script.declaration.dependsOnSide
    pool = ScriptPool(first: script)
  }

  /// Decides a conflict within the usual limits; throws `invalid-policy` if the file fails.
  public func decide(_ conflict: MergeConflict) throws -> MergeAnswer {
    let script = try pool.take() ?? PolicyScript(source, hasTimeLimit: hasTimeLimit)
    defer {
      script.takeLog().forEach(log)
      if !script.isTainted { pool.giveBack(script) }
    }
    return try script.decide(conflict)
  }

  /// Decides a conflict within a small part of the usual limits, by named rules or with a refusal.
  ///
  /// Returns nil if these limits are too small, and for a number of conflicts after that.
  public func decideAtOnce(_ conflict: MergeConflict) throws -> MergeAnswer? {
    guard !isSkipped(), let script = pool.take() else { return nil }
    var isAnswered = true
    defer {
      let lines = script.takeLog()
      // A conflict without an answer is decided again, and its lines are logged then.
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
  /// The limits of a decision that other callers wait for; a usual one takes a small part of them.
  static let decisionAtOnce = Self(
    instructions: 5000, cpuTime: .milliseconds(1), memory: LuaLimits.policy.memory)
}

/// Compiles policies once and keeps them.
public final class LuaPolicyCompiler: MergePolicyCompiler {
  private let compiled = CompiledScripts<LuaMergePolicy>(atMost: 16)
  private let hasTimeLimit: Bool
  private let log: @Sendable (ScriptLogRecord) -> Void

  /// Makes a compiler; `log` takes the lines that policies log in their decisions.
  public init(log: @escaping @Sendable (ScriptLogRecord) -> Void = { _ in }) {
    hasTimeLimit = true
    self.log = log
  }

  /// Makes a compiler of policies without time limits.
  package init(hasTimeLimit: Bool) {
    self.hasTimeLimit = hasTimeLimit
    log = { _ in }
  }

  /// The compiled policy of a source; nil if it is not compiled yet.
  public func known(_ source: PolicySource) -> (any MergePolicy)? {
    compiled.known(source)
  }

  /// The SHA-256 of a source's text, in hexadecimal digits.
  public func digest(of source: PolicySource) -> String {
    SHA256.hash(data: Array(source.text.utf8)).hexadecimal
  }

  /// The policy of a source, compiled if necessary; throws `invalid-policy` with the line at fault.
  public func policy(_ source: PolicySource) throws(AuthError) -> any MergePolicy {
    try compiled.script(of: source) { () throws(AuthError) in
      try LuaMergePolicy(source, hasTimeLimit: hasTimeLimit, log: log)
    }
  }
}
