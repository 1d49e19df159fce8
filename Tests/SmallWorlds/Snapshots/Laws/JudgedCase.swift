import AuthCore

/// A case with its decision, on which laws are formulas.
struct JudgedCase: Sendable {
  let state: SnapshotCase
  let outcome: LinkOutcome
  /// The accounts after the decision.
  let after: [Account]

  init(_ state: SnapshotCase, _ outcome: LinkOutcome) {
    self.state = state
    self.outcome = outcome
    guard !outcome.changes.isEmpty else {
      after = state.members.map(\.account)
      return
    }
    let changed = outcome.changes.compactMap { $0.old?.id }
    after =
      state.members.map(\.account).filter { !changed.contains($0.id) }
      + outcome.changes.compactMap(\.new)
  }

  var question: Question { state.question }
  var isAdmin: Bool { question.asker == .admin }
  var isSignIn: Bool { !question.changesAccount }

  /// Changes of accounts that exist before and after.
  var updates: [(old: Account, new: Account)] {
    outcome.changes.compactMap { change in
      guard let old = change.old, let new = change.new else { return nil }
      return (old, new)
    }
  }

  func account(_ id: AccountID) -> Account? { after.first { $0.id == id } }

  /// Tells whether a credential belongs to an account: it owns the identity, or the app names the account.
  func isEntered(_ account: Account) -> Bool {
    if let key = question.identityKey, question.kind != .signUp { return account.owns(key) }
    return question.kind == .signInApp && state.target?.account.id == account.id
  }

  /// Tells whether the request proves the mailbox of an account's address.
  func showsAddress(of account: Account) -> Bool {
    question.provenEmail.map { $0.matches(account.email) } ?? false
  }

  /// Tells whether the second factor of an account was shown, now or at the beginning of the calling session.
  func hasShownFactor(of account: Account) -> Bool {
    guard let member = state.member(account.id) else { return false }
    return member.hasShownFactor || (member.isTarget && question.asker == .recentWithFactor)
  }

  /// Tells whether an account lost only an address that it never verified, or that address's identities.
  func yielded(_ old: Account, _ new: Account) -> Bool {
    guard let email = old.email, !old.emailVerified, !new.emailVerified,
      new.email == nil || new.email == old.email,
      new.secondFactors == old.secondFactors, new.disabled == old.disabled
    else { return false }
    let waysIn = [IdentityKey.password(email), .emailLink(email)]
    return old.identities.allSatisfy { new.identities.contains($0) || waysIn.contains($0.key) }
      && new.identities.allSatisfy { old.identities.contains($0) }
  }

  /// Tells whether an address is proven after the change.
  ///
  /// Either the request proves its mailbox, or another account has it verified.
  func isProven(_ email: EmailAddress?, besides id: AccountID) -> Bool {
    guard let email else { return false }
    return email.matches(question.provenEmail)
      || after.contains { $0.id != id && $0.emailVerified && email.matches($0.email) }
  }
}
