extension AccountGraph {
  /// Restores a deleted account within ``ProjectSettings/deletionRetentionDays``.
  ///
  /// The account has its uid, fields, identities and second factors again, and the uids that it absorbed lead to it.
  /// Earlier sessions, codes and offers stay void, and no merge from before can be undone. Nothing is taken from
  /// another account: what one has meanwhile is left out, if the caller forces it.
  ///
  /// - Parameters:
  ///   - id: the uid of the deleted account.
  ///   - force: true to leave out what other accounts have now.
  ///   - held: the account as the caller read it before the deletion, if it did.
  ///   - caller: an admin.
  /// - Returns: the receipt.
  /// - Throws: `user-not-found` if no such account is kept, `uid-already-exists` if the account exists, or
  ///   `undo-refused` with the names of what other accounts have.
  public func restore(
    _ id: AccountID, force: Bool = false, of held: HeldAccount? = nil, by caller: Caller
  ) async throws -> Receipt {
    try requireAdmin(caller)
    return try await perform(
      caller, load: .restoring(id, in: caller.scope),
      decide: { snapshot, moment in
        var verdict = Verdict(action: .restore, accountID: id)
        let rules = RestoreRules(id: id, held: held, snapshot: snapshot, now: moment.now)
        let deletion: KeptDeletion
        do throws(AuthError) { deletion = try rules.deletion() } catch {
          verdict.error = error
          return verdict
        }
        let restored = rules.restored(deletion)
        verdict.trace.note(
          "keys are free", ["account": id.rawValue, "forced": force ? "yes" : "no"],
          restored.missing.isEmpty ? "all" : "not \(restored.missing.joined(separator: ", "))")
        verdict.details["deletion"] = .string(deletion.event)
        guard force || restored.missing.isEmpty else {
          verdict.error = .restoreWouldLose(restored.missing, id)
          return verdict
        }
        _ = waysIn(on: snapshot, by: caller).remain(
          from: [deletion.account], to: restored.account,
          by: WaysIn.Permission(isForced: force), &verdict.trace)
        if !restored.missing.isEmpty {
          verdict.details["missing"] = .array(restored.missing.map(JSONValue.string))
        }
        var account = restored.account
        account.cutSessions(at: moment.now)
        account = account.owned(since: moment.ownership)
        verdict.account = account
        verdict.changes.inserted = [account]
        for uid in restored.absorbed { verdict.changes.aliases[uid] = id }
        verdict.changes.closed = deletion.recordIDs
        return verdict
      }
    ).receipt
  }
}

/// The rules for restoring a deleted account without taking anything from another one.
private struct RestoreRules {
  let id: AccountID
  let held: HeldAccount?
  let snapshot: Snapshot
  let now: Timestamp

  /// Returns the deletion that can be undone, or throws the refusal.
  func deletion() throws(AuthError) -> KeptDeletion {
    guard snapshot.accounts(.uid(id)).isEmpty, let deletion = snapshot.keeper(of: id, at: now)
    else { throw .notDeleted(id, snapshot) }
    guard deletion.account.id == id else { throw .wasMerged(id, into: deletion.account.id) }
    if let held, held.ownership != deletion.account.ownership {
      throw AuthError(
        .invalidArgument, "The deleted account \(id) had another owner when it was read.",
        field: "uid", remedy: "Restore it by its uid: accounts.restore \"\(id)\".",
        step: .decision)
    }
    return deletion
  }

