/// What became of one imported account.
public enum ImportOutcome: Sendable, Hashable {
  case imported
  /// The store has exactly this account already.
  case unchanged
  /// Imported; other accounts have the same unverified address.
  case sharesEmail([AccountID])
  case refused(AuthError)
}

extension AccountGraph {
  /// Imports accounts in one transaction; the refused ones are left out and reported, the rest stays.
  ///
  /// Several accounts may have one address, as Firebase's import allows. A second owner of an identity, of a phone
  /// number or of a verified address is refused with `credential-already-in-use`, `phone-number-already-exists` or
  /// `email-already-in-use`, a uid that is taken by something else with `uid-already-exists`, and what else no account
  /// may be as by ``importRecords(_:overwriting:refusingSharedEmails:by:)``. `checkpoint` is kept with the accounts, so
  /// that an interrupted import knows where it was, unless one of them was refused. A dry run writes, for earlier
  /// records count for later ones, and takes everything back.
  ///
  /// Throws `operation-not-allowed` for a caller who is not an admin, and `too-much-contention`, with nothing imported,
  /// where others kept changing what the records need, or where one record has an identity twice.
  public func importAccounts(
    _ records: [ImportedAccount], checkpoint: (name: String, value: String?)? = nil,
    by caller: Caller
  ) async throws -> [ImportOutcome] {
    try await importAccounts(ImportBatch(records), checkpoint: checkpoint, by: caller)
  }

  /// Imports the accounts of a batch as ``importAccounts(_:checkpoint:by:)-([ImportedAccount],_,_)`` does; whoever reads
  /// many of them can make the next batch meanwhile.
  public func importAccounts(
    _ batch: ImportBatch, checkpoint: (name: String, value: String?)? = nil, by caller: Caller
  ) async throws -> [ImportOutcome] {
    guard caller.isAdmin else { throw AuthError.notAllowed("Only an admin may import.") }
    try caller.checkReason()
    let now = clock()
    let place = ImportPlace(checkpoint)
    // Most often nobody is in the way of any of them, and then who it is need not be found out one by one.
    if !caller.dryRun, batch.isPlain,
      let outcomes = try await unlessInTheWay(
        caller, place, { try importUnknown(batch, $0, caller, now) })
    {
      return outcomes
    }
    // Where several servers import, one may take a key that another has just looked for.
    for _ in 0..<Self.importAttempts {
      let outcomes = try await unlessInTheWay(
        caller, place, { try importAll(batch.records, $0, caller, now) })
      if let outcomes { return outcomes }
    }
    throw AuthError(
      .tooMuchContention,
      "The records do not fit together, or others change meanwhile what they need.",
      remedy: "Import them again, and look for an identity that one record has twice.",
      step: .commit)
  }

  private static let importAttempts = 5

  /// Commits an import, or takes a rehearsed one back; nil where something was in the way of it.
  private func unlessInTheWay(
    _ caller: Caller, _ place: ImportPlace?,
    _ importAll: @escaping @Sendable (any AccountWriter) throws -> [ImportOutcome]
  ) async throws -> [ImportOutcome]? {
    do {
      return try await store.write { writer in
        // A rehearsal says what an import would do, which opens its tenant first.
        if !caller.dryRun { try writer.requireTenant(caller.scope) }
        writer.expectNoConflict()
        let outcomes = try importAll(writer)
        guard !caller.dryRun else {
          // A store that is far away is asked for something, and so tells first whether anything was in the way.
          _ = try writer.checkpoint("", in: caller.scope)
          throw Rehearsal(outcomes: outcomes)
        }
        try place?.save(after: outcomes, to: writer, in: caller.scope)
        return outcomes
      }
    } catch let rehearsal as Rehearsal {
      return rehearsal.outcomes
    } catch is UniqueKeyConflict {
      return nil
    }
  }

