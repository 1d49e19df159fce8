extension AccountGraph {
  /// Undoes a merge and restores both accounts row for row.
  ///
  /// If a sign-in happened since, or if the merge or a later change ended the survivor's sessions, all sessions end.
  /// Other accounts lose a verified address that comes back, if they never proved it.
  ///
  /// - Parameters:
  ///   - id: the ID of the merge's event.
  ///   - force: true to lose changes made since.
  ///   - revive: true to restore the accounts of a deleted person, within ``ProjectSettings/mergeRetentionDays`` after
  ///     the deletion and unless the person has an account again. Earlier codes and sessions stay void.
  ///   - keep: the fields whose later values the survivor keeps; a field without a later change is restored.
  ///   - caller: an admin.
  /// - Returns: the receipt of the undo, with its ``Receipt/undo``. A dry run that would be refused because changes
  ///   would be lost returns one too.
  /// - Throws: `event-not-found`, or `undo-refused` with the reason: it was already undone, a later merge depends on
  ///   it, a third account took an identity, the merged account has another owner, it was deleted, or changes made
  ///   since would be lost. Only the last one can be forced. Later sign-ins are not changes.
  public func undoMerge(
    _ id: String, force: Bool = false, revive: Bool = false, keep: Set<KeptField> = [],
    by caller: Caller
  ) async throws -> Receipt {
    guard caller.isAdmin else { throw AuthError.onlyAdmins("undo a merge") }
    do {
      return try await perform(
        caller,
        load: .undoing(id, in: caller.scope),
        decide: { snapshot, moment in
          let permission = UndoPermission(
            force: force, revive: revive, keep: keep, isPreview: caller.dryRun)
          return try Self.undo(id, by: permission, snapshot, moment)
        }
      ).receipt
    } catch let error as AuthError where error.code == .eventNotFound {
      guard let event = try await store.read({ try $0.event(id, in: caller.scope) }) else {
        throw error
      }
      throw AuthError.notUndoable(event)
    }
  }

  /// Decides an undo.
  static func undo(
    _ id: String, by permission: UndoPermission, _ snapshot: Snapshot, _ moment: Moment
  ) throws -> Verdict {
    guard var entry = snapshot.merge, !entry.isOver(at: moment.now, snapshot.settings) else {
      throw AuthError.eventNotFound(id)
    }
    let record = entry.rekeyed(like: snapshot.account(entry.survivor), snapshot.settings.rekeys)
    var verdict = Verdict(
      action: .undoMerge, accountID: record.survivor, relatedIDs: [record.absorbed])
    verdict.details["merge"] = .string(id)
    if let batch = record.batch { verdict.details["batch"] = .string(batch) }
    let former = record.formerLinks(
      beside: snapshot.accounts[record.survivor], snapshot.settings)
    let rules = UndoRules(
      record: record, snapshot: snapshot, formerLinks: former, now: moment.now)
    let later = rules.laterChanges(keeping: permission.keep)
    if let refusal = rules.refusal(by: permission, losing: later, &verdict.trace) {
      verdict.error = refusal
      return verdict
    }
    let kept = snapshot.keeper(of: record.survivor, at: moment.now)
    entry.undoneBy = moment.eventID
    entry.endedAt = moment.now
    if let survivor = snapshot.accounts[record.survivor] {
      var restored = record.restored(survivor, at: moment.now)
      let kept = later.filter(\.isKept).compactMap(\.field)
      for field in kept { field.copy(from: survivor, to: &restored) }
      if !kept.isEmpty { verdict.details["kept"] = .array(kept.map { .string($0.rawValue) }) }
      verdict.changes.update(survivor, to: restored.unlinking(former))
      verdict.changes.inserted = [record.absorbedBefore.unlinking(former)]
    } else {
      verdict.details["revived"] = true
      verdict.changes.closed += kept?.recordIDs ?? []
      verdict.changes.inserted = [record.survivorBefore, record.absorbedBefore].map {
        $0.unlinking(former).owned(since: moment.ownership)
      }
    }
    verdict.changes.removedAliases = [record.absorbed]
    verdict.freeAddresses(of: record, snapshot)
    verdict.leaveProvenAddresses(of: record, snapshot)
    if later.contains(where: { $0.isKept && $0.endsSessions }) {
      verdict.changes.endSessions(at: moment.now)
    }
    verdict.changes.merge = entry
    verdict.undo = UndoPreview(
      verdict, of: record, now: snapshot.accounts[record.survivor], later,
      isForced: permission.force)
    return verdict
  }
}

