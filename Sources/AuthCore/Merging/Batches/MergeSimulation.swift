/// The accounts of a list of merges as its earlier merges would leave them.
public struct MergeSimulation: Sendable {
  private var results: [AccountID: Account] = [:]
  private var absorbed: Set<AccountID> = []

  /// Makes a simulation without merges.
  public init() {}

  mutating func add(_ plan: MergePlan) {
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
