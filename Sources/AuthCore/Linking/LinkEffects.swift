/// Turns a decision about a verified identity into the accounts as they will be.
///
/// Pure like the rules; every sentence of the linking tables that says what changes stands here.
struct LinkEffects {
  let identity: VerifiedIdentity
  let settings: ProjectSettings
  let now: Timestamp
  var quirks = EmulatorQuirks.production
  /// Whether somebody else than the provider says whose identity it is.
  var isAssertion = false

  /// Whether the provider's word on the e-mail counts.
  var emailIsProven: Bool {
    guard let email = identity.email else { return false }
    return identity.emailVerified
      && quirks.trusts(identity.provider, for: email, settings.trust)
  }

  /// The account that a first sign-in opens.
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
    // As in Firebase: nothing that claims to be older than a chosen password is this account's.
    if case .chosen = identity.secret { account.validSince = now }
    return account
  }

  /// What a sign-in leaves on the account that owns the identity.
  func signedIn(_ account: Account) -> Account {
    var account = account
    account.lastSignInAt = now
    if identity.account != nil { account.details.usedCustomToken = true }
    guard let key = identity.key else { return account }
    tell(&account, at: .signIn)
    account.adopt(identity, at: now)
    account.changeIdentity(reachedBy: key) { linked in
      linked.lastSignInAt = now
      if linked.hasProfileOfItsOwn { linked.renew(identity) }
      if case .matched(_, let rehashed?) = identity.secret { linked.secret?.encoded = rehashed }
    }
    return account
  }

  /// The account after somebody signed in to it by the same verified e-mail.
  func autoLinked(_ account: Account) -> Account { entered(account, at: .autoLink) }

  private func entered(_ account: Account, at occasion: ProfileOccasion) -> Account {
    var account = account
    tell(&account, at: occasion)
    account.emailVerified = true
    account.isAnonymous = false
    account.lastSignInAt = now
    if let key = identity.key { add(linked(key, to: account, signedIn: true), to: &account) }
    return account
  }

  /// The account after its e-mail's owner came: nothing of whoever opened it remains a way in.
  func takenOver(
    _ account: Account, removing keys: [IdentityKey], to ownership: Ownership
  ) -> Account {
    let kept = quirks.factorsKept(of: account)
    var account = account
    account.giveUp(keys, to: ownership, at: now)
    account.secondFactors = kept
    return entered(account, at: .takeOver)
  }

  /// The account with the identity added.
  ///
  /// Its session stays its own.
  func linked(to account: Account) -> Account {
    guard let key = identity.key else { return account }
    var account = account
    // The way to move to another address: a chosen password brings its own, and a link has shown the mailbox.
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

  /// The account without these identities; with a password its address may go.
  func unlinked(_ keys: [IdentityKey], from account: Account) -> Account {
    var account = account.unlinking(keys)
    if quirks.removesAddress(with: identity.provider) {
      account.email = nil
      account.emailVerified = false
    }
    return account
  }

  /// Lets the account hear what the provider says about the person.
  private func tell(_ account: inout Account, at occasion: ProfileOccasion) {
    guard identity.hasProfileOfItsOwn, !isAssertion, let occasion = quirks.heard(occasion) else {
      return
    }
    account.hear(identity.profile, at: occasion, settings.profileOnSignIn)
  }

  /// Adds an identity, at the place of the one it replaces where there may be one only.
  ///
  /// The rules let a second one come only where it may replace the first.
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
  /// Whether a provider tells about the person; a password or a number only repeats the account.
  public var hasProfileOfItsOwn: Bool { provider.tellsAboutPeople }
}

extension Identity {
  /// Takes over what the provider says now; what it says only once, as Apple does with names, stays.
  ///
  /// An address that it does not repeat at a sign-in is no longer its word; a renewed token may lack it. What
  /// another provider says of an address, as one that was renamed, is not this one's word.
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
  /// Whether the provider relies on a vendor's word about people, and not on the store alone.
  var tellsAboutPeople: Bool {
    ![.password, .phone, .emailLink, .custom].contains(self)
  }
}

extension Account {
  /// The account without these identities.
  ///
  /// The e-mail stays reserved, as in Firebase's production.
  func unlinking(_ keys: [IdentityKey]) -> Account {
    var account = self
    account.identities.removeAll { keys.contains($0.key) }
    if let number = phoneNumber, keys.contains(.phone(number)) { account.phoneNumber = nil }
    return account
  }
}