  /// Returns the account without what others have now, with the uids that lead to it and the names of what is missing.
  func restored(
    _ deletion: KeptDeletion
  ) -> (account: Account, absorbed: [AccountID], missing: [String]) {
    var account = deletion.account.settled(by: snapshot.settings.rekeys)
    var missing: [String] = []
    if let email = account.email, isTaken(email, isVerified: account.emailVerified) {
      missing.append("the address \(email.text)")
      account = account.yielding(email)
    }
    if let number = account.phoneNumber,
      isTaken(.phone(number)) || isTaken(.identity(.phone(number)))
    {
      missing.append("the number \(number)")
      account = account.unlinking([.phone(number)])
      account.phoneNumber = nil
    }
    let gone = account.identities.filter { identity in
      identity.keys.contains { isTaken(.identity($0)) } || isTaken(numberOf: identity)
        || isFormer(identity, deletion)
    }.map(\.key)
    missing += gone.map { "the identity \($0)" }
    account = account.unlinking(gone)
    let absorbed = deletion.absorbed.filter { snapshot.accounts(.uid($0)).isEmpty }
    missing += deletion.absorbed.filter { !absorbed.contains($0) }.map { "the uid \($0)" }
    return (account, absorbed, missing)
  }

  private func isTaken(_ key: AccountKey) -> Bool { !snapshot.accounts(key).isEmpty }

  private func isTaken(numberOf identity: Identity) -> Bool {
    identity.phoneNumber.map { isTaken(.phone($0)) } ?? false
  }

  /// Tells whether another account has an address, signs in with it, or has proven it where this one had not.
  private func isTaken(_ email: EmailAddress, isVerified: Bool) -> Bool {
    !snapshot.owners(of: email, beside: [], shown: .none).isEmpty
      || isTaken(.identity(.password(email))) || isTaken(.identity(.emailLink(email)))
      || (!isVerified && snapshot.accounts(.email(email)).contains(where: \.emailVerified))
  }

  /// Tells whether another issuer got the name of an identity's provider since the deletion.
  private func isFormer(_ identity: Identity, _ deletion: KeptDeletion) -> Bool {
    snapshot.settings.subjects[identity.provider.rawValue]?.since.map { deletion.at < $0 } ?? false
  }
}

extension SnapshotQuery {
  /// Returns a query for a deletion and for all accounts that have a key of the deleted one.
  static func restoring(_ id: AccountID, in scope: Scope) -> SnapshotQuery {
    var query = SnapshotQuery([.uid(id)], in: scope)
    query.restoring = id
    return query
  }
}

extension KeptDeletion {
  /// The keys of the deleted account that others may have now.
  var restoredKeys: [AccountKey] {
    ([account.id] + absorbed).map(AccountKey.uid)
      + account.identities.flatMap(\.keys).map(AccountKey.identity)
      + (account.email?.ownershipKeys ?? [])
      + ([account.phoneNumber] + account.identities.map(\.phoneNumber)).compactMap(\.self)
      .flatMap { [.phone($0), .identity(.phone($0))] }
  }
}

extension Identity {
  /// The number of a phone's identity; nil for others.
  fileprivate var phoneNumber: PhoneNumber? {
    guard provider == .phone else { return nil }
    return try? PhoneNumber(key.subject)
  }
}

extension AuthError {
  /// Returns the error for a uid of which no deleted account is kept.
  static func notDeleted(_ id: AccountID, _ snapshot: Snapshot) -> AuthError {
    if let account = snapshot.accounts(.uid(id)).first {
      return account.id == id
        ? AuthError(
          .uidAlreadyExists, "The account \(id) exists; it is not deleted.", field: "uid",
          remedy: "Look at it with accounts.get \"\(id)\".", step: .decision)
        : .wasMerged(id, into: account.id)
    }
    return AuthError(
      .userNotFound, "No deleted account \(id) is kept.", field: "uid",
      remedy: "deletionRetentionDays of the settings says how long one is kept.",
      step: .decision)
  }

  fileprivate static func restoreWouldLose(_ missing: [String], _ id: AccountID) -> AuthError {
    AuthError(
      .undoRefused,
      "Other accounts have \(missing.joined(separator: ", ")) now.", field: "uid",
      remedy:
        "Free them there first, or restore without them: accounts.restore(\"\(id)\", { force = true }).",
      step: .decision)
  }
}
