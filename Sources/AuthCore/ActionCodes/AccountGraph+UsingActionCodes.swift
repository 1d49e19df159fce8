/// The result of using a code.
public struct ActionCodeResult: Sendable {
  /// The effect and addresses of the code.
  public let info: ActionCode.Info
  /// The account as it is now.
  public let account: Account
  /// The receipt of the change.
  public let receipt: Receipt

  /// The code with which the old address can revert the change, to be sent there; nil if no address was taken.
  public var recovery: ActionCode? { receipt.takeBacks.first }
}

extension AccountGraph {
  /// Uses a code that verifies, changes or recovers an address, or removes a second factor.
  ///
  /// A code proves that its mailbox was read: other accounts that hold the address unverified lose it. A code that a
  /// merge sent undoes the merge. The event records whether an address was confirmed without a session of the account.
  ///
  /// - Parameters:
  ///   - code: the text of the code.
  ///   - session: the account whose session came with the code; nil if none did.
  ///   - caller: the client that uses the code.
  /// - Returns: the changed account; for an undone merge the account that has the code's address.
  /// - Throws: `invalid-action-code`, `expired-action-code`, `user-disabled`, `email-already-in-use`, `undo-refused`,
  ///   or `operation-not-allowed` for a code of another kind.
  public func applyActionCode(
    _ code: String, session: AccountID? = nil, by caller: Caller
  ) async throws -> ActionCodeResult {
    let quirks = services.quirks
    let proof = proof
    return try await use(code, session: session, by: caller) { found in
      guard ![.resetPassword, .emailSignIn].contains(found.info.operation) else {
        throw AuthError.notAllowed(
          "This code is used in another way.",
          remedy: "Use confirmPasswordReset for a new password, and signIn for a link.")
      }
      return { old, snapshot, moment in
        let now = moment.now
        var new = old
        switch found.info.operation {
        case .verifyEmail:
          new = try old.moved(to: nil, shown: proof, on: snapshot, at: now)
        case .verifyAndChangeEmail:
          let email = found.info.newEmail ?? found.info.email
          new = try old.moved(to: email, shown: proof, on: snapshot, at: now)
        case .recoverEmail:
          new = try old.moved(to: found.info.email, shown: proof, on: snapshot, at: now)
          // The person who changed the address may be signed in.
          new.cutSessions(at: now)
        case .revertSecondFactorAddition:
          guard let factor = found.info.factor,
            old.secondFactors.contains(where: { $0.id == factor.id })
          else {
            throw AuthError.invalidActionCode.failing("The account has not the second factor.")
          }
          new.secondFactors.removeAll { $0.id == factor.id }
          new.cutSessions(at: now)
        case .resetPassword, .emailSignIn: break
        }
        quirks.keepSessions(of: old, in: &new)
        return new
      }
    }
  }

  /// Sets a new password with a code, verifies the address and ends every session.
  ///
  /// The new password is the account's only one. If the address is another one that signs in by links, it becomes the
  /// account's own. The old address, if it was verified, gets a code that reverts the change.
  ///
  /// If the address was unverified, only the mailbox proves who owns the account, so identities that do not prove the
  /// address are removed. An account whose uid the app chose stays with the app's user: it loses the address, and the
  /// address's owner gets a new account with the password.
  ///
  /// Throws like ``applyActionCode(_:session:by:)``, `weak-password` or `password-does-not-meet-requirements`. After
  /// the last two the code can be used again.
  public func confirmPasswordReset(
    _ code: String, newPassword: Secret<String>, by caller: Caller
  ) async throws -> ActionCodeResult {
    let quirks = services.quirks
    let newID = newAccountID()
    let proof = proof
    return try await use(code, by: caller) { found in
      let email = found.info.email
      guard found.info.operation == .resetPassword else {
        throw AuthError.invalidActionCode.failing("The code is for something else than a password.")
      }
      let encoded = try await passwordHash(newPassword, for: email, by: caller)
      return { old, snapshot, moment in
        let now = moment.now
        var account = old
        if quirks.opensBeside(old.isNamedByApp && !old.emailVerified) {
          try refuseOpening(snapshot.settings, caller)
          var changes = ProfileChanges()
          changes.email = .set(email)
          changes.emailVerified = true
          changes.password = newPassword
          return Account(id: newID, scope: caller.scope, createdAt: now)
            .applying(changes, secret: encoded, at: now).owned(since: moment.ownership)
        }
        quirks.reset(&account) { account in
          guard !old.emailVerified else { return }
          // The password's identity keeps its place and gets the new secret.
          let unproven = old.identities(notProving: email, snapshot.settings.trust)
          account.giveUp(
            unproven.filter { $0 != .password(email) }, to: moment.ownership, at: now)
        }
        var changes = ProfileChanges()
        // An address that signs in by links becomes the account's own, as by linking it.
        if !email.matches(old.email) { changes.email = .set(email) }
        changes.emailVerified = true
        changes.password = newPassword
        let moved = changes.email.applied(to: nil)
        if let taken = snapshot.taken(moved, nil, by: old, changes, proof: proof) { throw taken }
        try quirks.checkPasswords(snapshot.settings.signIn, caller)
        return account.applying(changes, secret: encoded, at: now).leavingLinks(of: snapshot)
      }
    }
  }

  /// Refuses to create an account by a reset if sign-ups are closed, or if a function of the app decides on them.
  private func refuseOpening(_ settings: ProjectSettings, _ caller: Caller) throws(AuthError) {
    try settings.signIn.checkSignUp(by: caller)
    let asksApp =
      !(services.hooks is NoHooks)
      && services.hooks.isInterested(in: settings.signIn.blockingFunctions)
    guard asksApp else { return }
    throw AuthError(
      .operationNotAllowed,
      "A password reset opens no account here, because a function of the app decides on new ones.",
      field: "oobCode", remedy: "Sign in by a link to the address.", step: .decision)
  }

  /// Records that the mailbox's reader did not ask for a code.
  ///
  /// A request to verify a never verified address came from a stranger's account. The account loses the address, the
  /// identities that do not prove it, and every session. If the address is already verified, the account is the
  /// reader's own, and only its sessions end. A request to change to the address is voided.
  ///
  /// Throws like ``applyActionCode(_:session:by:)``, or `operation-not-allowed` for a code of another kind.
  public func refuseActionCode(
    _ code: String, by caller: Caller
  ) async throws -> ActionCodeResult {
    try await use(code, isRefused: true, by: caller) { found in
      guard [.verifyEmail, .verifyAndChangeEmail].contains(found.info.operation) else {
        throw AuthError.notAllowed("Only a request to verify an address can be refused.")
      }
      return { old, snapshot, moment in
        guard found.info.operation == .verifyEmail else { return old }
        var new = old
        if old.emailVerified {
          new.cutSessions(at: moment.now)
        } else {
          new.leaveAddress(
            found.info.email, snapshot.settings.trust, to: moment.ownership, at: moment.now)
        }
        return new
      }
    }
  }

  /// The proof that a code of this graph gives.
  var proof: AddressProof { services.quirks.proof(.mailbox) }
}

extension Account {
  /// Returns the account with its address verified, or moved to another verified one.
  fileprivate func moved(
    to email: EmailAddress?, shown proof: AddressProof, on snapshot: Snapshot, at now: Timestamp
  ) throws -> Account {
    var changes = ProfileChanges()
    if let email { changes.email = .set(email) }
    changes.emailVerified = true
    if let taken = snapshot.taken(email, nil, by: self, changes, proof: proof) { throw taken }
    return applying(changes, secret: nil, at: now).leavingLinks(of: snapshot)
  }
}
