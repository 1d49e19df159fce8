extension AccountGraph {
  /// Makes the ID of a new batch of merges.
  public func newMergeBatchID() -> String { newEventID(at: clock()) }

  /// Returns a batch, and its merges in the order of their commits; throws `event-not-found`.
  public func mergeBatch(
    _ id: String, in scope: Scope
  ) async throws -> (batch: MergeBatch, entries: [MergeBatch.Entry]) {
    try MergeBatch.check(id)
    return try await store.read { reader in
      guard let batch = try reader.mergeBatch(id, in: scope) else {
        throw AuthError.noMergeBatch(id)
      }
      return (batch, try reader.entries(of: batch, in: scope))
    }
  }

  /// Returns the merges that a batch has made, in the order of their commits; none if it has not begun.
  public func mergeBatchEntries(
    of id: String, in scope: Scope
  ) async throws -> [MergeBatch.Entry] {
    try MergeBatch.check(id)
    return try await store.read { reader in
      try reader.mergeBatch(id, in: scope).map { try reader.entries(of: $0, in: scope) } ?? []
    }
  }

  /// Returns the newest batches, newest first.
  public func mergeBatches(limit: Int, in scope: Scope) async throws -> [MergeBatch] {
    try await store.read { reader in
      try reader.mergeBatchIDs(in: scope).suffix(max(0, limit)).reversed()
        .compactMap { try reader.mergeBatch($0, in: scope) }
    }
  }

  /// Returns the pairs that a batch has still to merge.
  public func mergePairs(of batch: MergeBatch, in scope: Scope) async throws -> [MergePair] {
    try await store.read { try $0.pairs(of: batch, in: scope) }
  }

  /// Returns the journal entries with these IDs, in this order, without those that the journal keeps no more.
  public func merges(_ ids: [String], in scope: Scope) async throws -> [MergeRecord] {
    try await store.read { reader in try ids.compactMap { try reader.merge($0, in: scope) } }
  }

  /// Stores the pairs that a batch has to merge from now on, in place of those that it had.
  ///
  /// Throws `operation-not-allowed` unless the caller is an admin. Nothing is merged yet.
  @discardableResult
  public func plan(
    _ pairs: [MergePair], forBatch id: String, by caller: Caller
  ) async throws -> MergeBatch {
    guard caller.isAdmin else { throw AuthError.onlyAdmins("merge accounts") }
    try caller.cannotRehearse("Beginning a batch")
    try caller.checkReason()
    try MergeBatch.check(id)
    // Another console may commit merges of the batch meanwhile.
    for _ in 0..<Self.planningAttempts {
      do {
        return try await keep(pairs, forBatch: id, by: caller)
      } catch is UniqueKeyConflict {
        continue
      }
    }
    throw AuthError(
      .tooMuchContention, "Other writers kept changing the batch.", remedy: "Try again.",
      step: .commit)
  }

  private static let planningAttempts = 5

  private func keep(
    _ pairs: [MergePair], forBatch id: String, by caller: Caller
  ) async throws -> MergeBatch {
    let (scope, now) = (caller.scope, clock())
    return try await store.write { writer in
      try writer.requireTenant(scope)
      let known = try writer.mergeBatch(id, in: scope)
      var batch =
        known
        ?? MergeBatch(id: id, begunAt: now, actor: caller.actor, reason: caller.reason)
      let pages = stride(from: 0, to: pairs.count, by: MergeBatch.page).map {
        pairs[$0..<min($0 + MergeBatch.page, pairs.count)]
      }
      for (number, page) in pages.enumerated() {
        let text = try JSONText.encode(Array(page))
        try writer.saveCheckpoint(MergeBatch.plan(id, number), text, in: scope)
      }
      for number in pages.count..<max(pages.count, MergeBatch.pages(batch.planned)) {
        try writer.saveCheckpoint(MergeBatch.plan(id, number), nil, in: scope)
      }
      batch.planned = pairs.count
      try writer.saveCheckpoint(
        MergeBatch.checkpoint(id), try JSONText.encode(batch), in: scope)
      if known == nil { try writer.apply([try writer.listing(id, in: scope)], in: scope) }
      return batch
    }
  }

  /// Commits a proposal as a part of a batch, in one transaction with its journal entry and the batch's list.
  ///
  /// The merge is planned again on the accounts as they are. Each has to be as it was when the proposal was made, apart
  /// from sign-ins, or as an earlier merge of the batch left it.
  ///
  /// - Parameters:
  ///   - proposal: the pair and its rules; its decision is the caller's affair.
  ///   - id: the ID of the batch, whose pairs are stored.
  ///   - entries: the last merge of the batch into each account, if there is one.
  ///   - caller: an admin.
  /// - Returns: the receipt, and the batch's new entry.
  /// - Throws: like ``commit(_:by:)-(MergePlan,_)``.
  public func commit(
    _ proposal: MergeProposal, ofBatch id: String, after entries: [AccountID: MergeBatch.Entry],
    by caller: Caller
  ) async throws -> (receipt: Receipt, entry: MergeBatch.Entry) {
    try MergeBatch.check(id)
    guard let plan = proposal.plan else {
      throw AuthError.mergeRefused(
        "The pair cannot be merged: \(proposal.reason).", "Leave it out.")
    }
    let pair = proposal.pair
    var states: [AccountID: Set<AccountState>] = [:]
    for (id, state) in [(pair.keep, pair.keepState), (pair.absorb, pair.absorbState)] {
      states[id] = Set([state, entries[id]?.keepState].compactMap(\.self))
    }
    let (receipt, verdict) = try await commit(
      plan, in: MergeBatchPlace(id: id, states: states), by: caller)
    let state = verdict.changes.survivorState ?? AccountState(plan.result)
    return (
      receipt,
      MergeBatch.Entry(id: receipt.id, keep: pair.keep, absorb: pair.absorb, keepState: state)
    )
  }

  /// Plans pairs of a file or a batch on the accounts as they are; nothing is written.
  ///
  /// A pair whose accounts are gone is left out. If one changed after the pair was planned, apart from earlier merges of
  /// the batch, the proposal says so, or with `replanning` it is judged anew.
  ///
  /// - Parameters:
  ///   - pairs: the pairs in order, each with its decision and reason.
  ///   - simulation: the effect of the earlier pairs of the list, to which these are added.
  ///   - entries: the merges of the batch, by the absorbed account, and the last one by each survivor.
  ///   - replanning: true to judge pairs with changed accounts anew.
  ///   - scope: the project or tenant.
  /// - Returns: the proposals in the order of the pairs, and the effect of all pairs so far.
  /// - Throws: the error of a store that cannot be read.
  public func propose(
    _ pairs: [(pair: MergePair, decision: MergeProposal.Decision, reason: String)],
    after simulation: MergeSimulation, entries: MergeBatchEntries, replanning: Bool,
    in scope: Scope
  ) async throws -> (proposals: [MergeProposal], simulation: MergeSimulation) {
    let now = clock()
    return try await store.read { reader in
      var simulation = simulation
      let proposals = try pairs.map { pair, decision, reason in
        let work = PairPlanning(
          pair: pair, decision: decision, reason: reason, entries: entries, replanning: replanning)
        return try work.proposal(on: reader, &simulation, in: scope, at: now)
      }
      return (proposals, simulation)
    }
  }
}

