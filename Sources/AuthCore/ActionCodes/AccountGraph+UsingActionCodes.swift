/// What a code that was used brought about.
public struct ActionCodeResult: Sendable {
  public let info: ActionCodeInfo
  /// The account as it is now.
  public let account: Account
  public let receipt: Receipt
  /// A code with which the old address takes a change back, to be sent to it; nil where nothing was taken.
  public let recovery: IssuedActionCode?
}

extension AccountGraph {
  /// Uses a code that verifies, changes or recovers an address, or takes a second factor away.
  ///
  /// Throws `invalid-action-code`, `expired-action-code`, `user-disabled`, `email-already-in-use`, or
  /// `operation-not-allowed` for a code of another kind.
  public func applyActionCode(
    _ code: String, by caller: Caller
  ) async throws -> ActionCodeResult {
    let behavior = services.behavior
    return try await use(code, by: caller) { found in
      guard ![.resetPassword, .emailSignIn].contains(found.info.operation) else {
        throw AuthError.notAllowed("This code is used in another way.")
      }
      return { old, snapshot, moment in
        let now = moment.now
        var new = old
        switch found.info.operation {
        case .verifyEmail:
          new = try Self.moved(old, to: nil, snapshot, now)
        case .verifyAndChangeEmail:
          new = try Self.moved(old, to: found.info.newEmail ?? found.info.email, snapshot, now)
        case .recoverEmail:
          new = try Self.moved(old, to: found.info.email, snapshot, now)
          // Whoever changed the address may be signed in.
          new.cutSessions(at: now)
        case .revertSecondFactorAddition:
          guard let factor = found.info.factor,
            old.secondFactors.contains(where: { $0.id == factor.id })
          else { throw AuthError.invalidActionCode }
          new.secondFactors.removeAll { $0.id == factor.id }
          new.cutSessions(at: now)
        case .resetPassword, .emailSignIn: break
        }
        if behavior.keepsSessions { new.validSince = old.validSince }
        return new
      }
    }
  }

  /// Sets a new password by a code, verifies the address and ends every session.
  ///
  /// It is the account's only password afterwards. An address that signs in by links and is not the account's becomes the
  /// account's; the old one, if it was verified, gets a code that takes the change back.
  ///
  /// If the address was not verified, whoever else linked something to the account loses it: only the
  /// mailbox says whose the account is. An account that the app names itself stays the app's user's then; it loses the
  /// address, whose owner gets a new account with the password. Throws like ``applyActionCode(_:by:)``, `weak-password` or
  /// `password-does-not-meet-requirements`; the code is good for another attempt then.
  public func confirmPasswordReset(
    _ code: String, newPassword: Secret<String>, by caller: Caller
  ) async throws -> ActionCodeResult {
    let behavior = services.behavior
    let newID = newAccountID()
    return try await use(code, by: caller) { found in
      let email = found.info.email
      guard found.info.operation == .resetPassword else { throw AuthError.invalidActionCode }
      let encoded = try await passwordHash(newPassword, for: email, by: caller)
      return { old, snapshot, moment in
        let now = moment.now
        var account = old
        if old.isNamedByApp && !old.emailVerified && !behavior.resetRemovesVendors {
          try refuseOpening(snapshot.settings, caller)
          var changes = ProfileChanges()
          changes.email = .set(email)
          changes.emailVerified = true
          changes.password = newPassword
          return try Account(id: newID, scope: caller.scope, createdAt: now)
            .applying(changes, secret: encoded, at: now).owned(since: moment.ownership)
        }
        if behavior.resetRemovesVendors {
          account.identities.removeAll(where: \.isVendors)
        } else if !old.emailVerified {
          // The password stays in its place, with the secret that is chosen now.
          let unproven = old.identities(notProving: email, snapshot.settings.trust)
          account.giveUp(
            unproven.filter { $0 != .password(email) }, to: moment.ownership, at: now)
        }
        var changes = ProfileChanges()
        // An address whose links sign in becomes the account's, as by linking it.
        if !email.matches(old.email) { changes.email = .set(email) }
        changes.emailVerified = true
        changes.password = newPassword
        let moved = changes.email.applied(to: nil)
        if let taken = Self.takenKey(moved, nil, of: old, changes, snapshot) { throw taken }
        return try account.applying(changes, secret: encoded, at: now)
      }
    }
  }

  /// Refuses to open an account by a reset where sign-ups are closed, or a function of the app has a say in them.
  private func refuseOpening(_ settings: ProjectSettings, _ caller: Caller) throws(AuthError) {
    try settings.signIn.checkSignUp(by: caller)
    let asksApp =
      !(services.hooks is NoHooks)
      && services.hooks.concern(settings.signIn.blockingFunctions)
    guard asksApp else { return }
    throw AuthError(
      .operationNotAllowed, "A message gives no password to the account with this address.",
      field: "oobCode", remedy: "Sign in with a link to the address.", step: .decision)
  }

