extension AccountGraph {
  /// Deletes an account with everything it owns.
  ///
  /// Its identities, addresses and uid become free, and so do the uids that it absorbed. Its sessions are deleted at
  /// once. The journal of merges keeps its records until ``ProjectSettings/mergeRetentionDays`` have passed.
  ///
  /// If it is restorable, the account is kept for ``ProjectSettings/deletionRetentionDays``, and until then no new
  /// account gets its uid or one that it absorbed. Only an admin can delete like this; a person's own deletion and
  /// Firebase's keep nothing.
  public func delete(
    _ id: AccountID, restorable: Bool = false, by caller: Caller
  ) async throws -> Receipt {
    if restorable { try requireAdmin(caller) }
    let absorbed = try await caller.dryRun ? aliases(of: id, in: caller.scope) : []
    let edit = AccountEdit(action: .delete, account: id, isSensitive: true)
    return try await perform(edit, by: caller) { old, context, verdict in
      guard let old else { throw AuthError.userNotFound }
      let settings = context.snapshot.settings
      try settings.signIn.checkDeletion(by: caller)
      guard id == old.id else { throw AuthError.wasMerged(id, into: old.id) }
      verdict.changes.deleted = [old]
      var losses = Losses(from: old, to: nil, self.waysIn(on: context.snapshot, by: caller))
      losses.absorbed = absorbed
      if restorable, settings.deletionRetentionDays > 0 {
        let until = settings.endOfDeletion(at: context.now)
        losses.restorableUntil = until
        verdict.details["restorableUntil"] = .string(until.text)
        verdict.changes.kept = KeptDeletion(
          event: context.moment.eventID, at: context.now, actor: TextBounds.name.cut(caller.actor),
          reason: caller.reason, account: old, until: until)
      }
      verdict.losses = losses
    }.receipt
  }

  /// Removes what is kept of a deleted account, which can then not be restored; its uid becomes free.
  ///
  /// Throws `operation-not-allowed` unless the caller is an admin, or `user-not-found` if no such account is kept.
  public func purge(_ id: AccountID, by caller: Caller) async throws -> Receipt {
    try requireAdmin(caller)
    return try await perform(
      caller, load: .restoring(id, in: caller.scope),
      decide: { snapshot, moment in
        var verdict = Verdict(action: .purge, accountID: id)
        guard snapshot.accounts(.uid(id)).isEmpty,
          let deletion = snapshot.keeper(of: id, at: moment.now)
        else {
          verdict.error = .notDeleted(id, snapshot)
          return verdict
        }
        verdict.accountID = deletion.account.id
        verdict.changes.closed = deletion.recordIDs
        verdict.details["deletion"] = .string(deletion.event)
        return verdict
      }
    ).receipt
  }

  /// Returns the last deletion of an account that is gone; nil if the audit does not know it.
  public func deletion(of id: AccountID, in scope: Scope) async throws -> Deletion? {
    try await store.read(from: .replica) { reader -> Deletion? in
      if let kept = try reader.deletion(keeping: id, in: scope) {
        let isOver = kept.isOver(at: clock(), try reader.settings(of: scope))
        return Deletion(
          event: kept.event, account: kept.account.id, at: kept.at, actor: kept.actor,
          reason: kept.reason, restorableUntil: isOver ? nil : kept.until)
      }
      let events = try reader.events(about: [id], before: nil, limit: 50, in: scope)
      let last = events.first { event in
        event.action == .delete && event.errorCode == nil && event.accountID == id
      }
      return last.map {
        Deletion(event: $0.id, account: id, at: $0.at, actor: $0.actor, reason: $0.reason)
      }
    }
  }
}

/// The deletion of an account, as the audit knows it.
public struct Deletion: Hashable, Sendable {
  /// The ID of the audit event.
  public let event: String
  /// The deleted account; another uid than the one asked for led to it.
  public let account: AccountID
  /// The time of the deletion.
  public let at: Timestamp
  /// The caller's name, such as `admin:ada`.
  public let actor: String
  /// The caller's reason, if it gave one.
  public let reason: String?
  /// The time until which an admin can restore the account; nil if it cannot be restored.
  public var restorableUntil: Timestamp?
}

extension Caller {
  /// Throws `invalid-argument` if the caller gave no reason of its own for a deletion.
  public func requireReasonForDeletion() throws(AuthError) {
    guard reason?.allSatisfy(\.isWhitespace) ?? true else { return }
    throw AuthError(
      .invalidArgument, "A deletion needs a reason.", field: "reason",
      remedy: "Give one: { reason = \"asked for it, ticket 1182\" }.")
  }
}
