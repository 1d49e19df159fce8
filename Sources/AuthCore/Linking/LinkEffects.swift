/// Applies a decision about a verified identity to the accounts.
///
/// Pure like the rules: it has every change of the linking tables.
struct LinkEffects {
  let identity: VerifiedIdentity
  let settings: ProjectSettings
  let now: Timestamp
  var quirks = EmulatorQuirks.production
  /// True if the caller asserts the identity, and no provider vouches for it.
  var isAssertion = false

  /// True if the provider verified the e-mail and is trusted for it.
  var emailIsProven: Bool {
    guard let email = identity.email else { return false }
    return identity.emailVerified
      && quirks.trusts(identity.voucher, for: email, settings.trust)
  }

  /// Returns the account that a first sign-in creates.
  func newAccount(_ id: AccountID, in scope: Scope) -> Account {
    var account = Account(id: id, scope: scope, createdAt: now)
    account.lastSignInAt = now
    guard let key = identity.key else {
      account.isAnonymous = identity.account == nil
      account.details.usedCustomToken = identity.account != nil
      return account
    }
    account.show(identity.profile)
    account.phoneNumber = identity.phoneNumber
    if settings.oneAccountPerEmail || [.password, .emailLink].contains(key.provider) {
      account.email = identity.email
      account.emailVerified = emailIsProven
    }
    account.identities = [linked(key, to: account, signedIn: true)]
    // As in Firebase, a session that claims to be older than the chosen password is not valid.
    if case .chosen = identity.secret { account.validSince = now }
    return account
  }

  /// Returns the account that owns the identity, after a sign-in.
  func signedIn(_ account: Account) -> Account {
    var account = account
    account.lastSignInAt = now
    if identity.account != nil { account.details.usedCustomToken = true }
    guard let key = identity.key else { return account }
    tell(&account, at: .signIn)
    account.adopt(identity, at: now)
    account.liftSuspension(of: key)
    account.changeIdentity(reachedBy: key) { linked in
      linked.lastSignInAt = now
      if linked.hasProfileOfItsOwn { linked.renew(identity) }
      if case .matched(_, let rehashed?) = identity.secret { linked.secret?.encoded = rehashed }
      if case .chosen(let encoded) = identity.secret, linked.isElsewhere {
        linked.secret = StoredSecret(encoded: encoded, changedAt: now)
      }
    }
    if identity.migratedFrom != nil, emailIsProven, identity.email?.matches(account.email) == true {
      account.emailVerified = true
    }
    return account
  }

  /// Returns the account after a sign-in by the same verified e-mail.
  func autoLinked(_ account: Account) -> Account { entered(account, at: .autoLink) }

  private func entered(_ account: Account, at occasion: ProfileOccasion) -> Account {
    var account = account
    tell(&account, at: occasion)
    account.emailVerified = true
    account.isAnonymous = false
    if !quirks.signsInLater(to: account, by: identity.provider) { account.lastSignInAt = now }
    if let key = identity.key { add(linked(key, to: account, signedIn: true), to: &account) }
    return account
  }

  /// Returns the account after a sign-in by its e-mail's owner, without the identities of the person who created it.
  func takenOver(
    _ account: Account, removing keys: [IdentityKey], to ownership: Ownership
  ) -> Account {
    let kept = quirks.factorsKept(of: account)
    var account = account
    account.giveUp(keys, to: ownership, at: now)
    account.secondFactors = kept
    return entered(account, at: .takeOver)
  }

  /// Returns the account with the identity added; its session continues.
  func linked(to account: Account) -> Account {
    guard let key = identity.key else { return account }
    var account = account
    // Both move the account to another address: a new password belongs to one, and a link has proven one.
    if let email = identity.email, !email.matches(account.email),
      key.provider == .password || (key.provider == .emailLink && emailIsProven)
    {
      account.moveAddress(to: email, isProven: key.provider == .emailLink, at: now)
    }
    account.isAnonymous = false
    tell(&account, at: .link)
    add(linked(key, to: account, signedIn: false), to: &account)
    if key.provider == .phone && settings.allowsOne(of: .phone) {
      account.phoneNumber = identity.phoneNumber
    }
    account.phoneNumber = account.phoneNumber ?? identity.phoneNumber
    guard let email = identity.email else { return account }
    if key.provider == .emailLink && emailIsProven {
      account.emailVerified = true
    } else if key.provider == .password {
      account.cutSessions(at: now)
    } else if account.email == nil && settings.oneAccountPerEmail
      && quirks.takesAddress(emailIsProven || account.secondFactors.isEmpty)
    {
      account.email = email
      account.emailVerified = emailIsProven
    } else if email.matches(account.email) && emailIsProven {
      account.emailVerified = true
    }
    return account
  }