  /// Gives the account as it becomes, or another one that its address's owner gets.
  private typealias Effect = @Sendable (Account, Snapshot, Moment) throws -> Account

  /// Finds a code, and commits its use with what it brings about.
  private func use(
    _ code: String, by caller: Caller, _ prepare: (ActionCodes.Found) async throws -> Effect
  ) async throws -> ActionCodeResult {
    let codes = actionCodes(in: caller.scope)
    let (found, effect) = try await audited(.useActionCode, nil, [:], caller) {
      let found = try await codes.find(code)
      return (found, try await prepare(found))
    }
    let info = found.info
    let emails = [info.email, info.newEmail].compactMap(\.self)
    let keys =
      [found.account.map(AccountKey.uid)].compactMap(\.self)
      + emails.flatMap { [.email($0), .identity(.password($0))] }
    let (receipt, verdict) = try await perform(
      caller, load: { try $0.snapshot(keys, uses: [found.use], in: caller.scope) },
      decide: { snapshot, moment in
        var verdict = Verdict(action: .useActionCode, accountID: found.account)
        verdict.details["operation"] = .string(info.operation.rawValue)
        do {
          guard snapshot.used.isEmpty, let old = self.owner(of: found, in: snapshot) else {
            throw AuthError.invalidActionCode
          }
          verdict.accountID = old.id
          guard !old.disabled || services.behavior.nothingExpires else {
            throw AuthError.userDisabled
          }
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
          let moves: [ActionCodeOperation] = [.verifyAndChangeEmail, .resetPassword]
          if new.id == old.id, moves.contains(info.operation), !services.behavior.nothingExpires {
            try self.openRecovery(from: old, to: new, moment, caller, &verdict)
          }
        } catch let error as AuthError {
          verdict.error = error
        }
        return verdict
      })
    guard let account = verdict.written else { throw AuthError.invalidActionCode }
    return ActionCodeResult(
      info: info, account: account, receipt: receipt, recovery: verdict.recovery)
  }

  /// Whose account a code is for now; nil where it is nobody's any more.
  private func owner(of found: ActionCodes.Found, in snapshot: Snapshot) -> Account? {
    let email = found.info.email
    if services.behavior.nothingExpires && found.info.operation != .revertSecondFactorAddition {
      guard found.info.operation == .recoverEmail else {
        return snapshot.accounts(.email(email)).first
      }
      let account = found.account.flatMap { snapshot.accounts[$0] }
      return account?.details.initialEmail?.matches(email) == true ? account : nil
    }
    guard let id = found.account, let account = snapshot.accounts[id],
      account.ownership == found.ownership
    else { return nil }
    if found.info.operation.restores { return account }
    let isReset = found.info.operation == .resetPassword
    let isItsOwn =
      email.matches(account.email) || (isReset && account.identity(.emailLink(email)) != nil)
    return account.waysIn == found.mark && isItsOwn ? account : nil
  }

  /// The account with its address verified, or moved to another one that is.
  private static func moved(
    _ old: Account, to email: EmailAddress?, _ snapshot: Snapshot, _ now: Timestamp
  ) throws -> Account {
    var changes = ProfileChanges()
    if let email { changes.email = .set(email) }
    changes.emailVerified = true
    if let taken = takenKey(email, nil, of: old, changes, snapshot) { throw taken }
    return try old.applying(changes, secret: nil, at: now)
  }

  /// Opens a code with which the old address takes a change of it back.
  ///
  /// Only an address that was verified: another one may be a stranger's.
  func openRecovery(
    from old: Account, to new: Account, _ moment: Moment, _ caller: Caller,
    _ verdict: inout Verdict
  ) throws {
    let behavior = services.behavior
    guard let before = old.email, !before.matches(new.email),
      behavior.nothingExpires ? !old.isAnonymous : old.emailVerified
    else { return }
    let email = behavior.nothingExpires ? new.details.initialEmail ?? before : before
    let info = ActionCodeInfo(operation: .recoverEmail, email: email, newEmail: new.email)
    let (issued, record) = try actionCodes(in: caller.scope).make(info, of: old, at: moment.now)
    verdict.changes.opened.append(record)
    verdict.recovery = issued
  }
}

extension Identity {
  /// Whether a vendor vouches for it, rather than a secret, a number or an address.
  fileprivate var isVendors: Bool {
    ![ProviderID.password, .phone, .emailLink].contains(provider)
  }
}
