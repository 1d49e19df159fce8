extension AccountGraph {
  /// Undoes a split or a move, and restores both accounts row for row; a split's new account goes.
  ///
  /// The sessions of both accounts end, because a session that began since may be the other person's. Other accounts
  /// lose a verified address that comes back, if they never proved it.
  ///
  /// - Parameters:
  ///   - id: the ID of the event.
  ///   - force: true to lose changes made since.
  ///   - caller: an admin.
  /// - Returns: the receipt of the undo.
  /// - Throws: `event-not-found`, or `undo-refused` with the reason: it was already undone, an account was deleted,
  ///   merged or has another owner, a later merge depends on it, a third account took an identity, or changes made
  ///   since would be lost. Only the last one can be forced. Later sign-ins are not changes.
  public func undoTransfer(
    _ id: String, force: Bool = false, by caller: Caller
  ) async throws -> Receipt {
    guard caller.isAdmin else { throw AuthError.onlyAdmins("undo a split or a move") }
    var query = SnapshotQuery(in: caller.scope)
    query.returning = id
    do {
      return try await perform(
        caller, load: query,
        decide: { snapshot, moment in
          guard let entry = snapshot.transfer else { throw AuthError.eventNotFound(id) }
          return TransferUndo(entry, on: snapshot, moment).verdict(force: force)
        }
      ).receipt
    } catch let error as AuthError where error.code == .eventNotFound {
      guard let event = try await store.read({ try $0.event(id, in: caller.scope) }) else {
        throw error
      }
      throw AuthError.undoRefused(
        "The event \(id) of the action \(event.action.rawValue) is not in the journal of splits and moves.",
        "An account of it was deleted or got another owner, or it is of another kind: look at why(\"\(id)\")."
      )
    }
  }

  /// Undoes a merge, a split or a move, whichever the event is.
  ///
  /// Throws like ``undoMerge(_:force:revive:keep:by:)`` and ``undoTransfer(_:force:by:)``, or `invalid-argument` for
  /// fields to keep of a split or a move.
  public func undo(
    _ id: String, force: Bool = false, revive: Bool = false, keep: Set<KeptField> = [],
    by caller: Caller
  ) async throws -> Receipt {
    guard caller.isAdmin else { throw AuthError.onlyAdmins("undo a change") }
    let event = try await store.read { try $0.event(id, in: caller.scope) }
    guard let event, event.errorCode == nil, [.split, .move].contains(event.action) else {
      return try await undoMerge(id, force: force, revive: revive, keep: keep, by: caller)
    }
    guard keep.isEmpty else {
      throw AuthError(
        .invalidArgument, "The undo of a split or a move keeps no later changes.", field: "keep",
        remedy: "Leave it out, and make the changes again afterwards.", step: .decision)
    }
    return try await undoTransfer(id, force: force, by: caller)
  }
}

/// The rules for undoing a split or a move without loss.
struct TransferUndo {
  private let entry: TransferRecord
  private let record: TransferRecord
  private let snapshot: Snapshot
  private let moment: Moment
  /// The identities that are not restored, because another issuer has their provider's name now.
  private let former: [IdentityKey]

  init(_ entry: TransferRecord, on snapshot: Snapshot, _ moment: Moment) {
    self.entry = entry
    self.snapshot = snapshot
    self.moment = moment
    record = entry.rekeyed(like: snapshot.accounts, snapshot.settings.rekeys)
    former = record.formerLinks(beside: snapshot.accounts, snapshot.settings)
  }

  func verdict(force: Bool) -> Verdict {
    var verdict = Verdict(
      action: record.action == .split ? .undoSplit : .undoMove, accountID: record.source,
      relatedIDs: [record.target])
    verdict.details["undone"] = .string(entry.id)
    if let refusal = refusal(force: force, &verdict.trace) {
      verdict.error = refusal
      return verdict
    }
    guard let source = snapshot.accounts[record.source],
      let target = snapshot.accounts[record.target]
    else {
      verdict.error = .userNotFound
      return verdict
    }
    // The account that gives up an identity comes first, because that frees the key.
    if let before = record.targetBefore {
      verdict.changes.update(target, to: restored(before, over: target))
    } else {
      verdict.changes.deleted = [target]
    }
    let restored = restored(record.sourceBefore, over: source)
    verdict.changes.update(source, to: restored)
    verdict.account = restored
    freeAddresses(&verdict)
    var undone = entry
    undone.undoneBy = moment.eventID
    verdict.changes.transfer = undone
    return verdict
  }

  /// Returns an account as it was, without its sessions and what must not return.
  private func restored(_ before: Account, over now: Account) -> Account {
    var account = before.unlinking(former)
    // The uid that a custom token named since is unknown.
    account.details.usedCustomToken = before.isNamedByApp || now.isNamedByApp
    // The count never decreases, or a later end would repeat the mark of existing sessions.
    account.generation = now.generation
    account.cutSessions(at: moment.now)
    guard let email = account.email, !account.emailVerified,
      others(.email(email)).contains(where: \.emailVerified)
    else { return account }
    return snapshot.settings.oneAccountPerEmail
      ? account.yielding(email) : account.unlinking([.password(email)])
  }

