/// The progress of finishing or rolling back a rekey.
public struct RekeyEnding: Sendable, Hashable {
  /// The receipt of the latest batch; nil if it changed nothing.
  public let receipt: Receipt?
  /// The number of identities that were restored, or that lost their old keys.
  public let changed: Int
  /// True if the rekey has ended.
  public let isOver: Bool
  /// The account after which the next batch begins; nil for the first account.
  let after: AccountID?
  /// The number of changes in the present pass through the accounts.
  let changedInPass: Int
}

extension AccountGraph {
  /// Rolls a rekey back, one page of accounts at a time: the new keys are removed and the old identities restored.
  ///
  /// Call it until ``RekeyEnding/isOver``, each time with the previous ending. It passes through the accounts until it
  /// finds nothing more to restore. Identities that were linked in between stay. Throws `operation-not-allowed` unless
  /// the caller is an admin, or if the rekey was finished; or `event-not-found`.
  public func rollBack(
    _ rekey: Rekey, behind last: RekeyEnding? = nil, limit: Int, by caller: Caller
  ) async throws -> RekeyEnding {
    try await end(rekey, as: .rollBack, behind: last, limit, caller)
  }

  /// Finishes a rekey, one page of accounts at a time: the old keys are removed, and belong to no account afterwards.
  ///
  /// Call it like ``rollBack(_:behind:limit:by:)``. A sign-in with an old key is then that of a stranger, so finishing
  /// within the window has to be forced. Throws `operation-not-allowed` unless the caller is an admin, if the rekey was
  /// rolled back, or within the window; or `event-not-found`.
  public func finish(
    _ rekey: Rekey, behind last: RekeyEnding? = nil, limit: Int, force: Bool = false,
    by caller: Caller
  ) async throws -> RekeyEnding {
    try await end(rekey, as: .finish(force: force), behind: last, limit, caller)
  }

  private func end(
    _ rekey: Rekey, as end: RekeyEnd, behind last: RekeyEnding?, _ limit: Int, _ caller: Caller
  ) async throws -> RekeyEnding {
    var filter = AccountFilter()
    filter.providerID = rekey.from.provider
    let page = try await accounts(
      matching: filter, after: last?.after, limit: limit, in: caller.scope)
    let ids = page.filter { $0.identities.contains { $0.wasReplaced(by: rekey.id) } }.map(\.id)
    let isEndOfPass = page.count < limit
    let inPass = last?.changedInPass ?? 0
    // The first batch records that the rekey ends, so that no other process continues it. A merge may have moved
    // identities before the present place, so the last pass is one without changes.
    let mayBeOver = isEndOfPass && (inPass == 0 || caller.dryRun)
    guard last == nil || mayBeOver || !ids.isEmpty else {
      return RekeyEnding(
        receipt: nil, changed: last?.changed ?? 0, isOver: false,
        after: isEndOfPass ? nil : page.last?.id, changedInPass: isEndOfPass ? 0 : inPass)
    }
    let (receipt, verdict) = try await perform(
      caller, load: SnapshotQuery(ids.map(AccountKey.uid), in: caller.scope),
      decide: { snapshot, moment in
        var verdict = Verdict(action: end.action)
        verdict.details = rekey.details
        do {
          var record = try end.record(
            rekey.id, among: snapshot.settings.rekeys, caller, at: moment.now)
          let changed = verdict.apply(end, of: record, to: ids, on: snapshot)
          if mayBeOver && (changed == 0 || caller.dryRun) {
            record.state = end.lastState
            verdict.changes.checkpoint = ChangeSet.Checkpoint(name: record.checkpoint, value: nil)
          }
          verdict.keep(record, in: snapshot.settings)
        } catch let error as AuthError {
          verdict.error = error
        }
        return verdict
      })
    let changed = verdict.rekeyed?.rekeyed ?? 0
    return RekeyEnding(
      receipt: receipt, changed: (last?.changed ?? 0) + changed,
      isOver: mayBeOver && (changed == 0 || caller.dryRun),
      after: isEndOfPass ? nil : page.last?.id, changedInPass: isEndOfPass ? 0 : inPass + changed)
  }
}

/// The two ways to end a rekey.
private enum RekeyEnd: Sendable {
  case rollBack
  case finish(force: Bool)

  var action: Action {
    switch self {
    case .rollBack: .rollBackRekey
    case .finish: .finishRekey
    }
  }

  var lastState: Rekey.State {
    switch self {
    case .rollBack: .rolledBack
    case .finish: .finished
    }
  }

  /// Returns the record of a rekey in its ending state, if it may end this way.
  func record(
    _ id: String, among records: [String: Rekey], _ caller: Caller, at now: Timestamp
  ) throws(AuthError) -> Rekey {
    guard caller.isAdmin else { throw .onlyAdmins("end a rekey") }
    guard var record = records[id] else {
      throw AuthError(
        .eventNotFound, "There is no rekey \"\(id)\".", field: "id",
        remedy: "Nothing of it was committed; look at providers[…].rekeys().", step: .decision)
    }
    switch (self, record.state) {
    case (.rollBack, .open), (.rollBack, .rollingBack):
      if let later = records.values.first(where: { $0.stands(on: record) }) {
        throw AuthError(
          .operationNotAllowed, "The rekey \(later.id) continues this one.",
          remedy: "Finish that one first, or roll it back.", step: .decision)
      }
      record.state = .rollingBack
    case (.finish(let force), .open):
      guard force || (record.until ?? now) <= now else {
        throw AuthError(
          .operationNotAllowed,
          "The old subjects sign in until \(record.until?.text ?? "now").",
          field: "force", remedy: "Wait until then, or force it with { force = true }.",
          step: .decision)
      }
      record.state = .finishing
    case (.finish, .finishing): break
    default: throw .rekeyEnds(record)
    }
    return record
  }
}

extension Rekey {
  /// True if the rekey replaces keys that another one introduced.
  fileprivate func stands(on other: Rekey) -> Bool {
    let (mine, others) = (begunAt?.milliseconds ?? 0, other.begunAt?.milliseconds ?? 0)
    return isOpen && id != other.id && from == other.to && (mine, id) > (others, other.id)
  }
}

extension Verdict {
  /// Makes the changes of one batch, and returns the number of identities.
  fileprivate mutating func apply(
    _ end: RekeyEnd, of record: Rekey, to ids: [AccountID], on snapshot: Snapshot
  ) -> Int {
    var count = 0
    for id in Set(ids.compactMap { snapshot.account($0)?.id }).sorted() {
      guard let old = snapshot.accounts[id] else { continue }
      var new = old
      switch end {
      case .rollBack: count += new.rollBack(record.id)
      case .finish: count += new.finish(record.id)
      }
      changes.update(old, to: new)
    }
    var outcome = RekeyOutcome()
    outcome.rekeyed = count
    rekeyed = outcome
    relatedIDs = changes.updated.map(\.new.id)
    details["identities"] = .integer(Int64(count))
    trace.note("rekey", ["rekey": record.id], "\(count) identities: \(record.state.rawValue)")
    return count
  }
}
