public import AuthCore

extension UserRecord {
  /// Makes the record of an account, with everything that another store needs for the same sign-ins.
  public init(_ account: Account, at door: RecordDoor) {
    localId = account.id.rawValue
    email = account.email?.text
    emailVerified = account.email == nil ? nil : account.emailVerified
    displayName = account.displayName
    photoUrl = account.photoURL
    createdAt = account.createdAt
    lastSignedInAt = account.lastSignInAt
    phoneNumber = account.phoneNumber?.text
    disabled = account.disabled
    customAttributes = account.customClaims?.text
    customAuth = account.details.usedCustomToken ? true : nil
    emailLinkSignin = account.hasLinkOfOwnAddress ? true : nil
    initialEmail = account.details.initialEmail?.text
    screenName = account.details.screenName
    language = account.details.language
    timeZone = account.details.timeZone
    dateOfBirth = account.details.dateOfBirth
    providerUserInfo = account.identities.compactMap { ProviderEntry($0, of: account) }
    hasFactorsWithoutEmail =
      account.email == nil && !account.secondFactors.isEmpty ? true : nil
    mfaInfo = account.secondFactors.map { FactorEntry($0, secret: door.totp?.open($0)) }
    passwordElsewhere = account.passwordIdentity?.isElsewhere == true ? true : nil
    if let stored = account.storedPassword {
      let columns = door.passwords.columns(stored.encoded)
      (passwordHash, salt) = (columns.hash, columns.salt)
      hashParameters = columns.parameters
    }
  }

  /// Returns the number of the account's secrets that the record omits: additional passwords, left behind by merges of
  /// version 0.1, and secrets of authenticator apps that cannot be opened.
  public func missingSecrets(of account: Account) -> Int {
    let kept = account.passwordIdentity?.key
    return account.identities.count { $0.secret != nil && $0.key != kept }
      + zip(account.secondFactors, mfaInfo).count { factor, entry in
        factor.secret != nil && entry.totpInfo?.sharedSecretKey == nil
      }
  }
}

extension UserRecord.ProviderEntry {
  /// Makes the entry of an identity; nil for a password, link or number that only repeats the account's own fields,
  /// which Firebase's files omit.
  fileprivate init?(_ identity: Identity, of account: Account) {
    let profile = identity.profile
    let isFurther =
      identity.provider == .phone && identity.key != account.phoneNumber.map(IdentityKey.phone)
    if identity.provider == .emailLink && account.hasLinkOfOwnAddress { return nil }
    if !identity.hasProfileOfItsOwn && !isFurther && profile == IdentityProfile() { return nil }
    providerId = identity.provider.rawValue
    rawId =
      identity.provider == .password
      ? profile.email ?? identity.key.subject : identity.key.subject
    email = profile.email
    displayName = profile.displayName
    photoUrl = profile.photoURL
    phoneNumber = profile.phoneNumber
    screenName = profile.screenName
    issuer = identity.key.issuer.isEmpty ? nil : identity.key.issuer
    self.isFurther = isFurther ? true : nil
  }
}

extension UserRecord.FactorEntry {
  fileprivate init(_ factor: SecondFactor, secret: String?) {
    mfaEnrollmentId = factor.id
    displayName = factor.displayName
    enrolledAt = factor.enrolledAt
    switch factor.kind {
    case .phone(let number): phoneInfo = number.text
    case .totp: totpInfo = TOTPInfo(sharedSecretKey: secret)
    }
  }
}

extension Account {
  /// Tells whether the account's own verified address signs in with an e-mail link.
  fileprivate var hasLinkOfOwnAddress: Bool {
    guard let email, emailVerified else { return false }
    return identity(.emailLink(email)) != nil
  }
}