/// The merges of a batch, found by account.
public struct MergeBatchEntries: Sendable {
  /// The merge that absorbed each account.
  public private(set) var byAbsorbed: [AccountID: MergeBatch.Entry] = [:]
  /// The last merge into each account.
  public private(set) var lastByKept: [AccountID: MergeBatch.Entry] = [:]

  /// Makes the list of a batch's merges, in the order of their commits.
  public init(_ entries: [MergeBatch.Entry] = []) {
    for entry in entries { add(entry) }
  }

  /// Returns the last merge into each of some accounts.
  public func last(into accounts: [AccountID]) -> [AccountID: MergeBatch.Entry] {
    var last: [AccountID: MergeBatch.Entry] = [:]
    for id in accounts { last[id] = lastByKept[id] }
    return last
  }

  /// Adds the next merge.
  public mutating func add(_ entry: MergeBatch.Entry) {
    byAbsorbed[entry.absorb] = entry
    lastByKept[entry.keep] = entry
  }
}

/// A pair that was planned before, to be planned again.
private struct PairPlanning {
  let pair: MergePair
  let decision: MergeProposal.Decision
  let reason: String
  let entries: MergeBatchEntries
  let replanning: Bool

  func proposal(
    on reader: any AccountReader, _ simulation: inout MergeSimulation, in scope: Scope,
    at now: Timestamp
  ) throws -> MergeProposal {
    if let done = entries.byAbsorbed[pair.absorb] {
      return MergeProposal(pair, .done, "merge \(done.id)")
    }
    let snapshot = try reader.snapshot(.merging(pair.keep, pair.absorb, in: scope))
    for id in [pair.keep, pair.absorb] {
      if let fate = fate(of: id, snapshot, simulation) { return left(fate, on: snapshot) }
    }
    let changed = changes(snapshot)
    var present = pair
    present.state(from: snapshot)
    let judged = MergeProposal(planning: present, on: simulation.applied(to: snapshot), at: now)
    let proposal = settled(judged, changed)
    if proposal.decision == .merge, let plan = proposal.plan { simulation.add(plan, at: now) }
    return proposal
  }

