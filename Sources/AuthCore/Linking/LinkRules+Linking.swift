extension RuleEvaluation {
  mutating func link(_ identity: VerifiedIdentity, to id: AccountID) -> Decision {
    let account: Account
    switch editable(id) {
    case .success(let found): account = found
    case .failure(let error) where error.code == .secondFactorRequired:
      return .secondFactor(snapshot.account(id)?.id ?? id, then: .link(id))
    case .failure(let error): return .refuse(error)
    }
    guard let key = identity.key else {
      return .refuse(.notAllowed("A credential of \(identity.provider) cannot be linked."))
    }
    if key.provider == .phone && !account.secondFactors.isEmpty {
      trace.note("first factor", ["provider": "phone"], "the account has a second factor")
      return .refuse(.unsupportedFirstFactor)
    }
    if let refusal = quirks.refusal(ofLinking: identity, to: account, &trace) {
      return .refuse(refusal)
    }
    if account.identity(key)?.isElsewhere == true, case .chosen = identity.secret {
      trace.note("password elsewhere", ["identity": key.description], "the new one takes its place")
      return .link(account.id)
    }
    if let decision = linkedAlready(identity, on: account) { return decision }
    if let refusal = refuseSecond(key, account) { return refusal }
    if let refusal = quirks.refusal(
      ofMove: AddressChange.refusal(ofLinking: identity, to: account, by: caller, settings))
    {
      trace.note(
        "account's e-mail",
        ["verified": account.emailVerified ? "yes" : "no", "new": identity.email?.canonical],
        "a session changes it only to a proven address")
      return .refuse(refusal)
    }
    if account.former(of: identity) != nil {
      trace.note("linked already", ["identity": key.description], "under an earlier key")
      return .refuse(.providerAlreadyLinked(key.provider))
    }
    let holder = owner(of: key) ?? snapshot.adoption(by: identity)?.account
    if let existing = holder, existing.id != account.id,
      !yields(key, of: existing, to: account, identity)
    {
      trace.note("owner of the identity", ["identity": key.description], "account \(existing.id)")
      if let refusal = refuseReplaced(key, of: existing) { return refusal }
      let isAddress = [.password, .emailLink].contains(key.provider)
      let error = isAddress ? AuthError.emailAlreadyInUse : .credentialAlreadyInUse
      return .conflict(error, current: account.id, existing: existing.id)
    }
    trace.note("owner of the identity", ["identity": key.description], "nobody else")
    return emailConflict(identity, account) ?? .link(account.id)
  }

  /// Tells whether another account's password yields, because this account has proven the address.
  private mutating func yields(
    _ key: IdentityKey, of existing: Account, to account: Account, _ identity: VerifiedIdentity
  ) -> Bool {
    guard key.provider == .password, let email = identity.email, account.emailVerified,
      email.matches(account.email), snapshot.yieldsPassword(of: email, existing)
    else { return false }
    trace.note(
      "owner of the identity", ["identity": key.description],
      "account \(existing.id), which never proved the address: it yields")
    return true
  }

  mutating func assert(_ key: IdentityKey, to id: AccountID) -> Decision {
    let account: Account
    switch editable(id) {
    case .success(let found): account = found
    case .failure(let error): return .refuse(error)
    }
    return assert(key, to: account)
  }

  /// Decides whether an identity may be asserted on an account that the caller may change.
  mutating func assert(_ key: IdentityKey, to account: Account) -> Decision {
    guard quirks.believes(caller) else {
      return .refuse(.notAllowed("Only an admin may link an identity without a credential."))
    }
    if let refusal = refuseSecond(key, account, isAssertion: true) { return refusal }
    if let existing = owner(of: key), existing.id != account.id {
      trace.note("owner of the identity", ["identity": key.description], "account \(existing.id)")
      if quirks.moves(key) { return .link(account.id) }
      return .conflict(.credentialAlreadyInUse, current: account.id, existing: existing.id)
    }
    trace.note("owner of the identity", ["identity": key.description], "nobody else")
    return .link(account.id)
  }

  /// Returns true if an identity replaces the account's present one of the same provider.
  ///
  /// A proven phone number always does, because Firebase's clients change the number that way.
  func replaces(_ key: IdentityKey) -> Bool {
    guard settings.allowsOne(of: key.provider) else { return false }
    return quirks.replaces(key.provider == .phone && !caller.isAdmin)
  }

  /// Refuses an identity that the account already has, or a second one if only one is allowed.
  private mutating func refuseSecond(
    _ key: IdentityKey, _ account: Account, isAssertion: Bool = false
  ) -> Decision? {
    let hasThis = account.owns(key)
    if hasThis,
      let isAllowed = quirks.allowsRelinking(key, onWord: isAssertion || caller.isAdmin)
    {
      guard !isAllowed else { return nil }
      trace.note("linked already", ["identity": key.description], "by this account")
      return .refuse(.credentialAlreadyInUse)
    }
    let isFull =
      settings.allowsOne(of: key.provider) && account.identities.index(of: key.provider) != nil
    guard hasThis || (isFull && !replaces(key)) else { return nil }
    trace.note(
      "linked already",
      [
        "provider": key.provider.rawValue,
        "setting": "identitiesPerProvider \(settings.identitiesPerProvider.rawValue)",
      ], "the account has one")
    return .refuse(.providerAlreadyLinked(key.provider))
  }

  /// Finds another account with the other credential of the address: links, or a password that does not yield.
  ///
  /// Firebase keeps one account for both, even if several accounts may have one address.
  private mutating func siblingConflict(
    _ email: EmailAddress, _ identity: VerifiedIdentity, _ account: Account
  ) -> Decision? {
    let isLink = identity.provider == .emailLink
    guard isLink || identity.provider == .password else { return nil }
    let key = isLink ? IdentityKey.password(email) : .emailLink(email)
    guard let existing = owner(of: key), existing.id != account.id,
      !(isLink && snapshot.yieldsPassword(of: email, existing))
    else { return nil }
    trace.note("owner of the address", ["identity": key.description], "account \(existing.id)")
    return .conflict(.emailAlreadyInUse, current: account.id, existing: existing.id)
  }

  /// Finds another account with the identity's address that prevents the link.
  private mutating func emailConflict(
    _ identity: VerifiedIdentity, _ account: Account
  ) -> Decision? {
    guard let email = identity.email else { return nil }
    guard settings.oneAccountPerEmail else { return siblingConflict(email, identity, account) }
    let others = snapshot.owners(of: email, beside: [account.id], shown: .none)
    trace.note(
      "other accounts with the e-mail", ["e-mail": email.canonical],
      others.isEmpty ? "none" : others.map(\.id.rawValue).joined(separator: ", "))
    guard let existing = others.first(where: \.emailVerified) ?? others.first else { return nil }
    if email.matches(account.email) && !existing.emailVerified {
      trace.note("account's e-mail", ["same address": "yes"], "the link takes no address away")
      return nil
    }
    // An anonymous person gets a conflict, and can sign in to the holder's account by the same mailbox. A link would
    // end that account's hold on the address.
    if !existing.emailVerified, !account.isAnonymous,
      quirks.shows(AddressChange.showsMailbox(identity))
    {
      trace.note("mailbox", ["shown": "yes"], "an account that never verified the address yields")
      return nil
    }
    return .conflict(.emailAlreadyInUse, current: account.id, existing: existing.id)
  }
}
