/// The rules for changing an account's address, on every path: update, link, code, merge and an admin's edit.
///
/// A session never replaces a verified address by an unproven one. If a person's act removes a verified address, the
/// old mailbox gets a code that reverts the change. The password moves to the new address. The e-mail link moves only
/// if the new mailbox was proven, and is removed otherwise.
enum AddressChange {
  /// Refuses to let a session move its account to an unproven address.
  ///
  /// Such a move would leave a verified address without its owner's consent. Behind a second factor, it would lock out
  /// the new address's owner. If the scope hides who has an account, it would reveal which addresses are taken.
  static func refusal(
    of email: EmailAddress, for account: Account, by caller: Caller, _ settings: ProjectSettings
  ) -> AuthError? {
    guard !caller.isAdmin, !email.matches(account.email) else { return nil }
    guard account.secondFactors.isEmpty else { return .unverifiedEmail }
    return account.emailVerified || settings.signIn.hidesAccounts ? .unprovenAddress : nil
  }

  /// Refuses a link that moves a session's account to an unproven address.
  ///
  /// Unlike an update, a link may replace an unverified address: that is how an account gets its first password.
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
      "The merge would replace a verified address by an unverified one.",
      "Verify the other address first.")
  }

  /// Tells whether a change of the address removes the only way to sign in, a link to the old one.
  static func strandsLink(from old: Account, to new: Account) -> Bool {
    guard let before = old.email, new.email != nil, !before.matches(new.email),
      old.identity(.emailLink(before)) != nil
    else { return false }
    return new.identities.isEmpty
  }

  /// Tells whether an identity proves the mailbox of its address.
  static func showsMailbox(_ identity: VerifiedIdentity) -> Bool {
    identity.provider == .emailLink && identity.emailVerified
  }
}

/// A verified address that a change removed from an account.
struct LostAddress: Hashable, Sendable {
  let email: EmailAddress
  /// The account after the change; after a merge the survivor.
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
      // A split or a move takes a verified address to an account of the same change.
      let isKept = (inserted + updated.map(\.new)).contains {
        $0.emailVerified && email.matches($0.email)
      }
      guard transfer == nil || !isKept else { return nil }
      return LostAddress(email: email, account: new)
    }
  }

  /// Removes an address with a proven mailbox from accounts that never verified it, and ends their sessions.
  ///
  /// Their passwords and e-mail links for the address are removed too; their other identities stay. Returns the uids of
  /// those accounts.
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
    // They come first, because they free the keys that the owner may take.
    updated.insert(contentsOf: yielding, at: 0)
    return holders.map(\.id)
  }
}

extension Account {
  /// Moves the account to another address, or removes its address.
  ///
  /// The password follows, the e-mail link follows if the new mailbox was proven, and sessions end. If it is the same
  /// address, only the spelling changes.
  mutating func moveAddress(to new: EmailAddress?, isProven: Bool, at now: Timestamp) {
    defer {
      email = new
      emailVerified = new != nil && isProven
    }
    let isSame = email.map { $0.matches(new) } ?? (new == nil)
    guard !isSame else { return }
    // The first address, for the recovery in Firebase's emulator; an anonymous account had none.
    if new != nil, !isAnonymous, details.initialEmail == nil { details.initialEmail = email }
    if let password = passwordIdentity { movePassword(password, to: new) }
    moveEmailLink(to: isProven ? new : nil)
    cutSessions(at: now)
  }

  /// Moves a password to another address; without an address, removes it.
  ///
  /// Any other password is removed, because an account has one.
  private mutating func movePassword(_ password: Identity, to email: EmailAddress?) {
    identities.removeAll { $0.provider == .password && $0.key != password.key }
    // The old system's person of the new address is another one.
    let new = password.isElsewhere ? nil : email.map(IdentityKey.password)
    replaceIdentity(password.key, with: new, password.profile)
  }

  /// Moves the e-mail link of the account's address, or removes it, because the old mailbox may have another reader.
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

  /// Returns the account without a moved e-mail link if another account signs in with that link.
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
    "The account signs in by links to its address alone, and the new one is not verified.",
    field: "email",
    remedy:
      "Set emailVerified with the address, give a password with it, or have the person change it by a code.",
    step: .decision)
  static let unprovenAddress = AuthError(
    .operationNotAllowed, "Please verify the new email before changing email.", field: "email",
    remedy: "Ask for a code that verifies and changes the address.", step: .decision)
}
