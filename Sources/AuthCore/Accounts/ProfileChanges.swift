/// What to do with one field of an account.
public enum Change<Value: Sendable & Hashable>: Sendable, Hashable {
  case leave
  case set(Value)
  case clear

  /// The field's new value.
  func applied(to old: Value?) -> Value? {
    switch self {
    case .leave: old
    case .set(let value): value
    case .clear: nil
    }
  }
}

/// Changes to an account's own fields; who owns which identity is the graph's matter.
public struct ProfileChanges: Sendable, Hashable {
  public var email = Change<EmailAddress>.leave
  public var emailVerified: Bool?
  public var displayName = Change<String>.leave
  public var photoURL = Change<String>.leave
  public var phoneNumber = Change<PhoneNumber>.leave
  public var customClaims = Change<CustomClaims>.leave
  public var disabled: Bool?
  public var password: Secret<String>?
  /// Takes the password away and leaves its address.
  public var removesPassword = false
  /// Every second factor there is to be.
  public var secondFactors: [SecondFactor]?
  public var createdAt: Timestamp?
  public var lastSignInAt: Timestamp?
  /// The moment before which sessions are over, as given; later if a session has begun after it that it ends.
  ///
  /// It ends every session if it is not more than ten minutes past: the clock of who names it may be behind.
  public var validSince: Timestamp?

  public init(disabled: Bool? = nil) {
    self.disabled = disabled
  }

  /// The names of the fields that change, for the audit; no values.
  var fieldNames: [String] {
    var names: [String] = []
    if email != .leave { names.append("email") }
    if emailVerified != nil { names.append("emailVerified") }
    if displayName != .leave { names.append("displayName") }
    if photoURL != .leave { names.append("photoURL") }
    if phoneNumber != .leave { names.append("phoneNumber") }
    if customClaims != .leave { names.append("customClaims") }
    if disabled != nil { names.append("disabled") }
    if password != nil || removesPassword { names.append("password") }
    if secondFactors != nil { names.append("secondFactors") }
    if createdAt != nil { names.append("createdAt") }
    if lastSignInAt != nil { names.append("lastSignInAt") }
    if validSince != nil { names.append("validSince") }
    return names
  }

  /// Whether somebody who holds the account's session has to have signed in recently for this.
  ///
  /// The changed fields that prove or grant something, which nobody may do for themselves.
  var adminFieldNames: [String] {
    let granting = [
      "emailVerified", "customClaims", "disabled", "phoneNumber", "secondFactors", "createdAt",
      "lastSignInAt", "validSince",
    ]
    return fieldNames.filter(granting.contains)
  }

  var isSensitive: Bool {
    email != .leave || password != nil || removesPassword || phoneNumber != .leave
  }

  /// Checks the address, and the lengths that Firebase documents.
  ///
  /// Throws `invalid-email`, `invalid-display-name`, `invalid-photo-url`, `maximum-second-factor-count-exceeded`
  /// or `second-factor-already-in-use`.
  func check() throws(AuthError) {
    if let secondFactors { try Self.check(secondFactors) }
    if case .set(let address) = email { try address.checkSpecials() }
    if case .set(let name) = displayName {
      try TextBounds.name.check(
        name, KeptText.displayName.title, field: "displayName", code: .invalidDisplayName)
    }
    if case .set(let url) = photoURL { try Self.check(photoURL: url) }
  }

  /// Checks a picture's address; throws `invalid-photo-url`.
  static func check(photoURL url: String) throws(AuthError) {
    guard TextBounds.url.allow(url), IdentityProfile.isPicture(url) else {
      throw AuthError(
        .invalidPhotoURL,
        "A photo URL is an absolute one of https or http, and has at most \(TextBounds.url).",
        field: "photoURL", remedy: "Write it with its scheme: https://….")
    }
  }
}

extension ProfileChanges {
  private static func check(_ factors: [SecondFactor]) throws(AuthError) {
    guard factors.count <= AccountGraph.maximumSecondFactors else {
      throw AuthError(
        .maximumSecondFactorCountExceeded,
        "An account has at most \(AccountGraph.maximumSecondFactors) second factors.",
        field: "secondFactors", remedy: "Leave some out.", step: .decision)
    }
    let numbers = factors.compactMap {
      if case .phone(let number) = $0.kind { number } else { nil }
    }
    guard Set(numbers).count == numbers.count, Set(factors.map(\.id)).count == factors.count else {
      throw AuthError(
        .secondFactorAlreadyInUse, "Two of the second factors are the same.",
        field: "secondFactors", remedy: "Leave one out.", step: .decision)
    }
  }
}

extension Account {
  /// The account with the changes made.
  ///
  /// `secret` is the stored form of a new password.
  ///
  /// Throws `invalid-argument` where a password has no address to belong to.
  func applying(
    _ changes: ProfileChanges, secret: String?, at now: Timestamp
  ) throws(AuthError) -> Account {
    var account = self
    account.displayName = changes.displayName.applied(to: displayName)
    account.photoURL = changes.photoURL.applied(to: photoURL)
    account.customClaims = changes.customClaims.applied(to: customClaims)
    account.disabled = changes.disabled ?? disabled
    account.createdAt = changes.createdAt ?? createdAt
    account.lastSignInAt = changes.lastSignInAt ?? lastSignInAt
    account.secondFactors = changes.secondFactors ?? secondFactors
    if changes.removesPassword { account.identities.removeAll { $0.provider == .password } }
    let newEmail = changes.email.applied(to: email)
    let isSame = email.map { $0.matches(newEmail) } ?? (newEmail == nil)
    account.moveAddress(
      to: newEmail, isProven: changes.emailVerified ?? (isSame && emailVerified), at: now)
    account.changePhoneNumber(changes.phoneNumber.applied(to: phoneNumber), at: now)
    if let secret { try account.changePassword(secret, at: now) }
    if account.email != nil || account.phoneNumber != nil { account.isAnonymous = false }
    if let moment = changes.validSince { account.cutSessions(before: moment, at: now) }
    return account
  }

  private mutating func changePhoneNumber(_ new: PhoneNumber?, at now: Timestamp) {
    guard new != phoneNumber else { return }
    let old = phoneNumber
    phoneNumber = new
    if let new, identity(.phone(new)) != nil { return }
    let index = old.flatMap { old in identities.firstIndex { $0.key == .phone(old) } }
    switch (index, new) {
    case (let index?, let new?):
      let before = identities[index]
      identities[index] = Identity(
        key: .phone(new), origin: before.origin, linkedAt: linking(at: now))
    case (let index?, nil): identities.remove(at: index)
    case (nil, let new?):
      identities.append(Identity(key: .phone(new), origin: .assertion, linkedAt: linking(at: now)))
    case (nil, nil): break
    }
  }

  private mutating func changePassword(_ secret: String, at now: Timestamp) throws(AuthError) {
    guard let email else {
      throw AuthError(
        .invalidArgument, "A password belongs to an e-mail address, and there is none.",
        field: "email", remedy: "Give the account an email with the password.")
    }
    let stored = StoredSecret(encoded: secret, changedAt: now)
    // One that a merge of an earlier version left would go on signing in with the old secret.
    removeStrayPasswords()
    if passwordIdentity == nil {
      identities.append(
        Identity(key: .password(email), origin: .credential, linkedAt: now, secret: stored))
    } else {
      changeIdentity(.password(email)) { $0.secret = stored }
    }
    cutSessions(at: now)
  }
}
