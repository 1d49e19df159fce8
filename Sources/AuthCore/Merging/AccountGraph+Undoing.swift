extension AccountGraph {
  /// Undoes a merge: both accounts are as they were before it, row for row.
  ///
  /// If somebody signed in since, or the merge or anything since ended the survivor's sessions, they end as well. A
  /// verified address that comes back leaves accounts that never proved it.
  ///
  /// - Parameters:
  ///   - id: the merge's event.
  ///   - force: whether changes made since may be lost.
  ///   - revive: whether the accounts of a deleted person come back, for ``ProjectSettings/mergeRetentionDays`` after the
  ///     deletion and unless the person has an account again. Codes and sessions of before stay void.
  ///   - caller: an admin.
  /// - Returns: the receipt of the undo.
  /// - Throws: `event-not-found`, or `undo-refused` with the reason: it was undone already, a later merge
  ///   stands on it, a third account took an identity, the merged account has another owner since, it was deleted, or
  ///   changes made since would be lost. Only the last one can be forced. Sign-ins since do not count as changes.
  public func undoMerge(
    _ id: String, force: Bool = false, revive: Bool = false, by caller: Caller
  ) async throws -> Receipt {
    guard caller.isAdmin else { throw AuthError.notAllowed("Only an admin may undo a merge.") }
    return try await perform(
      caller,
      load: .undoing(id, in: caller.scope),
      decide: { snapshot, moment in
        try Self.undo(id, force: force, revive: revive, snapshot, moment)
      }
    ).receipt
  }

  /// Decides an undo.
  static func undo(
    _ id: String, force: Bool, revive: Bool, _ snapshot: Snapshot, _ moment: Moment
  ) throws -> Verdict {
    guard var entry = snapshot.merge, !entry.isOver(at: moment.now, snapshot.settings) else {
      throw AuthError.eventNotFound(id)
    }
    let record = entry.rekeyed(like: snapshot.account(entry.survivor), snapshot.settings.rekeys)
    var verdict = Verdict(
      action: .undoMerge, accountID: record.survivor, relatedIDs: [record.absorbed])
    verdict.details["merge"] = .string(id)
    let former = record.formerLinks(
      beside: snapshot.accounts[record.survivor], snapshot.settings)
    let rules = UndoRules(record: record, snapshot: snapshot, formerLinks: former)
    if let refusal = rules.refusal(force: force, revive: revive, &verdict.trace) {
      verdict.error = refusal
      return verdict
    }
    entry.undoneBy = moment.eventID
    entry.endedAt = moment.now
    if let survivor = snapshot.accounts[record.survivor] {
      let restored = record.restored(survivor, at: moment.now)
      verdict.changes.update(survivor, to: restored.unlinking(former))
      verdict.changes.inserted = [record.absorbedBefore.unlinking(former)]
    } else {
      verdict.details["revived"] = true
      verdict.changes.inserted = [record.survivorBefore, record.absorbedBefore].map {
        $0.unlinking(former).owned(since: moment.ownership)
      }
    }
    verdict.changes.removedAliases = [record.absorbed]
    verdict.freeAddresses(of: record, snapshot)
    verdict.leaveProvenAddresses(of: record, snapshot)
    verdict.changes.merge = entry
    return verdict
  }
}

/// Decides whether a merge can be undone without losing anything.
private struct UndoRules {
  let record: MergeRecord
  let snapshot: Snapshot
  /// What stays out, because another issuer has its provider's name.
  let formerLinks: [IdentityKey]

  func refusal(force: Bool, revive: Bool, _ trace: inout Trace) -> AuthError? {
    if let event = record.undoneBy {
      return refused("It was undone already, by \(event).", "There is nothing left to undo.")
    }
    if let later = snapshot.laterMerges.first {
      trace.note("later merges", ["standing": "\(snapshot.laterMerges.count)"], later)
      return refused(
        "A later merge stands on it.", "Undo that one first: merge.undo \"\(later)\".")
    }
    if let refusal = ownershipRefusal(revive: revive, &trace) { return refusal }
    if snapshot.found[.uid(record.absorbed)] == [record.absorbed] {
      return refused(
        "The uid \(record.absorbed) was given to a new account.", "Delete that account first.")
    }
    if let taken = takenKey() {
      trace.note("keys are free", ["taken": taken], "no")
      return refused(
        "Another account has taken \(taken) since.", "Unlink or change it there first.")
    }
    let lost = lostChanges()
    trace.note(
      "changes since the merge", ["forced": force ? "yes" : "no"],
      lost.isEmpty ? "none" : lost.joined(separator: ", "))
    guard !lost.isEmpty && !force else { return nil }
    return refused(
      "Changes made since would be lost: \(lost.joined(separator: ", ")).",
      "Look at account:history(), then force it with { force = true }.")
  }

  /// Why nothing goes back to whoever owned the accounts before.
  private func ownershipRefusal(revive: Bool, _ trace: inout Trace) -> AuthError? {
    if let now = snapshot.accounts[record.survivor] {
      guard now.ownership != record.survivorAfter.ownership else { return nil }
      trace.note("owner since the merge", ["account": now.id.rawValue], "another one")
      return refused(
        "The account \(now.id) has another owner since.",
        "What was before it is void; merge or edit the accounts as they are.")
    }
    trace.note(
      "merged account", ["account": record.survivor.rawValue, "revive": revive ? "yes" : "no"],
      "it was deleted")
    guard revive else {
      return refused(
        "The merged account was deleted, and undoing would revive it.",
        "Pass revive = true if the person asked for it; force does not do it.")
    }
    guard let holder = presentAccount() else { return nil }
    return refused(
      "The deleted person has an account again: \(holder.id) has an address, a number or an identity of theirs.",
      "Leave the deleted accounts, or delete that account first.")
  }

