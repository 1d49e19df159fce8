/// Codes with which the reader of an old mailbox reverts a change of an account's address.
extension AccountGraph {
  /// Adds a code to the change for each verified address that it takes from an account.
  ///
  /// An unverified address may be a stranger's, and gets no code. An address that an admin changes, or that the revert
  /// of a change moves, gets none either.
  func openTakeBacks(_ moment: Moment, _ caller: Caller, _ verdict: inout Verdict) throws {
    let isPersons = !caller.isAdmin || verdict.action == .useActionCode
    guard isPersons, !verdict.takesBack else { return }
    let codes = actionCodes(in: caller.scope)
    for lost in services.quirks.recoverable(verdict.changes.lostAddresses) {
      let merge = verdict.changes.merge.map(\.id)
      let info = ActionCode.Info(
        operation: .recoverEmail, email: lost.email, newEmail: lost.account.email)
      try verdict.openTakeBack(info, of: lost.account, merge: merge, by: codes, at: moment.now)
    }
  }

  /// Adds a code for an address whose reader may revert the update, under the emulator's rules.
  func openTakeBack(
    from old: Account, to new: Account, on context: OperationContext, _ verdict: inout Verdict
  ) throws {
    guard let email = services.quirks.recoverable(from: old, to: new) else { return }
    let info = ActionCode.Info(operation: .recoverEmail, email: email, newEmail: new.email)
    try verdict.openTakeBack(
      info, of: new, by: actionCodes(in: context.caller.scope), at: context.now)
  }

  /// Undoes a merge by the code that it sent to a mailbox, and ends the sessions of both accounts.
  ///
  /// Throws like ``undoMerge(_:force:revive:keep:by:)`` without force, because only an admin may overrule changes made
  /// since.
  func takeBack(
    _ merge: String, _ found: ActionCodes.Found, by caller: Caller
  ) async throws -> ActionCodeResult {
    let (receipt, verdict) = try await perform(
      caller,
      load: .undoing(merge, uses: [found.use], in: caller.scope),
      decide: { snapshot, moment in
        guard snapshot.used.isEmpty else { throw AuthError.invalidActionCode }
        var verdict = try Self.undo(merge, by: UndoPermission(), snapshot, moment)
        verdict.details["operation"] = .string(found.info.operation.rawValue)
        guard verdict.error == nil else { return verdict }
        verdict.takesBack = true
        verdict.changes.endSessions(at: moment.now)
        verdict.account = verdict.changes.holder(of: found.info.email)
        verdict.changes.uses = [found.use]
        verdict.changes.closed = [found.recordID]
        return verdict
      })
    guard let account = verdict.written else { throw AuthError.invalidActionCode }
    return ActionCodeResult(info: found.info, account: account, receipt: receipt)
  }
}

extension Verdict {
  /// Adds a code with which an address reverts the change of an account.
  fileprivate mutating func openTakeBack(
    _ info: ActionCode.Info, of account: Account, merge: String? = nil, by codes: ActionCodes,
    at now: Timestamp
  ) throws {
    let (issued, record) = try codes.make(info, of: account, merge: merge, at: now)
    changes.opened.append(record)
    takeBacks.append(issued)
  }
}

extension ChangeSet {
  /// Ends the sessions of every account that is written.
  mutating func endSessions(at now: Timestamp) {
    for index in inserted.indices { inserted[index].cutSessions(at: now) }
    updated = updated.map { update in
      var new = update.new
      new.cutSessions(at: now)
      return Update(old: update.old, new: new)
    }
  }

  /// Returns the written account that has an address.
  fileprivate func holder(of email: EmailAddress) -> Account? {
    (inserted + updated.map(\.new)).first { email.matches($0.email) }
  }
}