/// The permissions that the caller of an undo gives.
struct UndoPermission: Sendable {
  /// True to lose changes made since.
  var force = false
  /// True to restore the accounts of a deleted person.
  var revive = false
  /// The fields whose later values stay.
  var keep: Set<KeptField> = []
  /// True to show what would be lost, instead of refusing.
  var isPreview = false
}

/// The rules for undoing a merge without loss.
private struct UndoRules {
  let record: MergeRecord
  let snapshot: Snapshot
  /// The identities that are not restored, because another issuer has their provider's name now.
  let formerLinks: [IdentityKey]
  let now: Timestamp

  func refusal(
    by permission: UndoPermission, losing later: [LaterChange], _ trace: inout Trace
  ) -> AuthError? {
    if let event = record.undoneBy {
      return refused("It was undone already, by \(event).", "Look at the merges with merge.list().")
    }
    if let later = snapshot.laterMerges.first {
      trace.note("later merges", ["standing": "\(snapshot.laterMerges.count)"], later)
      return refused(
        "A later merge depends on it.", "Undo that one first: merge.undo \"\(later)\".")
    }
    if let refusal = ownershipRefusal(by: permission, &trace) { return refusal }
    if snapshot.found[.uid(record.absorbed)] == [record.absorbed] {
      return refused(
        "The uid \(record.absorbed) was given to a new account.", "Delete that account first.")
    }
    if let refusal = keptRefusal() { return refusal }
    if let taken = takenKey() {
      trace.note("keys are free", ["taken": taken], "no")
      return refused(
        "Another account has taken \(taken) since.", "Unlink or change it there first.")
    }
    let (kept, lost) = (later.filter(\.isKept), later.filter { !$0.isKept })
    trace.note(
      "changes since the merge",
      [
        "forced": permission.force ? "yes" : "no",
        "kept": kept.isEmpty ? nil : kept.map(\.name).joined(separator: ", "),
      ], lost.isEmpty ? "none" : lost.map(\.name).joined(separator: ", "))
    return permission.force || permission.isPreview ? nil : .undoLoses(lost)
  }

  /// Returns the refusal if the accounts belong to another owner now; nil otherwise.
  private func ownershipRefusal(
    by permission: UndoPermission, _ trace: inout Trace
  ) -> AuthError? {
    if let now = snapshot.accounts[record.survivor] {
      guard now.ownership != record.survivorAfter.ownership else { return nil }
      trace.note("owner since the merge", ["account": now.id.rawValue], "another one")
      return refused(
        "The account \(now.id) has another owner now.",
        "Merge or edit the accounts as they are; their earlier state is void.")
    }
    trace.note(
      "merged account",
      ["account": record.survivor.rawValue, "revive": permission.revive ? "yes" : "no"],
      "it was deleted")
    guard permission.revive else {
      return refused(
        "The merged account was deleted, and undoing would revive it.",
        "Pass { revive = true } if the person asked for it; force does not revive.")
    }
    guard permission.keep.isEmpty else {
      return refused(
        "The merged account was deleted, so no later value can be kept.", "Leave keep out.")
    }
    guard let holder = presentAccount() else { return nil }
    return refused(
      "The deleted person has an account again: \(holder.id) has an address, a number or an identity of theirs.",
      "Delete that account first, or leave the merge as it is.")
  }