  /// An account that a deleted person has now, by any key of theirs.
  private func presentAccount() -> Account? {
    let before = [record.survivorBefore, record.absorbedBefore]
    let keys =
      [AccountKey.uid(record.absorbed)]
      + before.flatMap(\.identities).flatMap(\.keys).map(AccountKey.identity)
      + before.compactMap(\.email).map(AccountKey.email)
      + before.compactMap(\.phoneNumber).map(AccountKey.phone)
    return keys.lazy.flatMap { snapshot.accounts($0) }.first
  }

  /// An identity or verified address of before that a third account has now and does not have to give back.
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

  private func lostChanges() -> [String] {
    let links = formerLinks.map { "the link \($0), whose provider has another issuer now" }
    guard let now = snapshot.accounts[record.survivor] else { return links }
    return now.equalsIgnoringActivity(record.survivorAfter)
      ? links : links + now.differences(from: record.survivorAfter)
  }

  private func refused(_ message: String, _ remedy: String) -> AuthError {
    AuthError(.undoRefused, message, remedy: remedy, step: .decision)
  }
}

extension MergeRecord {
  /// Whether the time for which a deleted person could be revived is over, whether or not the entry was removed yet.
  public func isOver(at now: Timestamp, _ settings: ProjectSettings) -> Bool {
    endedAt.map { $0 <= settings.endOfMerges(at: now) } ?? false
  }
}

extension Verdict {
  /// Takes the verified addresses that come back from accounts that never proved them, where an address has one account.
  fileprivate mutating func freeAddresses(of record: MergeRecord, _ snapshot: Snapshot) {
    guard snapshot.settings.oneAccountPerEmail else { return }
    for account in [record.survivorBefore, record.absorbedBefore] where account.emailVerified {
      guard let email = account.email else { continue }
      let keys = [AccountKey.email(email), .identity(.password(email))]
      for holder in keys.flatMap({ snapshot.accounts($0) })
      where holder.id != record.survivor
        && !changes.updated.contains(where: { $0.new.id == holder.id })
      {
        let freed = ChangeSet.Update(old: holder, new: holder.yielding(email))
        guard freed.old != freed.new else { continue }
        relatedIDs.append(holder.id)
        // First, because it frees the keys that come back.
        changes.updated.insert(freed, at: 0)
      }
    }
  }

  /// Leaves out the unverified addresses, and their passwords, that a third account has proven since.
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
  /// The survivor as it was.
  ///
  /// Whoever signed in since may be the absorbed person, whose session would open the survivor; then the
  /// sessions end. They end too if an identity went since and comes back, which ended its sessions, and if the merge or
  /// anything since ended sessions: whose they were cannot be told, and none comes back.
  fileprivate func restored(_ now: Account, at time: Timestamp) -> Account {
    var account = survivorBefore
    // Which uid a custom token named since cannot be told.
    if now.isNamedByApp && !survivorAfter.isNamedByApp { account.details.usedCustomToken = true }
    let hasLost = survivorAfter.identities.contains { old in
      now.identity(old.key)?.linkedAt != old.linkedAt
    }
    // The count never goes back, or a later end would give a mark again that sessions have.
    account.generation = now.generation
    if hasLost || now.endsSessions(of: survivorBefore)
      || now.lastSignInAt != survivorAfter.lastSignInAt
    {
      account.cutSessions(at: time)
    }
    return account
  }
}

extension Account {
  /// Names what somebody changed on purpose since the other state.
  func differences(from other: Account) -> [String] {
    var names = MergeField.allCases
      .filter { $0 != .lastSignInAt && shown($0) != other.shown($0) }
      .map(\.rawValue)
    let keys = Set(identities.keys)
    let otherKeys = Set(other.identities.keys)
    names += keys.subtracting(otherKeys).sorted().map { "linked \($0)" }
    names += otherKeys.subtracting(keys).sorted().map { "unlinked \($0)" }
    for identity in identities {
      let before = other.identity(identity.key)
      if before != nil, before?.secret?.changedAt != identity.secret?.changedAt {
        names.append("the secret of \(identity.key)")
      }
    }
    if secondFactors != other.secondFactors { names.append("second factors") }
    if endsSessions(of: other) { names.append("ended sessions") }
    return names.isEmpty ? ["the account's record"] : names
  }
}

extension AuthError {
  static func eventNotFound(_ id: String) -> AuthError {
    AuthError(
      .eventNotFound, "There is no merge or event \"\(id)\".", field: "id",
      remedy: "Look it up with merge.list() or audit.tail().", step: .decision)
  }
}

extension SnapshotQuery {
  /// Asks for what an undo has to see: the journal entry, the accounts of every key that it restores, and the merges that
  /// stand on it.
  static func undoing(
    _ merge: String, uses: [OneTimeUse] = [], in scope: Scope
  ) -> SnapshotQuery {
    var query = SnapshotQuery(uses: uses, in: scope)
    query.undoing = merge
    return query
  }
}
