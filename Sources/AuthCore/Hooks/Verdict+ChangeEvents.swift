extension Action {
  /// True for operations whose changes no script is asked about.
  ///
  /// They bring in or restore records as a whole, or change the form of keys, which is not a change of owner.
  fileprivate var isExemptFromHooks: Bool {
    switch self {
    case .importAccount, .rekey, .rollBackRekey, .finishRekey, .mend, .create, .delete, .restore,
      .purge, .deleteAllAccounts:
      true
    default: false
    }
  }

  /// True if identities go for the safety of the account's owner, which no script can prevent.
  fileprivate var removesForSafety: Bool {
    [.signIn, .signUp, .takeOver, .useActionCode, .providerEvent].contains(self)
  }
}

extension Verdict {
  /// The changes of who owns what, as the decision makes them, for the app's script.
  ///
  /// Import, rekey, deletion and its undo are exempt, and so is a code that takes back a change of an address.
  func changeEvents(on context: OperationContext) -> [ChangeEvent] {
    guard error == nil, !action.isExemptFromHooks, !takesBack else { return [] }
    if let merge = changes.merge { return [event(of: merge, on: context)] }
    if let transfer = changes.transfer, transfer.undoneBy != nil {
      return [event(ofUndoing: transfer, on: context)]
    }
    return changes.updated.flatMap { update in
      links(of: update, on: context) + unlinks(of: update, on: context)
    }
  }

  private func event(of merge: MergeRecord, on context: OperationContext) -> ChangeEvent {
    let isUndo = action == .undoMerge
    let survivor = isUndo ? context.snapshot.accounts[merge.survivor] : nil
    var event = ChangeEvent(
      isUndo ? .beforeUndo : .beforeMerge, of: survivor ?? merge.survivorBefore, on: context)
    event.other = merge.absorbedBefore
    if !isUndo, let shown, let key = shown.key,
      let identity = account?.identity(reachedBy: key)
    {
      event.subject = ChangeEvent.Subject(identity, claims: shown.claims)
    }
    return event
  }

  private func event(
    ofUndoing transfer: TransferRecord, on context: OperationContext
  ) -> ChangeEvent {
    let source = context.snapshot.accounts[transfer.source] ?? transfer.sourceAfter
    var event = ChangeEvent(.beforeUndo, of: source, on: context)
    event.other = context.snapshot.accounts[transfer.target] ?? transfer.targetAfter
    return event
  }

  private func links(
    of update: ChangeSet.Update, on context: OperationContext
  ) -> [ChangeEvent] {
    update.new.gains(since: update.old).map { identity in
      var event = ChangeEvent(.beforeLink, of: update.old, on: context)
      let isShown = shown?.key.map(identity.owns) == true
      event.subject = ChangeEvent.Subject(
        identity, claims: isShown ? shown?.claims ?? .null : .null)
      return event
    }
  }

  private func unlinks(
    of update: ChangeSet.Update, on context: OperationContext
  ) -> [ChangeEvent] {
    guard !action.removesForSafety else { return [] }
    return update.old.gains(since: update.new).map { identity in
      var event = ChangeEvent(.beforeUnlink, of: update.old, on: context)
      event.subject = ChangeEvent.Subject(identity)
      return event
    }
  }
}

extension Account {
  /// The identities that another state of the account has not.
  ///
  /// A password or an e-mail link that follows the account's address stays the same.
  fileprivate func gains(since other: Account) -> [Identity] {
    identities.filter { identity in
      let followsAddress = [.password, .emailLink].contains(identity.provider)
      return !other.identities.contains {
        $0.owns(identity.key) || identity.owns($0.key)
          || (followsAddress && $0.provider == identity.provider)
      }
    }
  }
}
