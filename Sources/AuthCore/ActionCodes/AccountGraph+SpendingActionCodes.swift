/// The one use of an action code, whatever its effect.
extension AccountGraph {
  /// A function that returns the changed account, or a new one for the owner of its address.
  typealias ActionCodeEffect = @Sendable (Account, Snapshot, Moment) throws -> Account

  /// Finds a code, and commits its use together with its effect.
  func use(
    _ code: String, session: AccountID? = nil, isRefused: Bool = false, by caller: Caller,
    _ prepare: (ActionCodes.Found) async throws -> ActionCodeEffect
  ) async throws -> ActionCodeResult {
    let codes = actionCodes(in: caller.scope)
    let (found, effect) = try await audited(.useActionCode, showing: .actionCode, by: caller) {
      let found = try await codes.find(code)
      return (found, try await prepare(found))
    }
    if let merge = found.merge { return try await takeBack(merge, found, by: caller) }
    let info = found.info
    let emails = [info.email, info.newEmail].compactMap(\.self)
    let keys =
      [found.account.map(AccountKey.uid)].compactMap(\.self)
      + emails.flatMap(\.ownershipKeys)
    let (receipt, verdict) = try await ending(found, in: caller.scope) {
      try await perform(
        caller, load: SnapshotQuery(keys, uses: [found.use], in: caller.scope),
        decide: { snapshot, moment in
          var verdict = Verdict(action: .useActionCode, accountID: found.account)
          verdict.details["operation"] = .string(info.operation.rawValue)
          verdict.takesBack = isRefused || info.operation == .recoverEmail
          if isRefused { verdict.details["refused"] = true }
          do {
            guard snapshot.used.isEmpty else {
              throw AuthError.invalidActionCode.failing("The code was used before.")
            }
            guard
              let old = services.quirks.owner(
                of: found, in: snapshot, usually: { self.owner(of: found, in: snapshot) })
            else {
              throw AuthError.invalidActionCode.failing(
                "The account is not as it was when the code was made.")
            }
            verdict.accountID = old.id
            verdict.trace.note(
              "action code open", ["operation": info.operation.rawValue], "it is used up now")
            guard !services.quirks.isVoid(old.disabled) else { throw AuthError.userDisabled }
            let new = try effect(old, snapshot, moment)
            verdict.account = new
            if new.id == old.id {
              verdict.changes.update(old, to: new)
            } else {
              verdict.accountID = new.id
              verdict.relatedIDs = [old.id]
              verdict.details["freed"] = .string(info.email.canonical)
              verdict.changes.update(old, to: old.yielding(info.email))
              verdict.changes.inserted = [new]
            }
            verdict.changes.uses = [found.use]
            verdict.changes.closed = [found.recordID]
            guard !isRefused, info.operation != .revertSecondFactorAddition else { return verdict }
            if proof == .mailbox { verdict.shownAddress = new.email }
            if info.operation.confirmsAddress, session != old.id {
              verdict.details["withoutSession"] = true
            }
          } catch let error as AuthError {
            verdict.error = error
          }
          return verdict
        })
    }
    guard let account = verdict.written ?? verdict.account else {
      throw AuthError.invalidActionCode
    }
    return ActionCodeResult(info: info, account: account, receipt: receipt)
  }

  /// Uses a code, and removes it if the refusal ends it.
  private func ending<Result>(
    _ found: ActionCodes.Found, in scope: Scope, _ use: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await use()
    } catch let error as AuthError
      where services.quirks.ends(found.info.operation, refusedBy: error)
    {
      try await store.write { try $0.removeOneTimeRecord(found.recordID, in: scope) }
      throw error
    }
  }

  /// Returns the account that a code is for; nil if the code is void by now.
  private func owner(of found: ActionCodes.Found, in snapshot: Snapshot) -> Account? {
    let email = found.info.email
    guard let id = found.account, let account = snapshot.accounts[id],
      account.ownership == found.ownership
    else { return nil }
    if found.info.operation.restores { return account }
    let isReset = found.info.operation == .resetPassword
    let isItsOwn =
      email.matches(account.email) || (isReset && account.identity(.emailLink(email)) != nil)
    return account.waysIn == found.mark && isItsOwn ? account : nil
  }
}

extension ActionCode.Operation {
  /// True if the code confirms an address for an account that may be a stranger's.
  fileprivate var confirmsAddress: Bool { self == .verifyEmail || self == .verifyAndChangeEmail }
}
