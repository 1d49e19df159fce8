import AuthCore
import ProviderChecks

/// Rows that checks write.
enum Sample {
  static let scope = Scope(project: "check")
  static let noon = Timestamp(milliseconds: 1_750_000_000_123)

  static func account(
    _ id: String, in scope: Scope = scope, email: String? = nil, verified: Bool = false,
    identities: [Identity] = []
  ) throws -> Account {
    var account = Account(id: AccountID(id), scope: scope, createdAt: noon)
    account.email = try email.map { try EmailAddress($0) }
    account.emailVerified = verified
    account.identities = identities
    return account
  }

  static func key(
    _ subject: String, provider: ProviderID = .google, issuer: String = ""
  ) -> IdentityKey {
    IdentityKey(provider, issuer: issuer, subject: subject)
  }

  static func identity(
    _ subject: String, provider: ProviderID = .google, issuer: String = ""
  ) -> Identity {
    Identity(
      key: key(subject, provider: provider, issuer: issuer), origin: .credential, linkedAt: noon)
  }

  /// Texts that databases are known to damage.
  static let hardTexts = [
    "", " ", "a\u{0}b", "\u{0}", "it's \"quoted\" `so`; --", "👩‍👩‍👧 Zoë 中文 \u{202E}x",
    "e\u{301}", "\u{E9}", "\\u0000 %s ? :x @y $z", "line\r\nbreak\t", "NULL",
    String(repeating: "long ", count: 2000),
    // Characters that combine with their neighbours.
    "\"\u{301}", "\\\u{301}", "'\u{301}", "\u{600}\"", "\u{600}'; SELECT 1; --",
    "x\u{600}\",\"\u{301}y",
  ]

  /// Returns an account with the text in every field that may hold any text.
  static func account(_ id: String, with text: String, subject: String) throws -> Account {
    var account = try account(id)
    account.displayName = text
    account.photoURL = text
    var identity = identity(subject, issuer: text)
    identity.profile = IdentityProfile(
      email: text, displayName: text, photoURL: text, phoneNumber: text)
    identity.secret = StoredSecret(encoded: text, changedAt: noon)
    account.identities = [identity]
    account.secondFactors = [
      SecondFactor(id: text, kind: .totp, displayName: text, enrolledAt: text)
    ]
    return account
  }

  /// Returns an account with a value in every field.
  static func fullAccount(_ id: String = "full", in scope: Scope = scope) throws -> Account {
    var account = try account(id, in: scope, email: "Ada.L@Example.Com", verified: true)
    account.displayName = "Ada \"the first\" O'Lovelace 👩‍💻\u{0}end"
    account.photoURL = "https://photos.example/ada?size=96&x=%20"
    account.phoneNumber = try PhoneNumber("+15555550123")
    account.disabled = true
    account.isAnonymous = true
    account.customClaims = try CustomClaims(text: "{ \"role\" : \"editor\", \"n\": 1.50 }")
    account.lastSignInAt = noon.adding(seconds: 60)
    account.validSince = Timestamp(milliseconds: -1)
    account.ownership = Ownership(mark: .max)
    account.generation = .max - 1
    account.details.initialEmail = try EmailAddress("First@Example.com")
    account.details.usedCustomToken = true
    account.details.lastRefreshAt = noon.adding(seconds: 61)
    account.details.screenName = "ada\u{0}\"1\""
    account.details.language = "en"
    account.details.timeZone = "Europe/London"
    account.details.dateOfBirth = "1815-12-10"
    account.details.waitingPassword = StoredSecret(encoded: "$argon2id$\u{0}", changedAt: noon)
    account.details.vendorMarks = [
      VendorMark(
        key: fullIdentity.key, suspendedBy: .accountDisabled, at: noon,
        sessionsEndedAt: noon.adding(seconds: 1))
    ]
    account.details.keptSessions = [
      UnlinkedSession(keys: [fullIdentity.key], signedInAt: noon.adding(seconds: 2))
    ]
    account.identities = [fullIdentity, identity("", provider: .custom), passwordIdentity]
    account.secondFactors = [
      SecondFactor(
        id: "factor-2", kind: .phone(try PhoneNumber("+4915112345678")), displayName: "Work",
        enrolledAt: "2024-02-29T12:00:00.5+01:00"),
      SecondFactor(
        id: "factor-1", kind: .totp, displayName: "",
        secret: StoredSecret(encoded: "totp:v1:abc=", changedAt: noon)),
    ]
    return account
  }