  /// Returns the refusal if another deleted account, which had a uid of the merge since, can be restored.
  private func keptRefusal() -> AuthError? {
    for id in [record.survivor, record.absorbed] {
      guard let deletion = snapshot.keeper(of: id, at: now) else { continue }
      let isMerged =
        deletion.account.id == record.survivor
        && deletion.account.ownership == record.survivorAfter.ownership
      guard !isMerged else { continue }
      return refused(
        "The uid \(id) was given to a new account, which was deleted.",
        "Free it first: accounts.purge \"\(deletion.account.id)\".")
    }
    return nil
  }

  /// Returns an account that the deleted person has now, found by any of their keys.
  private func presentAccount() -> Account? {
    let before = [record.survivorBefore, record.absorbedBefore]
    let keys =
      [AccountKey.uid(record.absorbed)]
      + before.flatMap(\.identities).flatMap(\.keys).map(AccountKey.identity)
      + before.compactMap(\.email).map(AccountKey.email)
      + before.compactMap(\.phoneNumber).map(AccountKey.phone)
    return keys.lazy.flatMap { snapshot.accounts($0) }.first
  }

  /// Returns an earlier identity or verified address that a third account has now and need not give back.
  private func takenKey() -> String? {
    let before = [record.survivorBefore, record.absorbedBefore]
    let others: (AccountKey) -> [Account] = { key in
      snapshot.accounts(key).filter { $0.id != record.survivor }
    }
    for account in before {
      for key in account.identities.flatMap(\.keys) {
        guard let holder = others(.identity(key)).first else { continue }
        let isYielding =
          account.passwordIdentity?.key == key && account.emailVerified
          && account.email.map { snapshot.yieldsPassword(of: $0, holder) } == true
        if !isYielding { return key.description }
      }
    }
    let addresses = before.filter(\.emailVerified).compactMap(\.email)
    return addresses.first {
      !snapshot.owners(of: $0, beside: [record.survivor], shown: .mailbox).isEmpty
    }?.text
  }

  /// Returns the changes since the merge, with those marked that the caller wants to keep.
  func laterChanges(keeping keep: Set<KeptField>) -> [LaterChange] {
    let links = formerLinks.map {
      LaterChange("the link \($0), whose provider has another issuer now")
    }
    guard let now = snapshot.accounts[record.survivor],
      !now.equalsIgnoringActivity(record.survivorAfter)
    else { return links }
    let later = now.laterChanges(since: record.survivorAfter)
    return links
      + later.map { change in
        var change = change
        // With other later changes, the end of sessions is kept too: the undo repeats it.
        change.isKept = change.field.map(keep.contains) ?? (change.endsSessions && !keep.isEmpty)
        return change
      }
  }

  private func refused(_ message: String, _ remedy: String) -> AuthError {
    AuthError(.undoRefused, message, remedy: remedy, step: .decision)
  }
}

extension MergeRecord {
  /// Tells whether the time in which a deleted person can be revived is over.
  public func isOver(at now: Timestamp, _ settings: ProjectSettings) -> Bool {
    endedAt.map { $0 <= settings.endOfMerges(at: now) } ?? false
  }
}

extension Verdict {
  /// Removes returning verified addresses from accounts that never proved them, if an address has one account.
  fileprivate mutating func freeAddresses(of record: MergeRecord, _ snapshot: Snapshot) {
    guard snapshot.settings.oneAccountPerEmail else { return }
    for account in [record.survivorBefore, record.absorbedBefore] where account.emailVerified {
      // An address that the survivor has all along does not return, and takes nothing from others.
      guard let email = account.email,
        snapshot.accounts[record.survivor].map({ $0.emailVerified && $0.email == email }) != true
      else { continue }
      let keys = [AccountKey.email(email), .identity(.password(email))]
      for holder in keys.flatMap({ snapshot.accounts($0) })
      where holder.id != record.survivor
        && !changes.updated.contains(where: { $0.new.id == holder.id })
      {
        let freed = ChangeSet.Update(old: holder, new: holder.yielding(email))
        guard freed.old != freed.new else { continue }
        relatedIDs.append(holder.id)
        // This update comes first, because it frees the returning keys.
        changes.updated.insert(freed, at: 0)
      }
    }
  }

