import AuthCore

/// The columns of an account that change without touching an index.
enum AccountColumns {
  static let plain = """
    revision, display_name, photo_url, disabled, is_anonymous, custom_claims, created_at, \
    last_sign_in_at, valid_since, last_refresh_at, details, ownership, generation
    """
  static let indexed = "email, email_canonical, email_verified, verified_email, phone"
  static let read = "uid, email, email_verified, phone, \(plain)"

  static func plainValues(of account: Account, revision: Int64) -> [SQLValue] {
    var details = account.details
    details.lastRefreshAt = nil
    let hasDetails = details != AccountDetails()
    return [
      .integer(revision), .text(account.displayName), .text(account.photoURL),
      .flag(account.disabled), .flag(account.isAnonymous), .text(account.customClaims?.text),
      .time(account.createdAt), .time(account.lastSignInAt), .time(account.validSince),
      .time(account.details.lastRefreshAt),
      .text(hasDetails ? details.json : nil),
      account.ownership.map { .integer($0.mark) } ?? .null,
      account.generation.map(SQLValue.integer) ?? .null,
    ]
  }

  static func indexedValues(of account: Account, ownsEmail: Bool) -> [SQLValue] {
    let canonical = account.email?.canonical
    return [
      .text(account.email?.text), .text(canonical), .flag(account.emailVerified),
      .text(account.emailVerified && ownsEmail ? canonical : nil),
      .text(account.phoneNumber?.text),
    ]
  }

  /// Returns true if two versions of an account have the same ``indexed`` columns.
  static func indexedAreEqual(_ a: Account, _ b: Account) -> Bool {
    a.email == b.email && a.emailVerified == b.emailVerified && a.phoneNumber == b.phoneNumber
  }
}

extension Account {
  /// Reads the columns ``AccountColumns/read``; identities and second factors come from other tables.
  ///
  /// A function rather than an initializer, which would copy the account.
  static func read(_ row: any SQLRow, in scope: Scope) throws -> Account {
    guard let createdAt = try row.time(10) else { throw DamagedRow(column: 10) }
    var account = Account(id: AccountID(try row.string(0)), scope: scope, createdAt: createdAt)
    account.email = try row.text(1).map { try EmailAddress($0) }
    account.emailVerified = try row.flag(2)
    account.phoneNumber = try row.text(3).map { try PhoneNumber($0) }
    account.revision = try row.integer(4)
    account.displayName = try row.text(5)
    account.photoURL = try row.text(6)
    account.disabled = try row.flag(7)
    account.isAnonymous = try row.flag(8)
    account.customClaims = try row.text(9).map { try CustomClaims(stored: $0) }
    account.lastSignInAt = try row.time(11)
    account.validSince = try row.time(12)
    if let stored = try row.text(14) { account.details = try JSONColumn.value(stored) }
    account.details.lastRefreshAt = try row.time(13)
    // Both are whole numbers, so `time` reads them.
    account.ownership = try row.time(15).map { Ownership(mark: $0.milliseconds) }
    account.generation = try row.time(16)?.milliseconds
    return account
  }
}

enum IdentityColumns {
  static let key = "provider, issuer, subject"
  static let plain = """
    email, display_name, photo_url, phone, email_verified, origin, linked_at, last_sign_in_at, \
    secret, secret_changed_at, screen_name, language, date_of_birth
    """

  static func keyValues(of key: IdentityKey) -> [SQLValue] {
    [.text(key.provider.rawValue), .text(key.issuer), .text(key.subject)]
  }

  static func plainValues(of identity: Identity) -> [SQLValue] {
    let profile = identity.profile
    return [
      .text(profile.email), .text(profile.displayName), .text(profile.photoURL),
      .text(profile.phoneNumber), .flag(identity.emailVerified),
      .text(identity.origin.rawValue), .time(identity.linkedAt), .time(identity.lastSignInAt),
      .text(identity.secret?.encoded), .time(identity.secret?.changedAt),
      .text(profile.screenName), .text(profile.language), .text(profile.dateOfBirth),
    ]
  }
}

/// The texts that most identities share with their account.
struct LikelyTexts {
  let email: String?
  let displayName: String?
  let photoURL: String?

  init(of account: Account) {
    email = account.email?.text
    displayName = account.displayName
    photoURL = account.photoURL
  }
}

extension Identity {
  /// Reads the columns ``IdentityColumns/key`` and ``IdentityColumns/plain``.
  ///
  /// A function rather than an initializer, which would copy the identity.
  static func read(_ row: any SQLRow, likely known: LikelyTexts) throws -> Identity {
    guard let origin = Origin(rawValue: try row.string(8)), let linkedAt = try row.time(9) else {
      throw DamagedRow(column: 8)
    }
    return Identity(
      key: IdentityKey(
        ProviderID(try row.string(0)), issuer: try row.string(1), subject: try row.string(2)),
      profile: IdentityProfile(
        email: try row.text(3, likely: known.email),
        displayName: try row.text(4, likely: known.displayName),
        photoURL: try row.text(5, likely: known.photoURL), phoneNumber: try row.text(6),
        screenName: try row.text(13), language: try row.text(14),
        dateOfBirth: try row.text(15)),
      emailVerified: try row.flag(7), origin: origin, linkedAt: linkedAt,
      lastSignInAt: try row.time(10), secret: try StoredSecret(row, at: 11))
  }
}

enum SecondFactorColumns {
  static let all = "id, phone, display_name, enrolled_at, secret, secret_changed_at"
  /// The number of columns.
  static let count = 6

  static func values(of factor: SecondFactor) -> [SQLValue] {
    let phone: String? = if case .phone(let number) = factor.kind { number.text } else { nil }
    return [
      .text(factor.id), .text(phone), .text(factor.displayName), .text(factor.enrolledAt),
      .text(factor.secret?.encoded), .time(factor.secret?.changedAt),
    ]
  }
}

extension SecondFactor {
  /// Reads the columns ``SecondFactorColumns/all``.
  init(_ row: any SQLRow) throws {
    self.init(
      id: try row.string(0),
      kind: try row.text(1).map { .phone(try PhoneNumber($0)) } ?? .totp,
      displayName: try row.text(2), enrolledAt: try row.text(3),
      secret: try StoredSecret(row, at: 4))
  }
}

extension StoredSecret {
  /// Reads two columns; nil if they are NULL.
  fileprivate init?(_ row: any SQLRow, at index: Int) throws {
    guard let encoded = try row.text(index), let changedAt = try row.time(index + 1) else {
      return nil
    }
    self.init(encoded: encoded, changedAt: changedAt)
  }
}
