/// A change to one field of an account.
public enum Change<Value: Sendable & Hashable>: Sendable, Hashable {
  /// Keeps the value.
  case leave
  /// Sets a new value.
  case set(Value)
  /// Removes the value.
  case clear

  /// Returns the field's new value.
  func applied(to old: Value?) -> Value? {
    switch self {
    case .leave: old
    case .set(let value): value
    case .clear: nil
    }
  }
}

/// Changes to an account's own fields; the graph decides who owns an identity.
public struct ProfileChanges: Sendable, Hashable {
  /// The new e-mail address.
  public var email = Change<EmailAddress>.leave
  /// The new state of the address; nil leaves it.
  public var emailVerified: Bool?
  /// The new display name.
  public var displayName = Change<String>.leave
  /// The new URL of the picture.
  public var photoURL = Change<String>.leave
  /// The new phone number.
  public var phoneNumber = Change<PhoneNumber>.leave
  /// The new custom claims.
  public var customClaims = Change<CustomClaims>.leave
  /// The new state of the account; nil leaves it.
  public var disabled: Bool?
  /// The new password; nil leaves it.
  public var password: Secret<String>?
  /// True to remove the password and keep its address.
  public var removesPassword = false
  /// The complete new list of second factors; nil leaves it.
  public var secondFactors: [SecondFactor]?
  /// The new time of the sign-up; nil leaves it.
  public var createdAt: Timestamp?
  /// The new time of the last sign-in; nil leaves it.
  public var lastSignInAt: Timestamp?
  /// The time before which sessions end; nil leaves it.
  ///
  /// It is moved later if a session that it ends began after it. A time within the last ten minutes ends every session,
  /// because the clock of the caller may be slow.
  public var validSince: Timestamp?

  /// Makes changes to no field, or to the account's state alone.
  public init(disabled: Bool? = nil) {
    self.disabled = disabled
  }

  /// The names of the changed fields, for the audit; no values.
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

  /// The names of the changed fields that prove or grant something, and that only an admin may change.
  var adminFieldNames: [String] {
    let granting = [
      "emailVerified", "customClaims", "disabled", "phoneNumber", "secondFactors", "createdAt",
      "lastSignInAt", "validSince",
    ]
    return fieldNames.filter(granting.contains)
  }

  /// True if a session needs a recent sign-in for these changes.
  var isSensitive: Bool {
    email != .leave || password != nil || removesPassword || phoneNumber != .leave
  }

  /// Checks the address, and the lengths that Firebase documents.
  ///
  /// Throws `invalid-email`, `invalid-display-name`, `invalid-photo-url`, `maximum-second-factor-count-exceeded` or
  /// `second-factor-already-in-use`.
  func check() throws(AuthError) {
    if let secondFactors { try Self.check(secondFactors) }
    if case .set(let address) = email { try address.checkSpecials() }
    if case .set(let name) = displayName {
      try TextBounds.name.check(
        name, KeptText.displayName.title, field: "displayName", code: .invalidDisplayName)
    }
    if case .set(let url) = photoURL { try Self.check(photoURL: url) }
  }

  /// Checks the URL of a picture, or throws `invalid-photo-url`.
  static func check(photoURL url: String) throws(AuthError) {
    guard TextBounds.url.allow(url), IdentityProfile.isPicture(url) else {
      throw AuthError(
        .invalidPhotoURL,
        "A photo URL is no script, and has at most \(TextBounds.url).",
        field: "photoURL", remedy: "Use an address such as https://example.com/ada.png.")
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
  /// Returns the account with the changes made; `secret` is the stored form of a new password.
  ///
  /// A password without an address waits for one.
  func applying(_ changes: ProfileChanges, secret: String?, at now: Timestamp) -> Account {
    var account = self
    account.displayName = changes.displayName.applied(to: displayName)
    account.photoURL = changes.photoURL.applied(to: photoURL)
    account.customClaims = changes.customClaims.applied(to: customClaims)
    account.disabled = changes.disabled ?? disabled
    account.createdAt = changes.createdAt ?? createdAt
    account.lastSignInAt = changes.lastSignInAt ?? lastSignInAt
    account.secondFactors = changes.secondFactors ?? secondFactors
    if changes.removesPassword { account.removePasswords() }
    let newEmail = changes.email.applied(to: email)
    let isSame = email.map { $0.matches(newEmail) } ?? (newEmail == nil)
    account.moveAddress(
      to: newEmail, isProven: changes.emailVerified ?? (isSame && emailVerified), at: now)
    account.changePhoneNumber(changes.phoneNumber.applied(to: phoneNumber), at: now)
    if let secret { account.changePassword(secret, at: now) }
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

  private mutating func changePassword(_ secret: String, at now: Timestamp) {
    let stored = StoredSecret(encoded: secret, changedAt: now)
    defer { cutSessions(at: now) }
    guard let email else {
      details.waitingPassword = stored
      return
    }
    details.waitingPassword = nil
    // A password that a merge of an earlier version left would still sign in with the old secret.
    removeStrayPasswords()
    if passwordIdentity == nil {
      identities.append(
        Identity(key: .password(email), origin: .credential, linkedAt: now, secret: stored))
    } else {
      changeIdentity(.password(email)) { $0.secret = stored }
    }
  }
}