  /// Imports whole records in one transaction, as Firebase's `batchCreate` does.
  ///
  /// The refused ones are left out and reported, the rest stays; earlier records count for later ones. An
  /// existing uid is replaced as a whole where `overwriting` says so. Sessions of before are over, so `validSince`
  /// of a record becomes the time of the import. `refusingSharedEmails` refuses an address that another
  /// account has, also an unverified one. Refusals, in this order: `invalid-uid`, `tenant-mismatch`,
  /// `uid-already-exists`, `credential-already-in-use`, `phone-number-already-exists`,
  /// `email-already-in-use`, `unverified-email` for a second factor without a verified address,
  /// `second-factor-already-in-use`. Throws `operation-not-allowed` for a caller who is not an admin,
  /// `invalid-argument` for more than ``maximumBatch`` records, and `CancellationError` with nothing imported.
  public func importRecords(
    _ records: [ImportedAccount], overwriting: Bool, refusingSharedEmails: Bool = false,
    by caller: Caller
  ) async throws -> [ImportOutcome] {
    guard caller.isAdmin else { throw AuthError.notAllowed("Only an admin may import.") }
    try caller.checkReason()
    try Self.checkBatch(records.count)
    return try await Cancellation.told { cancellation in
      try await importRecords(
        records, overwriting: overwriting, refusingSharedEmails: refusingSharedEmails, by: caller,
        unless: cancellation)
    }
  }

  private func importRecords(
    _ records: [ImportedAccount], overwriting: Bool, refusingSharedEmails: Bool,
    by caller: Caller, unless cancellation: Cancellation
  ) async throws -> [ImportOutcome] {
    let now = clock()
    let importAll: @Sendable (any AccountWriter) throws -> [ImportOutcome] = { writer in
      try writer.requireTenant(caller.scope)
      return try records.map { record in
        try cancellation.check()
        let rules = RecordRules(
          record: record.account, known: overwriting ? .replaces : .refused,
          refusesSharedEmails: refusingSharedEmails)
        return try importRecord(rules, at: record.line, writer, caller, now)
      }
    }
    guard caller.dryRun else { return try await store.write(importAll) }
    do {
      return try await store.write { throw Rehearsal(outcomes: try importAll($0)) }
    } catch let rehearsal as Rehearsal {
      return rehearsal.outcomes
    }
  }

  /// How many accounts one request may import or delete; Firebase's number.
  public static let maximumBatch = 1000

  static func checkBatch(_ count: Int) throws(AuthError) {
    guard count <= maximumBatch else {
      throw AuthError(
        .invalidArgument, "At most \(maximumBatch) accounts go together, and here are \(count).",
        remedy: "Send them in parts.", step: .decision)
    }
  }

  private func importRecord(
    _ rules: RecordRules, at index: Int, _ writer: any AccountWriter, _ caller: Caller,
    _ now: Timestamp
  ) throws -> ImportOutcome {
    let snapshot = try writer.snapshot(rules.keys, in: caller.scope)
    let outcome = rules.outcome(snapshot)
    if case .refused = outcome { return outcome }
    var account = rules.record
    var changes = ChangeSet()
    let old = snapshot.accounts[account.id]
    let event = newEventID(at: now)
    // A record that replaces another one is of the same owner.
    account.ownership = old.map(\.ownership) ?? Ownership(begunBy: event)
    if let old {
      (account.generation, account.validSince) = (old.generation, old.validSince)
      account.cutSessions(at: now)
      changes.update(old, to: account.endingVisibly(old, at: now))
    } else {
      account.validSince = now
      changes.inserted = [account]
    }
    do {
      try changes.apply(to: writer, in: caller.scope, at: now)
    } catch let conflict as UniqueKeyConflict {
      return .refused(
        AuthError(
          .tooMuchContention, "The record does not fit what the store holds (\(conflict.key)).",
          remedy: "Keep each identity and each verified address in one record.", step: .commit))
    }
    try writer.append(
      AuditEvent(
        id: event, by: caller, at: now, action: .importAccount, accountID: account.id,
        details: ["line": .integer(Int64(index)), "replaced": .bool(old != nil)]))
    return outcome
  }

  /// The progress that an interrupted import left.
  public func checkpoint(_ name: String, in scope: Scope) async throws -> String? {
    try await store.read { try $0.checkpoint(name, in: scope) }
  }

