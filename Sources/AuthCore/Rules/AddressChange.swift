/// How an account's address changes, on every path: an update, a link, a code, a merge, an admin's edit.
///
/// A session never makes a verified address unproven, and where a verified address goes by a person's act, the old
/// mailbox gets a code that takes the change back. The old address's ways in go with it: its password moves to the new
/// address, and its e-mail link moves if the new mailbox was shown.
enum AddressChange {
  /// Refuses a session that moves its account to an address which nobody has shown to be its own.
  ///
  /// It would leave a verified address without its owner's consent. Behind a second factor, it would lock the new
  /// address's owner out. If answers hide who has an account, trying addresses would tell.
  static func refusal(
    of email: EmailAddress, for account: Account, by caller: Caller, _ settings: ProjectSettings
  ) -> AuthError? {
    guard !caller.isAdmin, !email.matches(account.email) else { return nil }
    guard account.secondFactors.isEmpty else { return .unverifiedEmail }
    return account.emailVerified || settings.signIn.hidesAccounts ? .unprovenAddress : nil
  }

  /// Refuses a link that moves a session's account to an unproven address.
  ///
  /// Unlike an update, it may give an account whose address is not verified another one: that is how an account gets
  /// its first password.
  static func refusal(
    ofLinking identity: VerifiedIdentity, to account: Account, by caller: Caller,
    _ settings: ProjectSettings
  ) -> AuthError? {
    guard identity.provider == .password, let email = identity.email else { return nil }
    if account.emailVerified {
      return refusal(of: email, for: account, by: caller, settings)
    }
    return account.secondFactors.isEmpty ? nil : .unverifiedEmail
  }

  /// Refuses a merge that leaves a person's verified address for an unproven one.
  static func refusal(ofMerging plan: MergePlan, by caller: Caller) -> AuthError? {
    guard !caller.isAdmin, plan.result.email != nil, !plan.result.emailVerified,
      plan.survivor.emailVerified || plan.absorbed.emailVerified
    else { return nil }
    return .mergeRefused(
      "The merge would leave a verified address for one that is not.",
      "Verify the other address first.")
  }

  /// Whether a change of the address takes away the only way in, a link to the old one.
  static func strandsLink(from old: Account, to new: Account) -> Bool {
    guard let before = old.email, new.email != nil, !before.matches(new.email),
      old.identity(.emailLink(before)) != nil
    else { return false }
    return new.identities.isEmpty
  }

  /// Whether an identity shows the mailbox of its address.
  static func showsMailbox(_ identity: VerifiedIdentity) -> Bool {
    identity.provider == .emailLink && identity.emailVerified
  }
}

/// An account's verified address that a change took from it.
struct LostAddress: Hashable, Sendable {
  let email: EmailAddress
  /// The account as it is after the change; after a merge the survivor.
  let account: Account
}

extension ChangeSet {
  /// The verified addresses that accounts lose without being deleted.
  var lostAddresses: [LostAddress] {
    var pairs = updated.map { ($0.old, $0.new) }
    if let merge, merge.undoneBy == nil, !deleted.isEmpty {
      pairs.append((merge.absorbedBefore, merge.survivorAfter))
    }
    return pairs.compactMap { old, new in
      guard old.emailVerified, let email = old.email, !email.matches(new.email) else { return nil }
      return LostAddress(email: email, account: new)
    }
  }

  /// Takes an address whose mailbox was shown from the accounts that never verified it, and ends their sessions.
  ///
  /// Their passwords and e-mail links of the address go with it; the accounts and their other ways in stay. Returns the
  /// accounts that lost it.
  mutating func yieldAddress(
    _ email: EmailAddress, _ snapshot: Snapshot, at now: Timestamp
  ) -> [AccountID] {
    guard snapshot.settings.oneAccountPerEmail else { return [] }
    let changed = updated.map(\.new.id) + inserted.map(\.id) + deleted.map(\.id)
    let holders = snapshot.accounts(.email(email)).filter {
      !$0.emailVerified && email.matches($0.email) && !changed.contains($0.id)
    }
    let yielding = holders.map { holder in
      var freed = holder
      freed.moveAddress(to: nil, isProven: false, at: now)
      return Update(old: holder, new: freed)
    }
    // First, because they free the keys that the owner may take.
    updated.insert(contentsOf: yielding, at: 0)
    return holders.map(\.id)
  }
}

extension Account {
  /// Moves the account to another address, or leaves it without one.
  ///
  /// The password follows, the e-mail link follows if the new mailbox was shown, and sessions end. Writes the spelling
  /// alone if it is the same address.
  mutating func moveAddress(to new: EmailAddress?, isProven: Bool, at now: Timestamp) {
    defer {
      email = new
      emailVerified = new != nil && isProven
    }
    let isSame = email.map { $0.matches(new) } ?? (new == nil)
    guard !isSame else { return }
    // Kept for a recovery of Firebase's emulator; an anonymous account had no address to lose.
    if new != nil, !isAnonymous, details.initialEmail == nil { details.initialEmail = email }
    if let password = passwordIdentity { movePassword(password, to: new) }
    moveEmailLink(to: isProven ? new : nil)
    cutSessions(at: now)
  }

  /// Moves a password to another address, or removes it without one.
  ///
  /// Any other password goes, because an account has one.
  private mutating func movePassword(_ password: Identity, to email: EmailAddress?) {
    identities.removeAll { $0.provider == .password && $0.key != password.key }
    replaceIdentity(password.key, with: email.map(IdentityKey.password), password.profile)
  }

  /// Moves the e-mail link of the account's address, or removes it: the old mailbox's reader is no longer this person.
  private mutating func moveEmailLink(to new: EmailAddress?) {
    guard let email, let link = identity(.emailLink(email)) else { return }
    let isLinked = new.map { identity(.emailLink($0)) != nil } ?? false
    var profile = link.profile
    profile.email = new?.text
    replaceIdentity(link.key, with: isLinked ? nil : new.map(IdentityKey.emailLink), profile)
  }

  private mutating func replaceIdentity(
    _ key: IdentityKey, with new: IdentityKey?, _ profile: IdentityProfile
  ) {
    guard let index = identities.keys.firstIndex(of: key) else { return }
    guard let new else {
      identities.remove(at: index)
      return
    }
    let old = identities[index]
    identities[index] = Identity(
      key: new, profile: profile, emailVerified: old.emailVerified, origin: old.origin,
      linkedAt: old.linkedAt, lastSignInAt: old.lastSignInAt, secret: old.secret)
  }

  /// The account without a moved e-mail link that another account signs in with.
  func leavingLinks(of others: Snapshot) -> Account {
    guard let email else { return self }
    let key = IdentityKey.emailLink(email)
    let isTaken = others.accounts(.identity(key)).contains { $0.id != id }
    guard isTaken else { return self }
    var account = self
    account.identities.removeAll { $0.key == key }
    return account
  }
}

extension AuthError {
  static let strandedLink = AuthError(
    .operationNotAllowed,
    "The account signs in by links to its address alone, and nobody has shown the new one.",
    field: "email",
    remedy:
      "Set emailVerified with the address, give a password with it, or have the person change it by a code.",
    step: .decision)
  static let unprovenAddress = AuthError(
    .operationNotAllowed, "Please verify the new email before changing email.", field: "email",
    remedy: "Ask for a code that verifies and changes the address.", step: .decision)
}