  /// Removes returning verified addresses from accounts that never proved them, if an address has one account.
  private func freeAddresses(_ verdict: inout Verdict) {
    guard snapshot.settings.oneAccountPerEmail else { return }
    for account in before where account.emailVerified {
      guard let email = account.email,
        !present.contains(where: { $0.emailVerified && email.matches($0.email) })
      else { continue }
      for holder in others(.email(email)) + others(.identity(.password(email)))
      where !verdict.changes.updated.contains(where: { $0.new.id == holder.id }) {
        let freed = holder.yielding(email)
        guard freed != holder else { continue }
        verdict.relatedIDs.append(holder.id)
        verdict.changes.updated.insert(ChangeSet.Update(old: holder, new: freed), at: 0)
      }
    }
  }

  private func refusal(force: Bool, _ trace: inout Trace) -> AuthError? {
    if let event = record.undoneBy {
      return .undoRefused("It was undone already, by \(event).", "Look at why(\"\(event)\").")
    }
    for (id, after) in [
      (record.source, record.sourceAfter), (record.target, record.targetAfter),
    ] {
      guard let refusal = refusal(of: id, after, &trace) else { continue }
      return refusal
    }
    if let later = snapshot.laterMerges.first {
      trace.note("later merges", ["standing": "\(snapshot.laterMerges.count)"], later)
      return .undoRefused(
        "A later merge depends on it.", "Undo that one first: merge.undo \"\(later)\".")
    }
    if let taken {
      trace.note("keys are free", ["taken": taken], "no")
      return .undoRefused(
        "Another account has taken \(taken) since.", "Unlink or change it there first.")
    }
    let lost = lostChanges
    trace.note(
      "changes since", ["forced": force ? "yes" : "no"],
      lost.isEmpty ? "none" : lost.joined(separator: ", "))
    guard !lost.isEmpty && !force else { return nil }
    return .undoRefused(
      "Changes made since would be lost: \(lost.joined(separator: ", ")).",
      "Look at account:history(), then force it with { force = true }.")
  }

  /// Returns the refusal if an account is gone, or has another owner.
  private func refusal(of id: AccountID, _ after: Account, _ trace: inout Trace) -> AuthError? {
    guard let now = snapshot.accounts[id] else {
      let survivor = snapshot.accounts(.uid(id)).first?.id
      trace.note(
        "account of the change", ["account": id.rawValue],
        survivor.map { "it was merged into \($0)" } ?? "it was deleted")
      return survivor.map {
        .undoRefused(
          "The account \(id) was merged into \($0) since.",
          "Undo that merge first: merge.list { account = \"\($0)\" }.")
      }
        ?? .undoRefused(
          "The account \(id) was deleted.",
          "Leave the accounts as they are: nothing is left to restore.")
    }
    guard now.ownership != after.ownership else { return nil }
    trace.note("owner since the change", ["account": id.rawValue], "another one")
    return .undoRefused(
      "The account \(id) has another owner now.",
      "Change the accounts as they are; their earlier state is void.")
  }

  /// Both accounts before the change.
  private var before: [Account] {
    [record.sourceBefore] + [record.targetBefore].compactMap(\.self)
  }

  /// Both accounts as they are now.
  private var present: [Account] {
    [record.source, record.target].compactMap { snapshot.accounts[$0] }
  }

  private func others(_ key: AccountKey) -> [Account] {
    snapshot.accounts(key).filter { $0.id != record.source && $0.id != record.target }
  }

  /// An earlier identity, number or verified address that a third account has now and need not give back.
  private var taken: String? {
    for account in before {
      for key in account.identities.flatMap(\.keys) where !former.contains(key) {
        guard let holder = others(.identity(key)).first else { continue }
        let isYielding =
          account.passwordIdentity?.key == key && account.emailVerified
          && account.email.map { snapshot.yieldsPassword(of: $0, holder) } == true
        // An address that the accounts did not prove goes to the account that did.
        let isLeft =
          account.passwordIdentity?.key == key && !account.emailVerified && holder.emailVerified
        if !isYielding && !isLeft { return key.description }
      }
      if let number = account.phoneNumber, !others(.phone(number)).isEmpty { return number.text }
      guard account.emailVerified, let email = account.email else { continue }
      let ids = [record.source, record.target]
      if !snapshot.owners(of: email, beside: ids, shown: .mailbox).isEmpty { return email.text }
    }
    return nil
  }

  private var lostChanges: [String] {
    var lost = former.map { "the link \($0), whose provider has another issuer now" }
    for now in present {
      let after = now.id == record.source ? record.sourceAfter : record.targetAfter
      guard !now.equalsIgnoringActivity(after) else { continue }
      lost += now.laterChanges(since: after).map { "\($0.name) of \(now.id)" }
    }
    return lost
  }
}

extension AuthError {
  fileprivate static func undoRefused(_ message: String, _ remedy: String) -> AuthError {
    AuthError(.undoRefused, message, remedy: remedy, step: .decision)
  }
}
