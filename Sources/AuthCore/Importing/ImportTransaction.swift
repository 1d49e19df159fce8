/// An import inside one transaction.
struct ImportTransaction {
  let graph: AccountGraph
  let writer: any AccountWriter
  let caller: Caller
  let now: Timestamp

  private var scope: Scope { caller.scope }

  /// The number of records in one query and one change.
  private static let together = 50

  /// Adds records without looking them up, and throws `UniqueKeyConflict` if one conflicts.
  func addUnknown(_ batch: ImportBatch, _ place: ImportPlace?) throws -> [ImportOutcome] {
    try writer.requireTenant(scope)
    if let uid = try keptUID(among: batch.ids) { throw UniqueKeyConflict(key: "uid \(uid)") }
    // The store itself keeps uids and identities unique.
    try writer.apply(
      [.requireUnmerged(batch.ids), .requireUnknown(batch.contacts)]
        + writes(of: batch.records, as: batch.accounts),
      in: scope)
    let outcomes = Array(repeating: ImportOutcome.imported, count: batch.records.count)
    try place?.save(after: outcomes, to: writer, in: scope)
    return outcomes
  }

  /// Adds the records that the rules accept; earlier ones count for later ones.
  func add(_ records: [ImportedAccount]) throws -> [ImportOutcome] {
    // A dry run reports the result of an import, which creates its tenant first.
    if !caller.dryRun { try writer.requireTenant(scope) }
    let keepsDeletions = try writer.keepsDeletions(in: scope)
    var outcomes: [ImportOutcome] = []
    outcomes.reserveCapacity(records.count)
    for start in stride(from: 0, to: records.count, by: Self.together) {
      outcomes += try addSome(
        records[start..<min(start + Self.together, records.count)], keepsDeletions)
    }
    return outcomes
  }

  /// Returns a uid that a deletion keeps; usually a scope has no deletions, and then none is looked up.
  private func keptUID(among ids: [AccountID]) throws -> AccountID? {
    guard try writer.keepsDeletions(in: scope) else { return nil }
    let settings = try writer.settings(of: scope)
    return try ids.first {
      try writer.deletion(keeping: $0, in: scope).map { !$0.isOver(at: now, settings) } ?? false
    }
  }

  private func addSome(
    _ records: ArraySlice<ImportedAccount>, _ keepsDeletions: Bool
  ) throws -> [ImportOutcome] {
    var query = SnapshotQuery(records.flatMap(\.keys), in: scope)
    if keepsDeletions { query.newUIDs = records.map(\.account.id) }
    let all = try writer.snapshot(query)
    var accepted = AcceptedRecords()
    let outcomes = try records.map { record in
      var snapshot = all.part(record.keys)
      if accepted.meet(record) {
        // The record sees the accounts of earlier ones.
        try insert(accepted.take())
        snapshot = try writer.snapshot(SnapshotQuery(record.keys, in: scope))
        snapshot.deletions = all.deletions
      }
      let outcome = RecordRules(
        record: record.account,
        known: .repeats(isCreationTimeKnown: record.isCreationTimeKnown), now: now
      ).outcome(snapshot)
      switch outcome {
      case .unchanged, .refused: break
      case .imported, .sharesEmail: accepted.add(record)
      }
      return outcome
    }
    try insert(accepted.take())
    return outcomes
  }

  private func insert(_ records: [ImportedAccount]) throws {
    guard !records.isEmpty else { return }
    try writer.apply(writes(of: records, as: records.map(\.account)), in: scope)
  }

  /// Returns the writes for the accounts of records, with an audit event for each.
  private func writes(
    of records: [ImportedAccount], as accounts: [Account]
  ) -> [StoreWrite] {
    // One mark for all accounts; it only has to differ from earlier marks of their uids.
    let ownership = Ownership(begunBy: graph.newEventID(at: now))
    let trace = Trace(rightOf: caller)
    return [
      .insert(accounts.map { $0.owned(since: ownership) }),
      .append(
        records.map { record in
          AuditEvent(
            id: graph.newEventID(at: now), by: caller, at: now, action: .importAccount,
            accountID: record.account.id, details: ["line": .integer(Int64(record.line))],
            trace: trace)
        }),
    ]
  }

  /// Adds a whole record, or replaces the account of its uid, if the rules accept it.
  func write(
    _ rules: RecordRules, at line: Int, besideDeletions: Bool
  ) throws -> ImportOutcome {
    var query = SnapshotQuery(rules.keys, in: scope)
    if besideDeletions { query.newUIDs = [rules.record.id] }
    let snapshot = try writer.snapshot(query)
    let outcome = rules.outcome(snapshot)
    if case .refused = outcome { return outcome }
    var account = rules.record
    var changes = ChangeSet()
    let old = snapshot.accounts[account.id]
    let event = graph.newEventID(at: now)
    // A record that replaces an account keeps its owner.
    account.ownership = old.map(\.ownership) ?? Ownership(begunBy: event)
    if let old {
      (account.generation, account.validSince) = (old.generation, old.validSince)
      account.cutSessions(at: now)
      changes.update(old, to: account.endingVisibly(old, at: now))
    } else {
      account.validSince = now
      changes.inserted = [account]
    }
    try changes.apply(
      to: writer, in: scope, at: now,
      with: [
        AuditEvent(
          id: event, by: caller, at: now, action: .importAccount, accountID: account.id,
          details: ["line": .integer(Int64(line)), "replaced": .bool(old != nil)])
      ])
    return outcome
  }
}