  private func settled(_ judged: MergeProposal, _ changed: String?) -> MergeProposal {
    guard let changed else {
      // An admin's decision in a file goes before the judgement, but nothing makes a refused merge possible.
      if judged.decision == .leave { return judged }
      let isOpen = decision == .changed || decision == .done
      return judged.decided(
        isOpen ? judged.decision : decision,
        isOpen || (reason.isEmpty && decision == .merge) ? judged.reason : reason)
    }
    guard decision == .merge || decision == .changed || decision == .done else {
      return judged.decided(decision, reason)
    }
    return replanning
      ? judged.decided(judged.decision, "\(changed); planned anew: \(judged.reason)")
      : judged.decided(.changed, changed)
  }

  /// The reason why an account cannot be merged; nil if it exists.
  private func fate(
    of id: AccountID, _ snapshot: Snapshot, _ simulation: MergeSimulation
  ) -> String? {
    if simulation.hasAbsorbed(id) { return "an earlier pair absorbs \(id)" }
    guard let survivor = snapshot.found[.uid(id)]?.first else { return "\(id) does not exist" }
    return survivor == id ? nil : "\(id) was merged into \(survivor)"
  }

  private func left(_ reason: String, on snapshot: Snapshot) -> MergeProposal {
    MergeProposal(
      pair, .leave, reason, survivor: snapshot.accounts[pair.keep],
      absorbed: snapshot.accounts[pair.absorb])
  }

  /// The accounts that changed after the pair was planned; nil if none did.
  private func changes(_ snapshot: Snapshot) -> String? {
    let planned = [(pair.keep, pair.keepState), (pair.absorb, pair.absorbState)]
    let changed = planned.filter { id, state in
      guard let state, let account = snapshot.accounts[id] else { return false }
      let now = AccountState(account)
      return now != state && now != entries.lastByKept[id]?.keepState
    }
    guard !changed.isEmpty else { return nil }
    return changed.map(\.0.rawValue).joined(separator: " and ") + " changed since"
  }
}

extension MergeProposal {
  fileprivate func decided(_ decision: Decision, _ reason: String) -> MergeProposal {
    MergeProposal(
      pair, decision, reason, key: key, survivor: survivor, absorbed: absorbed, plan: plan)
  }
}