  /// Leaves out unverified addresses, and their passwords, that a third account has proven since.
  fileprivate mutating func leaveProvenAddresses(of record: MergeRecord, _ snapshot: Snapshot) {
    func left(_ account: Account) -> Account {
      guard let email = account.email, !account.emailVerified,
        snapshot.accounts(.email(email)).contains(where: {
          $0.emailVerified && $0.id != record.survivor
        }), snapshot.yieldsPassword(of: email, account)
      else { return account }
      return snapshot.settings.oneAccountPerEmail
        ? account.yielding(email) : account.unlinking([.password(email)])
    }
    changes.inserted = changes.inserted.map(left)
    for index in changes.updated.indices where changes.updated[index].new.id == record.survivor {
      let update = changes.updated[index]
      changes.updated[index] = ChangeSet.Update(old: update.old, new: left(update.new))
    }
  }
}

extension MergeRecord {
  /// Returns the survivor as it was.
  ///
  /// A later sign-in may be that of the absorbed person, whose session would then open the survivor, so all sessions
  /// end. They also end if an identity was removed since and comes back, and if the merge or a later change ended
  /// sessions, because the sessions cannot be told apart.
  fileprivate func restored(_ now: Account, at time: Timestamp) -> Account {
    var account = survivorBefore
    // The uid that a custom token named since is unknown.
    if now.isNamedByApp && !survivorAfter.isNamedByApp { account.details.usedCustomToken = true }
    let hasLost = survivorAfter.identities.contains { old in
      now.identity(old.key)?.linkedAt != old.linkedAt
    }
    // The count never decreases, or a later end would repeat the mark of existing sessions.
    account.generation = now.generation
    if hasLost || now.endsSessions(of: survivorBefore)
      || now.lastSignInAt != survivorAfter.lastSignInAt
    {
      account.cutSessions(at: time)
    }
    return account
  }
}

extension AuthError {
  /// The refusal to undo an event that is no merge, or a merge that the journal does not keep.
  fileprivate static func notUndoable(_ event: AuditEvent) -> AuthError {
    let (message, remedy) =
      switch (event.action, event.errorCode) {
      case (.merge, nil):
        (
          "The merge \(event.id) is not in the journal any more.",
          "The setting mergeRetentionDays says how long a merge can be undone."
        )
      case (.merge, let code?):
        (
          "The merge \(event.id) was refused with \(code), so there is nothing to undo.",
          "Look at why(\"\(event.id)\")."
        )
      case (.split, nil), (.move, nil):
        (
          "The event \(event.id) is a \(event.action.rawValue), not a merge.",
          "Undo it with accounts.undo \"\(event.id)\"."
        )
      default:
        (
          "The event \(event.id) is of the action \(event.action.rawValue). Only merges can be undone.",
          "Look at why(\"\(event.id)\"), or list merges with merge.list()."
        )
      }
    return AuthError(.undoRefused, message, field: "id", remedy: remedy, step: .decision)
  }

  static func eventNotFound(_ id: String) -> AuthError {
    AuthError(
      .eventNotFound, "There is no merge or event \"\(id)\".", field: "id",
      remedy: "Look it up with merge.list() or audit.tail().", step: .decision)
  }
}

extension SnapshotQuery {
  /// Returns a query for an undo: the journal entry, the accounts of all keys to restore, and later merges that depend
  /// on it.
  static func undoing(
    _ merge: String, uses: [OneTimeUse] = [], in scope: Scope
  ) -> SnapshotQuery {
    var query = SnapshotQuery(uses: uses, in: scope)
    query.undoing = merge
    return query
  }
}
