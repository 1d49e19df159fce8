public import AuthCore

/// How the password columns of a file relate to stored secrets; the hashing is a provider's matter.
public struct PasswordColumns: Sendable {
  /// Makes the stored form from the file's hash and salt; throws where it cannot be verified later.
  public let stored: @Sendable (_ hash: String, _ salt: String?) throws(AuthError) -> String
  /// Takes the stored form apart into hash and salt.
  public let columns: @Sendable (_ stored: String) -> (hash: String, salt: String?)

  public init(
    stored: @escaping @Sendable (_ hash: String, _ salt: String?) throws(AuthError) -> String,
    columns: @escaping @Sendable (_ stored: String) -> (hash: String, salt: String?)
  ) {
    self.stored = stored
    self.columns = columns
  }
}

extension UserRecord {
  /// Makes the account that the record describes.
  ///
  /// Throws an ``AuthError`` that names the field. The sessions of before the import end, as in Firebase.
  public func account(
    in scope: Scope, passwords: PasswordColumns, registered: [ProviderID], at now: Timestamp
  ) throws(AuthError) -> Account {
    var account = Account(
      id: try AccountID(validating: localId), scope: scope, createdAt: createdAt ?? now)
    account.email = try email.map { text throws(AuthError) in try EmailAddress(given: text) }
    account.emailVerified = account.email != nil && emailVerified == true
    account.displayName = displayName
    account.photoURL = photoUrl
    account.phoneNumber = try phoneNumber.map { text throws(AuthError) in try PhoneNumber(text) }
    account.disabled = disabled ?? false
    account.lastSignInAt = lastSignedInAt
    account.validSince = now
    if let text = customAttributes, !text.isEmpty {
      account.customClaims = try CustomClaims(text: text)
    }
    var keys: Set<IdentityKey> = []
    for entry in providerUserInfo {
      let identity = try entry.identity(at: account.createdAt, registered: registered)
      guard keys.insert(identity.key).inserted else {
        throw AuthError(
          .invalidArgument, "The record has the identity \(identity.key) twice.",
          field: "providerUserInfo", remedy: "Keep it once.")
      }
      account.identities.append(identity)
    }
    try addPassword(to: &account, passwords, at: now)
    if let number = account.phoneNumber, account.identity(.phone(number)) == nil {
      account.identities.append(
        Identity(key: .phone(number), origin: .imported, linkedAt: account.createdAt))
    }
    for (index, entry) in mfaInfo.enumerated() {
      account.secondFactors.append(try entry.factor(of: localId, number: index + 1))
    }
    account.isAnonymous =
      account.identities.isEmpty && account.email == nil && account.phoneNumber == nil
    return account
  }

  private func addPassword(
    to account: inout Account, _ passwords: PasswordColumns, at now: Timestamp
  ) throws(AuthError) {
    guard let passwordHash, !passwordHash.isEmpty else { return }
    guard let email = account.email else {
      throw AuthError(
        .invalidArgument, "The record has a password and no e-mail address.", field: "passwordHash",
        remedy: "Give it an email, or leave passwordHash out.")
    }
    let secret = StoredSecret(
      encoded: try passwords.stored(passwordHash, salt), changedAt: now)
    if let index = account.identities.firstIndex(where: { $0.key == .password(email) }) {
      account.identities[index].secret = secret
    } else {
      account.identities.append(
        Identity(
          key: .password(email), origin: .imported, linkedAt: account.createdAt, secret: secret))
    }
  }

  /// How many secrets of an account the format has no place for: further passwords, as merges of version 0.1 left
  /// them, and those of TOTP factors.
  public static func inexpressibleSecrets(of account: Account) -> Int {
    let kept = account.passwordIdentity?.key
    return account.identities.count { $0.secret != nil && $0.key != kept }
      + account.secondFactors.count { $0.secret != nil }
  }

  /// Makes the record that describes an account.
  public init(_ account: Account, passwords: PasswordColumns) {
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
    providerUserInfo = account.identities.compactMap(ProviderEntry.init)
    mfaInfo = account.secondFactors.map(FactorEntry.init)
    if let stored = account.passwordIdentity?.secret {
      (passwordHash, salt) = passwords.columns(stored.encoded)
    }
  }
}

extension UserRecord.ProviderEntry {
  fileprivate func identity(
    at linkedAt: Timestamp, registered: [ProviderID]
  ) throws(AuthError) -> Identity {
    let provider = ProviderID(providerId)
    try KnownProviders.check(provider, registered: registered)
    let profile = IdentityProfile(
      email: email, displayName: displayName, photoURL: photoUrl, phoneNumber: phoneNumber,
      screenName: screenName)
    return Identity(
      key: try key(provider), profile: profile, origin: .imported, linkedAt: linkedAt)
  }

  private func key(_ provider: ProviderID) throws(AuthError) -> IdentityKey {
    if provider == .password, let address = email ?? rawId {
      return .password(try EmailAddress(given: address))
    }
    if provider == .phone, let number = phoneNumber ?? rawId {
      return .phone(try PhoneNumber(number))
    }
    guard let subject = rawId ?? federatedId, !subject.isEmpty else {
      throw AuthError(
        .invalidArgument, "The entry of \(provider) has no rawId.", field: "providerUserInfo",
        remedy: "Give the subject that the provider knows the person by.")
    }
    return IdentityKey(provider, issuer: issuer ?? "", subject: subject)
  }

  /// The entry of an identity; nil for a password or number that only repeats the account's own fields,
  /// as Firebase's files leave them out.
  fileprivate init?(_ identity: Identity) {
    let profile = identity.profile
    if !identity.hasProfileOfItsOwn && profile == IdentityProfile() { return nil }
    self.init(
      providerId: identity.provider.rawValue,
      rawId: identity.provider == .password
        ? profile.email ?? identity.key.subject : identity.key.subject,
      email: profile.email, displayName: profile.displayName, photoUrl: profile.photoURL,
      phoneNumber: profile.phoneNumber, screenName: profile.screenName,
      issuer: identity.key.issuer.isEmpty ? nil : identity.key.issuer)
  }
}

extension UserRecord.FactorEntry {
  fileprivate func factor(of uid: String, number: Int) throws(AuthError) -> SecondFactor {
    let id = mfaEnrollmentId ?? "\(uid)-mfa-\(number)"
    guard let phoneInfo else {
      guard totpInfo != nil else {
        throw AuthError(
          .invalidArgument, "The second factor \(id) is neither a phone nor TOTP.",
          field: "mfaInfo", remedy: "Give it phoneInfo or totpInfo.")
      }
      return SecondFactor(id: id, kind: .totp, displayName: displayName, enrolledAt: enrolledAt)
    }
    return SecondFactor(
      id: id, kind: .phone(try PhoneNumber(phoneInfo)), displayName: displayName,
      enrolledAt: enrolledAt)
  }

  fileprivate init(_ factor: SecondFactor) {
    mfaEnrollmentId = factor.id
    displayName = factor.displayName
    enrolledAt = factor.enrolledAt
    switch factor.kind {
    case .phone(let number): phoneInfo = number.text
    case .totp: totpInfo = TOTPInfo()
    }
  }
}

extension EmailAddress {
  /// Reads an address that a file gives to an account; throws `invalid-email`.
  fileprivate init(given text: String) throws(AuthError) {
    try self.init(text)
    try checkSpecials()
  }
}
