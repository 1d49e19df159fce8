/// The outcome of one imported account.
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
  /// Throws `operation-not-allowed` for a caller who is not an admin, and `too-much-contention`, with nothing imported, if
  /// others kept changing what the records need.
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
    let place = ImportPlace(checkpoint)
    // Most often nobody is in the way of any of them, and then who it is need not be found out one by one.
    if !caller.dryRun, batch.isPlain {
      do {
        return try await importing(by: caller) { try $0.addUnknown(batch, place) }
      } catch is UniqueKeyConflict {
        // It is found out below.
      }
    }
    return try await importingPatiently(by: caller) { transaction in
      let outcomes = try transaction.add(batch.records)
      try place?.save(after: outcomes, to: transaction.writer, in: caller.scope)
      return outcomes
    }
  }

  private static let importAttempts = 5

  /// Commits an import, again if others took meanwhile what a record needs, or takes a rehearsed one back.
  private func importingPatiently(
    by caller: Caller, _ body: @escaping @Sendable (ImportTransaction) throws -> [ImportOutcome]
  ) async throws -> [ImportOutcome] {
    // If several servers import, one may take a key that another has just looked for.
    for _ in 0..<Self.importAttempts {
      do {
        return try await importing(by: caller, body)
      } catch is UniqueKeyConflict {
        continue
      }
    }
    throw AuthError(
      .tooMuchContention, "Others changed each time what the records need.",
      remedy: "Import them again.", step: .commit)
  }

  private func importing(
    by caller: Caller, _ body: @escaping @Sendable (ImportTransaction) throws -> [ImportOutcome]
  ) async throws -> [ImportOutcome] {
    let now = clock()
    return try await store.transact(.change) { writer in
      let outcomes = try body(
        ImportTransaction(graph: self, writer: writer, caller: caller, now: now))
      return caller.dryRun ? .takeBack(outcomes) : .commit(outcomes)
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
    try await importingPatiently(by: caller) { transaction in
      try transaction.writer.requireTenant(caller.scope)
      return try records.map { record in
        try cancellation.check()
        let rules = RecordRules(
          record: record.account, known: overwriting ? .replaces : .refused,
          refusesSharedEmails: refusingSharedEmails)
        return try transaction.write(rules, at: record.line)
      }
    }
  }

  /// The most accounts that one request may import or delete; Firebase's number.
  public static let maximumBatch = 1000

  static func checkBatch(_ count: Int) throws(AuthError) {
    guard count <= maximumBatch else {
      throw AuthError(
        .invalidArgument, "At most \(maximumBatch) accounts go together, and here are \(count).",
        remedy: "Send them in parts.", step: .decision)
    }
  }

  /// The progress that an interrupted import left.
  public func checkpoint(_ name: String, in scope: Scope) async throws -> String? {
    try await store.read { try $0.checkpoint(name, in: scope) }
  }
}

/// The place that an import has reached, under the import's name.
struct ImportPlace {
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