  private static let fullIdentity = Identity(
    key: key("subject\u{0}'tail", provider: ProviderID("oidc.work"), issuer: "https://id.example/"),
    profile: IdentityProfile(
      email: "not even an address", displayName: "Ada", photoURL: "", phoneNumber: "+1 555",
      screenName: "ada", language: "en-GB", dateOfBirth: "10 December 1815"),
    emailVerified: true, origin: .assertion, linkedAt: noon, lastSignInAt: noon.adding(seconds: 5))

  private static let passwordIdentity = Identity(
    key: key("ada.l@example.com", provider: .password), origin: .imported, linkedAt: noon,
    secret: StoredSecret(
      encoded: "$scrypt$ln=15,r=8,p=1$c2FsdA$aGFzaA", changedAt: noon.adding(seconds: -7)))

  static func event(
    _ id: String, in scope: Scope = scope, about account: String? = nil, related: [String] = []
  ) -> AuditEvent {
    AuditEvent(
      id: id, scope: scope, at: noon, actor: "admin:check", reason: nil, action: .update,
      accountID: account.map { AccountID($0) }, relatedIDs: related.map { AccountID($0) })
  }

  static func merge(
    _ id: String, keep survivor: String, absorb absorbed: String, in scope: Scope = scope
  ) throws -> MergeRecord {
    let survivor = try account(survivor, in: scope)
    return MergeRecord(
      id: id, scope: scope, at: noon, actor: "admin:check", reason: "the same person",
      survivorBefore: survivor, absorbedBefore: try account(absorbed, in: scope),
      survivorAfter: survivor)
  }
}

extension AccountStore {
  /// Adds accounts in one transaction.
  func insert(_ accounts: Account...) async throws {
    try await write { writer in
      for account in accounts { try writer.insert(account) }
    }
  }

  func account(_ id: String, in scope: Scope = Sample.scope) async throws -> Account? {
    try await read { try $0.account(AccountID(id), in: scope) }
  }

  /// Returns an account that the check has added itself.
  func existing(_ id: String, in scope: Scope = Sample.scope) async throws -> Account {
    guard let account = try await account(id, in: scope) else {
      throw CheckFailure("The account \(id) is gone.")
    }
    return account
  }

  /// Changes an existing account.
  func change(
    _ id: String, in scope: Scope = Sample.scope,
    _ change: @escaping @Sendable (inout Account) throws -> Void
  ) async throws {
    try await write { writer in
      guard let old = try writer.account(AccountID(id), in: scope) else {
        throw CheckFailure("The account \(id) is gone.")
      }
      var new = old
      try change(&new)
      try writer.update(new, replacing: old)
    }
  }

  /// Adds an event in a transaction of its own.
  func append(_ event: AuditEvent) async throws {
    try await write { try $0.append(event) }
  }

  func changeSettings(
    in scope: Scope = Sample.scope, _ change: @escaping @Sendable (inout ProjectSettings) -> Void
  ) async throws {
    try await write { writer in
      var settings = try writer.settings(of: scope)
      change(&settings)
      try writer.save(settings, for: scope)
    }
  }
}

extension Account {
  /// Returns the account with the revision that a store gives it.
  func revised(_ revision: Int64) -> Account {
    var copy = self
    copy.revision = revision
    return copy
  }
}
