import AuthCore

/// A case with what was decided about it, on which laws are formulas.
struct JudgedCase: Sendable {
  let state: SnapshotCase
  let outcome: LinkOutcome
  /// The accounts as they are afterwards.
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

  /// Changes of accounts that there were and still are.
  var updates: [(old: Account, new: Account)] {
    outcome.changes.compactMap { change in
      guard let old = change.old, let new = change.new else { return nil }
      return (old, new)
    }
  }

  func account(_ id: AccountID) -> Account? { after.first { $0.id == id } }

  /// Whether a credential is of an account: it owns the identity, or the app names the account.
  func isEntered(_ account: Account) -> Bool {
    if let key = question.identityKey, question.kind != .signUp { return account.owns(key) }
    return question.kind == .signInApp && state.target?.account.id == account.id
  }

  /// Whether the request shows that its bearer reads the mailbox of an account's address.
  func showsAddress(of account: Account) -> Bool {
    question.provenEmail.map { $0.matches(account.email) } ?? false
  }

  /// Whether the second factor of an account was shown, now or at the beginning of the session that asks.
  func hasShownFactor(of account: Account) -> Bool {
    guard let member = state.member(account.id) else { return false }
    return member.hasShownFactor || (member.isTarget && question.asker == .recentWithFactor)
  }

  /// Whether an account gave up an address that it never verified, or the ways in by it, and nothing else.
  func yielded(_ old: Account, _ new: Account) -> Bool {
    guard let email = old.email, !old.emailVerified, !new.emailVerified,
      new.email == nil || new.email == old.email,
      new.secondFactors == old.secondFactors, new.disabled == old.disabled
    else { return false }
    let waysIn = [IdentityKey.password(email), .emailLink(email)]
    return old.identities.allSatisfy { new.identities.contains($0) || waysIn.contains($0.key) }
      && new.identities.allSatisfy { old.identities.contains($0) }
  }

  /// Whether an address is proven to be somebody's after the change: the request shows its mailbox, or another account
  /// has it verified.
  func isProven(_ email: EmailAddress?, besides id: AccountID) -> Bool {
    guard let email else { return false }
    return email.matches(question.provenEmail)
      || after.contains { $0.id != id && $0.emailVerified && email.matches($0.email) }
  }
}
