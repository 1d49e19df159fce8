extension RuleEvaluation {
  mutating func signIn(_ identity: VerifiedIdentity) -> Decision {
    if let id = identity.account { return enter(id) }
    guard let key = identity.key else {
      trace.note("identity", ["provider": identity.provider.rawValue], "anonymous: a new account")
      return .createAccount
    }
    if let old = identity.migratedFrom { return migrate(identity, key, from: old) }
    if let owner = owner(of: key) {
      return enter(owner, with: identity, key)
    }
    if let adoption = snapshot.adoption(by: identity) {
      trace.note(
        "owner of the identity",
        ["identity": key.description, "recorded as": adoption.former.description],
        "account \(adoption.account.id), whose identity gets this key")
      return admit(adoption.account, .signIn(adoption.account.id), by: key.provider)
    }
    trace.note("owner of the identity", ["identity": key.description], "no account")
    // Only an existing account creates a passkey.
    if key.provider == .passkey { return .refuse(.wrongCredential) }
    if case .matched = identity.secret {
      // The secret matched, but its identity was removed before the accounts were loaded.
      return .refuse(.wrongCredential)
    }
    guard let email = identity.email, settings.oneAccountPerEmail || key.provider == .emailLink
    else {
      trace.note(
        "one account per e-mail",
        [
          "setting": settings.oneAccountPerEmail ? "on" : "off",
          "e-mail": identity.email?.canonical ?? "none",
        ], "no account to match: a new one")
      return .createAccount
    }
    return match(identity, key, email)
  }

  mutating func signUp(_ identity: VerifiedIdentity) -> Decision {
    if let key = identity.key, owner(of: key) != nil {
      trace.note("owner of the identity", ["identity": key.description], "there is one")
      return .refuse(.emailAlreadyInUse)
    }
    if let email = identity.email, !holders(of: email).isEmpty {
      trace.note("accounts with the e-mail", ["e-mail": email.canonical], "there is one")
      return .refuse(.emailAlreadyInUse)
    }
    trace.note("accounts with the e-mail", ["e-mail": identity.email?.canonical], "none: a new one")
    return .createAccount
  }

  /// Signs in to the account that the credential names, or creates it.
  private mutating func enter(_ id: AccountID) -> Decision {
    if let account = snapshot.account(id) {
      trace.note("account named", ["uid": id.rawValue], "account \(account.id)")
      return admit(account, .signIn(account.id), by: .custom)
    }
    if let deletion = snapshot.keeper(of: id, at: now) {
      trace.note(
        "account named",
        ["uid": id.rawValue, "deleted by": deletion.actor, "deleted at": deletion.at.text],
        "its deletion can be undone until \(deletion.until.text)")
      return .refuse(.accountDeleted)
    }
    trace.note("account named", ["uid": id.rawValue], "none: a new account")
    return .createAccount
  }

  private mutating func enter(
    _ owner: Account, with identity: VerifiedIdentity, _ key: IdentityKey
  ) -> Decision {
    trace.note(
      "owner of the identity", ["identity": key.description], "account \(owner.id)")
    if let refusal = refuseReplaced(key, of: owner) { return refusal }
    if case .matched(let encoded, _) = identity.secret,
      owner.identity(key)?.secret?.encoded != encoded
    {
      trace.note("secret", [:], "it was changed while the credential was verified")
      return .refuse(.wrongCredential)
    }
    if key.provider == .phone && !owner.secondFactors.isEmpty {
      // A single stolen number would be both factors.
      trace.note("first factor", ["provider": "phone"], "the account has a second factor")
      return .refuse(.unsupportedFirstFactor)
    }
    return admit(owner, .signIn(owner.id), by: key.provider)
  }

  /// Returns the accounts that an address leads to.
  ///
  /// If several accounts may have one address, it leads to the one that signs in with it, by password or link, as in
  /// Firebase.
  private func holders(of email: EmailAddress) -> [Account] {
    guard !settings.oneAccountPerEmail else { return snapshot.accounts(.email(email)) }
    let found = [IdentityKey.password(email), .emailLink(email)]
      .flatMap { snapshot.accounts(.identity($0)) }
      .filter { email.matches($0.email) }
    return found.count == 2 && found[0].id == found[1].id ? [found[0]] : found
  }

  /// Decides on an identity without an owner by its address.
  ///
  /// If the provider's claim about the address is trusted, an account that has verified the address gets the
  /// identity, and an account that has not is taken over.
  private mutating func match(
    _ identity: VerifiedIdentity, _ key: IdentityKey, _ email: EmailAddress
  ) -> Decision {
    let candidates = holders(of: email)
    let verified = candidates.filter(\.emailVerified)
    trace.note(
      "accounts with the e-mail",
      ["e-mail": email.canonical, "verified": "\(verified.count)"],
      candidates.isEmpty
        ? "none: a new account" : candidates.map(\.id.rawValue).joined(separator: ", "))
    guard let account = verified.first ?? candidates.first else { return .createAccount }
    guard trusted(identity) else { return .refuse(.accountExistsWithDifferentCredential) }
    guard candidates.count == 1 || verified.count == 1 else {
      trace.note("one candidate", ["accounts": "\(candidates.count)"], "a person has to choose")
      return .refuse(.ambiguousEmail)
    }
    let others = account.identities.filter { $0.owns(keyOf: key.provider) }
    if replaces(key), let other = others.first {
      trace.note(
        "recycled e-mail", ["linked": other.key.description, "now": key.description],
        "the new subject takes the old one's place")
    } else if let other = others.first(where: {
      account.emailVerified || settings.trust.proves($0, email)
    }) {
      // The provider reassigned the address: a new subject is another person.
      trace.note(
        "recycled e-mail", ["linked": other.key.description, "now": key.description],
        "the provider gave this address to another subject")
      return .refuse(.accountExistsWithDifferentCredential)
    }
    if account.emailVerified {
      trace.note("account's e-mail", ["verified": "yes"], "link automatically")
      return admit(account, .autoLink(account.id), by: key.provider)
    }
    if quirks.linksUnverified(by: key) {
      trace.note(
        "account's e-mail", ["verified": "no"], "the link verifies it, and nothing is removed")
      return admit(account, .autoLink(account.id), by: key.provider)
    }
    if quirks.leaves(account.isNamedByApp) {
      trace.note(
        "account named by the app", ["account": account.id.rawValue],
        "not taken over: the address leaves it, and its owner gets a new account")
      return refuseDisabled(account) ?? .createBeside(account.id)
    }
    let unproven = quirks.removed(
      from: account, account.identities(notProving: email, settings.trust))
    let kept = quirks.factorsKept(of: account)
    let factors = account.secondFactors.count - kept.count
    trace.note(
      "account's e-mail", ["verified": "no"],
      "take over: \(unproven.count) identities, \(factors) second factors, the phone number and all sessions are removed"
    )
    let decision = Decision.takeOver(account.id, removing: unproven)
    // A factor from before the proof is not the owner's, and is removed with the rest.
    return kept.isEmpty
      ? refuseDisabled(account) ?? decision : admit(account, decision, by: key.provider)
  }
}
