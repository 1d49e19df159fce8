import AuthCore
import LuaPlugins
import LuaRuntime
import NIOConcurrencyHelpers

extension PolicyLibrary {
  /// The names of the options of `policy.ask`.
  static let askingOptions = [
    "code", "provider", "proof", "now", "operation", "credential", "session",
  ]

  /// Asks a policy about two real accounts; nothing is written.
  ///
  /// Without a file it is the policy in use. Returns the answer as data, and the plan of a merge. The options say what
  /// a client would have shown; without them both accounts are proven.
  func ask(_ call: LuaCall) throws -> [LuaValue] {
    let source = try askedSource(call)
    let options = try call.options(4)
    try options.refuseUnknown(Self.askingOptions)
    let current = try session.account(call, 2, "current")
    let existing = try session.account(call, 3, "existing")
    guard current.id != existing.id else {
      throw AuthError(
        .invalidArgument, "Both are the same account.", field: "existing",
        remedy: "Name two accounts.")
    }
    let lines = PolicyLogLines()
    let policy = try LuaMergePolicy(source, log: lines.add)
    let conflict = try conflict(current, existing, options, of: policy)
    if let reason = conflict.obstacle(to: policy) {
      return [["answer": "not asked", "reason": .string(reason)]]
    }
    let answer = try policy.decide(conflict)
    var (described, plan) = (LuaTable(), LuaValue.nil)
    switch answer {
    case .merge(let into, let from, let rules):
      described["answer"] = "merge"
      described["into"] = into == current.id ? "current" : "existing"
      plan = .object(
        LuaObject(
          type: "plan",
          value: try session.wait { graph, scope in
            try await graph.planMerge(keep: into, absorb: from, rules: rules, in: scope)
          }))
    case .refuse(let refusal):
      described["answer"] = "refuse"
      described["reason"] = .string(refusal.reason)
      described["code"] = .optional(refusal.code)
      described["at"] = .optional(refusal.place)
    case .require(let requirement):
      described["answer"] = "require"
      described["requirement"] = .string(requirement.name)
    case .review(let reason):
      described["answer"] = "review"
      described["reason"] = .string(reason)
    }
    let log = lines.all
    if !log.isEmpty { described["log"] = .strings(log) }
    return [.table(described)] + (plan.isNil ? [] : [plan])
  }

  private func askedSource(_ call: LuaCall) throws -> PolicySource {
    guard call.isNil(1) else { return try source(call) }
    guard let used = try session.wait({ try await $0.settings(of: $1) }).mergePolicy else {
      throw AuthError(
        .invalidPolicy, "No policy is in use.", field: "file",
        remedy: "Name a file: policy.ask(\"keep-oldest.lua\", current, existing).")
    }
    return used
  }

  private func conflict(
    _ current: Account, _ existing: Account, _ options: LuaTable, of policy: LuaMergePolicy
  ) throws -> MergeConflict {
    let code =
      try options.text("code").map { AuthError.Code($0) }
      ?? (policy.triggers.contains(.credentialAlreadyInUse)
        ? .credentialAlreadyInUse : .emailAlreadyInUse)
    do {
      var conflict = MergeConflict(
        code: code, current: current, existing: existing,
        provider: ProviderID(try options.text("provider") ?? "google.com"),
        proof: try MergeConflict.proof(options["proof"]),
        decidedAt: try MergeConflict.time(options["now"]) ?? .now())
      try conflict.readFacts(options)
      let (a, b) = (current.id, existing.id)
      conflict.history = try session.wait { graph, scope in
        try await graph.history(ofConflict: a, with: b, in: scope)
      }
      return conflict
    } catch let error as AuthError {
      throw error
    } catch {
      throw AuthError(
        .invalidArgument, "\(error).", field: "options",
        remedy: "Write it as in an example of a policy.")
    }
  }
}

/// The lines that a policy logs while it is asked.
private final class PolicyLogLines: Sendable {
  private let lines = NIOLockedValueBox<[String]>([])

  @Sendable func add(_ record: ScriptLogRecord) {
    lines.withLockedValue { $0.append(record.description) }
  }

  var all: [String] { lines.withLockedValue { $0 } }
}

extension MergeConflict {
  /// The reason why a link would not ask a policy; nil if it would.
  fileprivate func obstacle(to policy: LuaMergePolicy) -> String? {
    if !policy.triggers.contains(code) { return "the policy does not answer \(code)" }
    if !proof.both, !policy.answersUnproven { return "an account was not shown" }
    guard operation != .plan else { return nil }
    if operation == .link, !existing.secondFactors.isEmpty {
      return "the other account has a second factor"
    }
    return current.disabled || existing.disabled ? "one of the accounts is disabled" : nil
  }
}