  /// Returns the account without these identities; with a password the emulator also removes the address.
  func unlinked(_ keys: [IdentityKey], from account: Account) -> Account {
    var account = account.unlinking(keys)
    if quirks.removesAddress(with: identity.provider) {
      account.email = nil
      account.emailVerified = false
    }
    return account
  }

  /// Updates the account's profile from the provider's.
  private func tell(_ account: inout Account, at occasion: ProfileOccasion) {
    guard identity.hasProfileOfItsOwn, !isAssertion, let occasion = quirks.heard(occasion) else {
      return
    }
    account.hear(identity.profile, at: occasion, settings.profileOnSignIn)
  }

  /// Adds an identity, in the place of the one it replaces if only one is allowed.
  ///
  /// The rules allow a second one only if it may replace the first.
  private func add(_ new: Identity, to account: inout Account) {
    let isAlone = settings.allowsOne(of: new.provider)
    let mayReplace = isAlone && quirks.replaces(new.provider == .phone)
    let places = [
      account.identities.index(reachedBy: new.key),
      mayReplace ? account.identities.index(of: new.provider) : nil,
    ]
    guard let place = places.compactMap(\.self).min() else {
      account.identities.append(new)
      return
    }
    account.identities.removeAll { old in
      old.owns(new.key) || (mayReplace && old.provider == new.provider)
    }
    account.identities.insert(new, at: place)
  }

  private func linked(_ key: IdentityKey, to account: Account, signedIn: Bool) -> Identity {
    var new = Identity(
      key: key, profile: identity.profile, emailVerified: identity.emailVerified,
      origin: .credential, linkedAt: account.linking(at: now), lastSignInAt: signedIn ? now : nil)
    if case .chosen(let encoded) = identity.secret {
      new.secret = StoredSecret(encoded: encoded, changedAt: now)
    }
    return new
  }
}

extension Identity {
  /// True if the provider has data about the person; a password or a number only repeats the account.
  public var hasProfileOfItsOwn: Bool { provider.tellsAboutPeople }
}

extension Identity {
  /// Takes over the provider's new data; data that the provider sends only once stays, such as names from Apple.
  ///
  /// An address that the provider omits at a sign-in no longer counts as verified, but a renewed token may lack it. The
  /// word of another provider, such as one that was renamed, does not count for this one.
  mutating func renew(_ identity: VerifiedIdentity, keepingEmail: Bool = false) {
    let (old, new) = (profile, identity.profile)
    let keepsEmail = identity.provider != provider || (keepingEmail && new.email == nil)
    profile = IdentityProfile(
      email: keepsEmail ? old.email : new.email, displayName: new.displayName ?? old.displayName,
      photoURL: new.photoURL ?? old.photoURL, phoneNumber: new.phoneNumber ?? old.phoneNumber,
      screenName: new.screenName ?? old.screenName, language: new.language ?? old.language,
      dateOfBirth: new.dateOfBirth ?? old.dateOfBirth)
    if !keepsEmail { emailVerified = identity.emailVerified }
  }
}

extension VerifiedIdentity {
  var hasProfileOfItsOwn: Bool { provider.tellsAboutPeople }
}

extension ProviderID {
  /// True if the provider relies on a vendor's data about people, and not on the store alone.
  var tellsAboutPeople: Bool {
    ![.password, .phone, .emailLink, .custom].contains(self)
  }
}

extension Account {
  /// Returns the account without these identities.
  ///
  /// The e-mail stays reserved, as in Firebase's production.
  func unlinking(_ keys: [IdentityKey]) -> Account {
    var account = self
    account.identities.removeAll { keys.contains($0.key) }
    if let number = phoneNumber, keys.contains(.phone(number)) { account.phoneNumber = nil }
    return account
  }
}
