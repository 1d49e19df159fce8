public import AuthCore

extension UserRecord {
  /// Makes the record that describes an account, with all that another store needs to let its people in again.
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
    if let stored = account.passwordIdentity?.secret {
      let columns = door.passwords.columns(stored.encoded)
      (passwordHash, salt) = (columns.hash, columns.salt)
      hashParameters = columns.parameters
    }
  }

  /// How many secrets of an account are not in its record: further passwords, as merges of version 0.1 left them, and
  /// secrets of authenticator apps that cannot be opened.
  public func missingSecrets(of account: Account) -> Int {
    let kept = account.passwordIdentity?.key
    return account.identities.count { $0.secret != nil && $0.key != kept }
      + zip(account.secondFactors, mfaInfo).count { factor, entry in
        factor.secret != nil && entry.totpInfo?.sharedSecretKey == nil
      }
  }
}

extension UserRecord.ProviderEntry {
  /// The entry of an identity; nil for a password, a link or a number that only repeats the account's own fields,
  /// as Firebase's files leave them out.
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
  /// Whether its own verified address signs in by a link.
  fileprivate var hasLinkOfOwnAddress: Bool {
    guard let email, emailVerified else { return false }
    return identity(.emailLink(email)) != nil
  }
}
