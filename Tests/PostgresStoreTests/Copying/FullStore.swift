import AuthCore
import Foundation
import SQLiteStore

/// A SQLite store with a value in every table and column.
enum FullStore {
  static let scopes = [
    Scope(project: "shop"), Scope(project: "shop", tenant: "t\u{0}1"), Scope(project: "a'\\\t\n\r"),
  ]
  static let noon = Timestamp(milliseconds: 1_750_000_000_123)

  /// Texts that databases are known to damage.
  static let hardTexts = [
    "", "a\u{0}b", "\u{0}", "\u{1}0", "\u{1}", "it's \"quoted\" {a,b} \\N \\.", "👩‍👩‍👧 中文",
    "e\u{301}", "\u{E9}", "line\r\nbreak\ttab\u{8}\u{B}", "NULL", "$1 ?",
    // Characters that combine with their neighbours.
    "\"\u{301}", "\\\u{301}", "'\u{301}", "\u{600}\"", "\u{600}'; SELECT 1; --",
    "x\u{600}\",\"\u{301}y",
  ]

  static func fill(_ store: any AccountStore) async throws {
    try await OutboxConsumer.note(store, at: noon)
    for scope in scopes {
      try await store.write { writer in
        for (index, text) in hardTexts.enumerated() {
          try writer.insert(try account("uid\(index)\(text)", text, in: scope))
        }
        try writer.insert(try replaced(in: scope))
        try writer.setAlias(AccountID("gone\u{0}"), for: AccountID("uid0"), in: scope)
        for text in hardTexts where !text.isEmpty {
          try writer.saveCheckpoint("name \(text)", text, in: scope)
          try writer.append(
            AuditEvent(
              id: "event \(text)", scope: scope, at: noon, actor: text, reason: text,
              action: .update, accountID: AccountID("uid0"), relatedIDs: [AccountID(text)],
              errorCode: "code", details: ["text": .string(text)]))
          try writer.save(
            OneTimeRecord(
              id: "open \(text)", kind: .code, account: AccountID("uid0"), expiresAt: noon,
              attempts: 3, content: text), in: scope)
          try writer.save(
            SessionRecord(
              id: "session \(text)", account: AccountID(text), provider: .google,
              identity: IdentityKey(.google, subject: text), signedInAt: noon, secondFactor: nil,
              claims: ["a": .string(text)], createdAt: noon), in: scope)
        }
        let absorbed = try account("absorbed", "x", in: scope)
        for number in 1...3 {
          try writer.save(
            MergeRecord(
              id: "merge \(number)", scope: scope, at: noon.adding(seconds: Int64(number)),
              actor: "admin", reason: "\u{0}", survivorBefore: absorbed, absorbedBefore: absorbed,
              survivorAfter: absorbed, batch: number == 1 ? "batch" : nil,
              undoneBy: number == 2 ? "event" : nil))
        }
      }
      try await store.write { writer in
        var settings = try writer.settings(of: scope)
        settings.oneAccountPerEmail = scope.tenant == nil
        settings.keyProbe = "sealed\u{0}"
        try writer.save(settings, for: scope)
      }
    }
    try await store.write { writer in
      var deliveries = try writer.openDeliveries(after: 0, limit: 100)
      deliveries[0].isDead = true
      deliveries[1].attempts = 7
      deliveries[1].nextAttemptAt = noon
      try writer.save(deliveries[0])
      try writer.save(deliveries[1])
      try writer.removeDelivery(deliveries[2].event.sequence)
    }
  }

  static func account(_ uid: String, _ text: String, in scope: Scope) throws -> Account {
    var account = Account(id: AccountID(uid), scope: scope, createdAt: noon)
    account.email = try EmailAddress(
      "\(uid.utf8.reduce(UInt32(7)) { $0 &* 31 &+ UInt32($1) })@example.com")
    account.emailVerified = uid != "absorbed"
    account.displayName = text
    account.phoneNumber = try PhoneNumber("+15555550123")
    account.customClaims = try CustomClaims(text: "{ \"n\" : 1.50 }")
    account.validSince = Timestamp(milliseconds: -1)
    account.generation = 7
    account.details.lastRefreshAt = noon
    account.details.screenName = text
    account.identities = [
      Identity(
        key: IdentityKey(.google, issuer: text, subject: "subject \(text)"),
        profile: IdentityProfile(email: text, displayName: text, language: text),
        emailVerified: true, origin: .assertion, linkedAt: noon, lastSignInAt: noon,
        secret: StoredSecret(encoded: text, changedAt: noon))
    ]
    account.secondFactors = [
      SecondFactor(
        id: "factor \(text)", kind: .totp, displayName: text,
        secret: StoredSecret(encoded: text, changedAt: noon)),
      SecondFactor(id: "phone", kind: .phone(try PhoneNumber("+4915112345678"))),
    ]
    return account
  }

  /// Returns an account whose identity replaced others.
  private static func replaced(in scope: Scope) throws -> Account {
    func identity(_ subject: String, _ predecessors: [Predecessor] = []) -> Identity {
      Identity(
        key: IdentityKey(.apple, subject: subject), origin: .credential, linkedAt: noon,
        predecessors: predecessors)
    }
    let oldest = Predecessor(identity: identity("oldest"), rekey: "r1", until: noon, place: 0)
    let old = Predecessor(identity: identity("old", [oldest]), rekey: "r2", until: noon)
    var account = Account(id: AccountID("rekeyed"), scope: scope, createdAt: noon)
    account.identities = [identity("new", [old])]
    return account
  }
}

/// Everything that a reader returns of a store, for comparison.
struct StoreContent: Equatable {
  var accounts: [Account] = []
  var aliases: [[AccountID]] = []
  var events: [AuditEvent] = []
  var eventsOfOne: [AuditEvent] = []
  var deliveries: [OutboxDelivery] = []
  var dead: [OutboxDelivery] = []
  var merges: [MergeRecord] = []
  var settings: [ProjectSettings] = []
  var checkpoints: [String?] = []
  var open: [OneTimeRecord] = []
  var sessions: [SessionRecord?] = []
  var tenants: [String] = []

  init(of store: any AccountStore, in scopes: [Scope] = FullStore.scopes) async throws {
    self = try await store.read { try Self(of: $0, in: scopes) }
  }

  private init(of reader: any AccountReader, in scopes: [Scope]) throws {
    for scope in scopes {
      accounts += try reader.accounts(
        matching: AccountFilter(), after: nil, limit: 100_000, in: scope
      ).sorted { Array($0.id.rawValue.utf8).lexicographicallyPrecedes(Array($1.id.rawValue.utf8)) }
      aliases.append(try reader.aliases(of: AccountID("uid0"), in: scope))
      events += try reader.events(about: nil, before: nil, limit: 100_000, in: scope)
      eventsOfOne += try reader.events(
        about: [AccountID("uid0")], before: nil, limit: 100_000, in: scope)
      merges += try reader.merges(involving: nil, before: nil, limit: 100_000, in: scope)
      settings.append(try reader.settings(of: scope))
      open += try reader.oneTimeRecords(.code, after: nil, limit: 100_000, in: scope)
        .sorted { $0.content < $1.content }
      for text in FullStore.hardTexts {
        checkpoints.append(try reader.checkpoint("name \(text)", in: scope))
        sessions.append(try reader.session("session \(text)", in: scope))
      }
      tenants += try reader.tenants(of: scope.project, after: nil, limit: 100)
    }
    deliveries = try reader.openDeliveries(after: 0, limit: 100_000)
    dead = try reader.deadDeliveries(after: 0, limit: 100_000)
  }
}
