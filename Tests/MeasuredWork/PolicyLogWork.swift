public import AuthCore
import LuaPlugins

/// A log of decisions, and the policy that decides them again.
public enum PolicyLogWork {
  /// The number of decisions that are written in one transaction.
  private static let together = 1000

  /// Turns the log off, or on with its usual lifetime.
  public static func keepDecisions(_ isOn: Bool, in store: any AccountStore) async throws {
    try await store.write { writer in
      var settings = try writer.settings(of: Workload.scope)
      settings.decisionRetentionDays = isOn ? ProjectSettings().decisionRetentionDays : 0
      try writer.save(settings, for: Workload.scope)
    }
  }

  /// Writes decisions about different people, every second of them a refusal.
  public static func fill(_ store: any AccountStore, with count: Int) async throws {
    for start in stride(from: 0, to: count, by: together) {
      let decisions = try (start..<min(count, start + together)).map(decision)
      try await store.write { writer in
        try writer.apply(decisions.map(StoreWrite.saveDecision), in: Workload.scope)
      }
    }
  }

  private static func decision(_ number: Int) throws -> PolicyDecision {
    let (current, existing) = (Person(UInt32(2 * number)), Person(UInt32(2 * number + 1)))
    let isMerge = number % 2 == 0
    let conflict = MergeConflict(
      code: .credentialAlreadyInUse, current: try current.account, existing: try existing.account,
      provider: Workload.linked, proof: MergeProof(current: true, existing: true),
      decidedAt: Workload.time)
    let answer: MergeAnswer =
      isMerge
      ? .merge(into: current.id, from: existing.id, MergeRules())
      : .refuse("needs proof of both accounts")
    let judged = JudgedConflict(
      conflict, [PolicyJudgement(policy: "bench", ruling: .answer(answer))])
    let digits = String(number)
    return PolicyDecision(
      masking: judged, id: String(repeating: "0", count: 16 - digits.count) + digits,
      scope: Workload.scope, at: Workload.time)
  }

  /// Decides the whole log again, and returns the number of decisions.
  public static func replay(_ store: any AccountStore) async throws -> Int {
    let policy = try LuaMergePolicy(PolicyWork.source)
    let graph = AccountGraph(
      store: store, providers: ProviderRegistry([]), policies: LuaPolicyCompiler())
    return try await graph.replay(policy, in: Workload.scope).count
  }
}
