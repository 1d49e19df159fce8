extension AccountGraph {
  /// Returns a page of accounts to rekey, in order of uid; `limit` counts accounts.
  public func page(
    of rekey: Rekey, after: AccountID?, limit: Int, in scope: Scope
  ) async throws -> (page: RekeyPage, last: AccountID?) {
    var filter = AccountFilter()
    filter.providerID = rekey.from.provider
    let accounts = try await accounts(matching: filter, after: after, limit: limit, in: scope)
    let keys = accounts.flatMap(\.identities)
      .filter { rekey.from.contains($0.key) && !$0.wasReplaced(by: rekey.id) }.map(\.key)
    let page = RekeyPage(
      accounts: accounts.map(\.id), keys: keys, isLast: accounts.count < limit)
    return (page, accounts.last?.id ?? after)
  }

  /// Returns the outcome of a batch; writes nothing.
  ///
  /// `shared` are new keys that old keys of other pages also map to.
  public func preview(
    _ rekey: Rekey, _ page: RekeyPage, map: RekeyMap, shared: Set<IdentityKey> = [],
    in scope: Scope
  ) async throws -> RekeyOutcome {
    let map = try rekey.checked(map)
    return try await store.read { reader in
      let snapshot = try reader.snapshot(SnapshotQuery(page.snapshotKeys(map), in: scope))
      let rules = RekeyRules(rekey: rekey, map: map, shared: shared, snapshot: snapshot)
      // Nothing is written, so the end of the window does not matter.
      let until = rekey.until ?? Timestamp(milliseconds: 0)
      return rules.decide(page.accounts(in: snapshot), until: until).outcome
    }
  }

  /// Gives the identities of a page their new keys, in one transaction with one audit event.
  ///
  /// Identities without a new subject or in conflict stay as they are, and are counted. Rekeyed identities are skipped,
  /// so a batch may be repeated.
  ///
  /// - Parameters:
  ///   - rekey: the planned rekey.
  ///   - page: the accounts.
  ///   - last: the end of the page, from ``page(of:after:limit:in:)``.
  ///   - map: the new key of each old one.
  ///   - shared: new keys that old keys of other pages also map to; their identities are in conflict.
  ///   - progress: the progress of the earlier batches.
  ///   - caller: an admin.
  /// - Returns: the progress, and the receipt; nil if a page before the last one needed no change.
  /// - Throws: `operation-not-allowed` unless the caller is an admin, or once the rekey is ending, `plan-outdated` if
  ///   another one between the same sources was begun, or `invalid-argument` for a map that leads to another source.
  public func commit(
    _ rekey: Rekey, _ page: RekeyPage, last: AccountID?, map: RekeyMap,
    shared: Set<IdentityKey> = [], progress: RekeyProgress, by caller: Caller
  ) async throws -> (receipt: Receipt?, progress: RekeyProgress) {
    let map = try rekey.checked(map)
    var progress = progress
    progress.after = last
    progress.isComplete = page.isLast
    if map.isEmpty && !page.isLast && caller.isAdmin {
      let outcome = try await preview(rekey, page, map: map, in: caller.scope)
      return (nil, progress.adding(outcome))
    }
    let before = progress
    let (receipt, verdict) = try await perform(
      caller, load: SnapshotQuery(page.snapshotKeys(map), in: caller.scope),
      decide: { snapshot, moment in
        var verdict = Verdict(action: .rekey)
        verdict.details = rekey.details
        do {
          let record = try rekey.begun(among: snapshot.settings.rekeys, caller, at: moment.now)
          let rules = RekeyRules(rekey: record, map: map, shared: shared, snapshot: snapshot)
          let (outcome, updates) = rules.decide(
            page.accounts(in: snapshot), until: record.until ?? moment.now)
          verdict.changes.updated = updates
          verdict.changes.checkpoint = ChangeSet.Checkpoint(
            name: record.checkpoint, value: try JSONText.encode(before.adding(outcome)))
          verdict.keep(record, in: snapshot.settings)
          verdict.note(record, outcome)
        } catch let error as AuthError {
          verdict.error = error
        }
        return verdict
      })
    return (receipt, before.adding(verdict.rekeyed ?? RekeyOutcome()))
  }
}

extension Rekey {
  /// Returns the record of a rekey whose batches may continue; the first batch makes it.
  fileprivate func begun(
    among records: [String: Rekey], _ caller: Caller, at now: Timestamp
  ) throws(AuthError) -> Rekey {
    guard caller.isAdmin else { throw .onlyAdmins("rekey") }
    if let record = records[id] {
      guard record.state == .open else { throw .rekeyEnds(record) }
      return record
    }
    if let other = records.values.first(where: { $0.isOpen && $0.from == from && $0.to == to }) {
      throw AuthError(
        .planOutdated,
        "The rekey \(other.id) from \(from) to \(to) was begun after the plan was made.",
        remedy: "Make the plan again; it continues that rekey.", step: .commit)
    }
    var record = self
    record.begunAt = now
    return record
  }

  /// Returns the map if it leads from this rekey's source to its target, and no subject is empty.
  fileprivate func checked(_ map: RekeyMap) throws(AuthError) -> RekeyMap {
    for (old, new) in map where !from.contains(old) || !to.contains(new) || new.subject.isEmpty {
      throw AuthError(
        .invalidArgument,
        new.subject.isEmpty
          ? "The new subject of \(old) is empty." : "\(old) does not become \(new) in this rekey.",
        field: "map", remedy: "Give each old subject a new one, or leave it out.")
    }
    for new in map.values { try new.checkBounds() }
    return map
  }

  /// The details of the rekey's events.
  var details: [String: JSONValue] {
    [
      "rekey": .string(id), "from": .string(from.description), "to": .string(to.description),
    ]
  }
}

extension RekeyPage {
  fileprivate func snapshotKeys(_ map: RekeyMap) -> [AccountKey] {
    accounts.map(AccountKey.uid) + map.values.map(AccountKey.identity)
  }

  /// Returns the present accounts, each once, because one may have been merged into another.
  func accounts(in snapshot: Snapshot) -> [Account] {
    var seen: Set<AccountID> = []
    return accounts.compactMap { snapshot.account($0) }.filter { seen.insert($0.id).inserted }
  }
}

extension RekeyProgress {
  fileprivate func adding(_ outcome: RekeyOutcome) -> RekeyProgress {
    var sum = self
    sum.rekeyed += outcome.rekeyed
    sum.unmapped += outcome.unmapped.count
    sum.conflicts += outcome.conflicts.count
    return sum
  }
}

extension Verdict {
  /// Stores a rekey's record if it is new or changed.
  mutating func keep(_ record: Rekey, in settings: ProjectSettings) {
    guard settings.rekeys[record.id] != record else { return }
    var settings = settings
    settings.rekeys[record.id] = record
    changes.settings = settings
  }

  fileprivate mutating func note(_ rekey: Rekey, _ outcome: RekeyOutcome) {
    rekeyed = outcome
    relatedIDs = changes.updated.map(\.new.id)
    details["identities"] = .array(
      outcome.changes.map { .string($0.description) })
    trace.note(
      "rekey",
      [
        "from": rekey.from.description, "to": rekey.to.description, "until": rekey.until?.text,
        "already": "\(outcome.already)", "without a new subject": "\(outcome.unmapped.count)",
        "in conflict": "\(outcome.conflicts.count)",
      ], "\(outcome.rekeyed) identities get their new key")
  }
}
