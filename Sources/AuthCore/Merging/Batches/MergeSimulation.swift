/// The accounts of a list of merges as its earlier merges would leave them.
public struct MergeSimulation: Sendable {
  private var results: [AccountID: Account] = [:]
  private var absorbed: Set<AccountID> = []
  /// The merges into each account, newest first.
  private var merges: [AccountID: [AbsorbedAccount]] = [:]

  /// Makes a simulation without merges.
  public init() {}

  mutating func add(_ plan: MergePlan, at now: Timestamp) {
    merges[plan.survivor.id, default: []].insert(
      AbsorbedAccount(plan.absorbed.id, at: now), at: 0)
    results[plan.survivor.id] = plan.result
    absorbed.insert(plan.absorbed.id)
  }

  func hasAbsorbed(_ id: AccountID) -> Bool { absorbed.contains(id) }

  /// Returns a snapshot as the merges would leave it.
  func applied(to snapshot: Snapshot) -> Snapshot {
    guard !absorbed.isEmpty else { return snapshot }
    var next = snapshot
    for id in snapshot.accounts.keys {
      next.accounts[id] = absorbed.contains(id) ? nil : results[id] ?? snapshot.accounts[id]
    }
    for (id, merges) in merges {
      let all = merges + (snapshot.absorbed[id] ?? [])
      next.absorbed[id] = Array(all.prefix(ConflictHistory.mostMerges))
    }
    for (key, ids) in snapshot.found {
      guard case .email(let email) = key else {
        next.found[key] = ids.filter { !absorbed.contains($0) }
        continue
      }
      next.found[key] =
        next.accounts.values.filter { email.matches($0.email) }.map(\.id).sorted()
    }
    return next
  }
}