  private struct Rehearsal: Error {
    let outcomes: [ImportOutcome]
  }

  /// How many records a store is asked about, and given, at once.
  private static let importedTogether = 50

  private func importAll(
    _ batch: [ImportedAccount], _ writer: any AccountWriter, _ caller: Caller, _ now: Timestamp
  ) throws -> [ImportOutcome] {
    var outcomes: [ImportOutcome] = []
    outcomes.reserveCapacity(batch.count)
    for start in stride(from: 0, to: batch.count, by: Self.importedTogether) {
      let end = min(start + Self.importedTogether, batch.count)
      outcomes += try importSome(batch[start..<end], writer, caller, now)
    }
    return outcomes
  }

  /// Imports records that nobody is in the way of, which most are: without a look at what the store holds.
  private func importUnknown(
    _ batch: ImportBatch, _ writer: any AccountWriter, _ caller: Caller, _ now: Timestamp
  ) throws -> [ImportOutcome] {
    // Uids and identities have one owner anyway.
    try writer.requireUnmerged(batch.ids, in: caller.scope)
    try writer.requireUnknown(batch.contacts, in: caller.scope)
    try insert(batch.records, batch.accounts, writer, caller, now)
    return Array(repeating: .imported, count: batch.records.count)
  }

  private func importSome(
    _ records: ArraySlice<ImportedAccount>, _ writer: any AccountWriter, _ caller: Caller,
    _ now: Timestamp
  ) throws -> [ImportOutcome] {
    try writer.expectNew(records.flatMap(\.keys), in: caller.scope)
    let snapshots = try records.map { try writer.snapshot($0.keys, in: caller.scope) }
    var accepted = AcceptedRecords()
    let outcomes = try zip(records, snapshots).map { record, snapshot in
      var snapshot = snapshot
      if accepted.meet(record) {
        // It sees what a record before it brings.
        try insert(accepted.take(), writer, caller, now)
        snapshot = try writer.snapshot(record.keys, in: caller.scope)
      }
      let outcome = RecordRules(
        record: record.account,
        known: .repeats(isCreationTimeKnown: record.isCreationTimeKnown)
      ).outcome(snapshot)
      switch outcome {
      case .unchanged, .refused: break
      case .imported, .sharesEmail: accepted.add(record)
      }
      return outcome
    }
    try insert(accepted.take(), writer, caller, now)
    return outcomes
  }

  private func insert(
    _ records: [ImportedAccount], _ writer: any AccountWriter, _ caller: Caller, _ now: Timestamp
  ) throws {
    try insert(records, records.map(\.account), writer, caller, now)
  }

  /// Adds the accounts of records, and what the audit says of each.
  private func insert(
    _ records: [ImportedAccount], _ accounts: [Account], _ writer: any AccountWriter,
    _ caller: Caller, _ now: Timestamp
  ) throws {
    guard !records.isEmpty else { return }
    // One mark for all of them: it has to differ from those that their uids had before.
    let ownership = Ownership(begunBy: newEventID(at: now))
    let trace = Trace(rightOf: caller)
    try writer.insert(accounts.map { $0.owned(since: ownership) })
    try writer.appendEvents(for: records) { record in
      AuditEvent(
        id: newEventID(at: now), by: caller, at: now, action: .importAccount,
        accountID: record.account.id, details: ["line": .integer(Int64(record.line))],
        trace: trace)
    }
  }
}

/// The place that an import has reached, under the import's name.
private struct ImportPlace {
  let name: String
  let value: String?

  init?(_ checkpoint: (name: String, value: String?)?) {
    guard let checkpoint else { return nil }
    (name, value) = checkpoint
  }

  /// Keeps it with the accounts, unless one of them was refused; one that ends the import is removed anyway.
  func save(
    after outcomes: [ImportOutcome], to writer: any AccountWriter, in scope: Scope
  ) throws {
    let isClean = !outcomes.contains { if case .refused = $0 { true } else { false } }
    if isClean || value == nil { try writer.saveCheckpoint(name, value, in: scope) }
  }
}
