/// The result for one uid of a list to delete.
public enum DeletionOutcome: Sendable, Hashable {
  /// The account was deleted by the audit event with this ID.
  case deleted(event: String)
  /// There is no such account, or it was merged into another one.
  case unknown
  /// The account was kept because it is not disabled.
  case enabled
}

extension AccountGraph {
  /// Deletes accounts in one transaction, like Firebase's `batchDelete`.
  ///
  /// An account that is not disabled is kept unless forced, and an unknown uid is no error. Throws
  /// `operation-not-allowed` unless the caller is an admin, `invalid-argument` for more than ``maximumBatch`` uids, and
  /// `CancellationError` with nothing deleted.
  public func deleteMany(
    _ ids: [AccountID], force: Bool = false, by caller: Caller
  ) async throws -> [DeletionOutcome] {
    guard caller.isAdmin else { throw AuthError.onlyAdmins("do this") }
    try caller.checkReason()
    try Self.checkBatch(ids.count)
    return try await Cancellation.forwarding { cancellation in
      try await deleteMany(ids, force: force, by: caller, unless: cancellation)
    }
  }

  private func deleteMany(
    _ ids: [AccountID], force: Bool, by caller: Caller, unless cancellation: Cancellation
  ) async throws -> [DeletionOutcome] {
    let now = clock()
    return try await store.transact(.change) { writer in
      let transaction = CallerTransaction(writer: writer, caller: caller, now: now)
      let outcomes = try ids.map { id in
        try cancellation.check()
        return try deleteOne(id, force: force, in: transaction)
      }
      return caller.dryRun ? .takeBack(outcomes) : .commit(outcomes)
    }
  }

  private func deleteOne(
    _ id: AccountID, force: Bool, in transaction: CallerTransaction
  ) throws -> DeletionOutcome {
    let (writer, now) = (transaction.writer, transaction.now)
    guard let account = try writer.account(id, in: transaction.scope) else { return .unknown }
    guard account.disabled || force else { return .enabled }
    var changes = ChangeSet()
    changes.deleted = [account]
    let event = newEventID(at: now)
    try changes.apply(
      to: writer, in: transaction.scope, at: now,
      with: [
        AuditEvent(
          id: event, by: transaction.caller, at: now, action: .delete, accountID: id)
      ])
    return .deleted(event: event)
  }
}
