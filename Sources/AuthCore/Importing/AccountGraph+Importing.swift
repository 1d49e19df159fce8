/// The outcome of one imported account.
public enum ImportOutcome: Sendable, Hashable {
  case imported
  /// The store already has exactly this account.
  case unchanged
  /// The account was imported; other accounts have the same unverified address.
  case sharesEmail([AccountID])
  case refused(AuthError)
}

extension AccountGraph {
  /// Imports accounts in one transaction; refused ones are left out and reported.
  ///
  /// Several accounts may have one unverified address, as in Firebase's import. A second owner of an identity, a phone
  /// number or a verified address is refused with `credential-already-in-use`, `phone-number-already-exists` or
  /// `email-already-in-use`. A uid that is taken is refused with `uid-already-exists`, and an invalid account as by
  /// ``importRecords(_:overwriting:refusingSharedEmails:by:)``.
  ///
  /// `checkpoint` is stored with the accounts, unless one was refused, so that an interrupted import can resume. A dry
  /// run writes, because earlier records count for later ones, and rolls back.
  ///
  /// Throws `operation-not-allowed` unless the caller is an admin, and `too-much-contention`, with nothing imported, if
  /// other writers kept changing what the records need.
  public func importAccounts(
    _ records: [ImportedAccount], checkpoint: (name: String, value: String?)? = nil,
    by caller: Caller
  ) async throws -> [ImportOutcome] {
    try await importAccounts(ImportBatch(records), checkpoint: checkpoint, by: caller)
  }

  /// Imports the accounts of a batch like ``importAccounts(_:checkpoint:by:)-([ImportedAccount],_,_)``.
  ///
  /// The caller can prepare the next batch meanwhile.
  public func importAccounts(
    _ batch: ImportBatch, checkpoint: (name: String, value: String?)? = nil, by caller: Caller
  ) async throws -> [ImportOutcome] {
    guard caller.isAdmin else { throw AuthError.onlyAdmins("import") }
    try caller.checkReason()
    let place = ImportPlace(checkpoint)
    // Usually no record conflicts, and then none has to be looked up.
    if !caller.dryRun, batch.isPlain(in: caller.scope) {
      do {
        return try await importing(by: caller) { try $0.addUnknown(batch, place) }
      } catch is UniqueKeyConflict {
        // The attempt below finds the conflict.
      }
    }
    return try await importingPatiently(by: caller) { transaction in
      let outcomes = try transaction.add(batch.records)
      try place?.save(after: outcomes, to: transaction.writer, in: caller.scope)
      return outcomes
    }
  }

  private static let importAttempts = 5

  /// Commits an import, retrying if other writers took a key meanwhile, or rolls back a dry run.
  private func importingPatiently(
    by caller: Caller, _ body: @escaping @Sendable (ImportTransaction) throws -> [ImportOutcome]
  ) async throws -> [ImportOutcome] {
    // Among several importing servers, one may take a key that another has just looked up.
    for _ in 0..<Self.importAttempts {
      do {
        return try await importing(by: caller, body)
      } catch is UniqueKeyConflict {
        continue
      }
    }
    throw AuthError(
      .tooMuchContention, "Other writers kept changing the accounts of the records.",
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

  /// Imports whole records in one transaction, like Firebase's `batchCreate`.
  ///
  /// Refused records are left out and reported, and earlier records count for later ones. With `overwriting`, a record
  /// replaces the account of its uid. Earlier sessions end, so a record's `validSince` becomes the time of the import.
  /// `refusingSharedEmails` refuses an address that another account has, even an unverified one.
  ///
  /// Refusals, in this order: `invalid-uid`, `tenant-mismatch`, `uid-already-exists`, `credential-already-in-use`,
  /// `phone-number-already-exists`, `email-already-in-use`, `unverified-email` for a second factor without a verified
  /// address, `second-factor-already-in-use`. Throws `operation-not-allowed` unless the caller is an admin,
  /// `invalid-argument` for more than ``maximumBatch`` records, and `CancellationError` with nothing imported.
  public func importRecords(
    _ records: [ImportedAccount], overwriting: Bool, refusingSharedEmails: Bool = false,
    by caller: Caller
  ) async throws -> [ImportOutcome] {
    guard caller.isAdmin else { throw AuthError.onlyAdmins("import") }
    try caller.checkReason()
    try Self.checkBatch(records.count)
    return try await Cancellation.forwarding { cancellation in
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
      let keepsDeletions = try transaction.writer.keepsDeletions(in: caller.scope)
      return try records.map { record in
        try cancellation.check()
        let rules = RecordRules(
          record: record.account, known: overwriting ? .replaces : .refused, now: transaction.now,
          refusesSharedEmails: refusingSharedEmails)
        return try transaction.write(
          rules, at: record.line, besideDeletions: keepsDeletions)
      }
    }
  }

  /// The maximum number of accounts that one request may import or delete; Firebase's number.
  public static let maximumBatch = 1000

  static func checkBatch(_ count: Int) throws(AuthError) {
    guard count <= maximumBatch else {
      throw AuthError(
        .invalidArgument, "At most \(maximumBatch) accounts go together, and here are \(count).",
        remedy: "Send them in parts.", step: .decision)
    }
  }

  /// Returns the progress of an interrupted import; nil if there is none.
  public func checkpoint(_ name: String, in scope: Scope) async throws -> String? {
    try await store.read { try $0.checkpoint(name, in: scope) }
  }
}

/// The progress of an import, under the import's name.
struct ImportPlace {
  let name: String
  let value: String?

  init?(_ checkpoint: (name: String, value: String?)?) {
    guard let checkpoint else { return nil }
    (name, value) = checkpoint
  }

  /// Stores the progress with the accounts, unless one was refused; the end of the import always removes it.
  func save(
    after outcomes: [ImportOutcome], to writer: any AccountWriter, in scope: Scope
  ) throws {
    let isClean = !outcomes.contains { if case .refused = $0 { true } else { false } }
    if isClean || value == nil { try writer.saveCheckpoint(name, value, in: scope) }
  }
}
