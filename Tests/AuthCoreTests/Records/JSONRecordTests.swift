import Foundation
import Testing

@testable import AuthCore

/// Records write the same JSON as Foundation's encoder, whatever they contain.
@Suite struct `Records as JSON` {
  private let time = Timestamp(milliseconds: 1_234)

  private func encoded(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func identity(_ subject: String, before: [Predecessor] = []) -> Identity {
    Identity(
      key: IdentityKey(.google, issuer: "https://issuer.example/\"a\"", subject: subject),
      profile: IdentityProfile(
        email: "a@example.com", displayName: "Ada\n\u{1}é", photoURL: "https://x.example/a.png",
        phoneNumber: "+15555550123", screenName: "ada", language: "de",
        dateOfBirth: "1990-01-02"),
      emailVerified: true, origin: .assertion, linkedAt: time, lastSignInAt: time,
      secret: StoredSecret(encoded: "$scrypt$\\", changedAt: time), predecessors: before)
  }

  private func account(_ id: String) throws -> Account {
    var account = Account(
      id: AccountID(id), scope: Scope(project: "p", tenant: "t"), createdAt: time)
    account.revision = 7
    account.email = try EmailAddress("Ada@example.com")
    account.emailVerified = true
    account.displayName = "Ada"
    account.photoURL = "https://x.example/a.png"
    account.phoneNumber = try PhoneNumber("+15555550123")
    account.disabled = true
    account.isAnonymous = true
    account.customClaims = try CustomClaims(["role": "editor", "level": 3])
    account.lastSignInAt = time
    account.validSince = time
    account.ownership = Ownership(mark: 7)
    account.generation = 3
    account.details.initialEmail = try EmailAddress("first@example.com")
    account.details.usedCustomToken = true
    account.details.lastRefreshAt = time
    account.details.screenName = "ada"
    account.details.language = "de"
    account.details.timeZone = "Europe/Berlin"
    account.details.dateOfBirth = "1990-01-02"
    account.details.waitingPassword = StoredSecret(encoded: "hash", changedAt: time)
    account.details.vendorMarks = [
      VendorMark(
        key: IdentityKey(ProviderID("p"), subject: "3"), suspendedBy: .consentRevoked, at: time,
        sessionsEndedAt: time)
    ]
    account.details.keptSessions = [
      UnlinkedSession(keys: [IdentityKey(ProviderID("p"), subject: "4")], signedInAt: time)
    ]
    let oldest = identity("1", before: [])
    let old = identity(
      "2", before: [Predecessor(identity: oldest, rekey: "r", until: time, place: 3)])
    account.identities = [
      identity("3", before: [Predecessor(identity: old, rekey: "r", until: time, place: 0)])
    ]
    account.secondFactors = [
      SecondFactor(
        id: "f", kind: .phone(try PhoneNumber("+15555550123")), displayName: "my phone",
        enrolledAt: "2026-01-01T00:00:00Z",
        secret: StoredSecret(encoded: "sealed", changedAt: time)),
      SecondFactor(
        id: "g", kind: .totp, displayName: "app", enrolledAt: "2026-01-01T00:00:00Z",
        secret: StoredSecret(encoded: "sealed", changedAt: time)),
    ]
    return account
  }

  @Test func `a merge is written with all that is in both accounts`() throws {
    let full = MergeRecord(
      id: "m", scope: Scope(project: "p", tenant: "t"), at: time, actor: "admin",
      reason: "the same person", survivorBefore: try account("a"), absorbedBefore: try account("b"),
      survivorAfter: try account("a"), batch: "b", undoneBy: "u", endedAt: time)
    expectNothingMissing(in: full, except: ["predecessors"])
    #expect(try full.json == encoded(full))

    let scope = Scope(project: "p")
    let empty = Account(id: AccountID(""), scope: scope, createdAt: time)
    let least = MergeRecord(
      id: "m", scope: scope, at: time, actor: "", reason: nil, survivorBefore: empty,
      absorbedBefore: empty, survivorAfter: empty)
    #expect(try least.json == encoded(least))
  }

  @Test func `every stored property is in its record's list, and comes back`() throws {
    func expectWhole<Record: FieldRecord & Equatable>(_ record: Record) throws {
      let names = Set(Mirror(reflecting: record).children.compactMap(\.label))
      #expect(names == Set(Record.fields.names), "\(Record.self)")
      let read = try JSONDecoder().decode(Record.self, from: Data(record.bytes))
      #expect(read == record)
      #expect(try record.json == encoded(record))
      for name in names {
        guard case .object(var members) = try JSONValue(text: record.json) else { continue }
        members[name] = nil
        let text = Data(JSONValue.object(members).text.utf8)
        guard let partial = try? JSONDecoder().decode(Record.self, from: text) else { continue }
        #expect(partial != record, "\(Record.self).\(name) is not read.")
      }
    }
    let account = try account("a")
    try expectWhole(account)
    try expectWhole(account.details)
    for factor in account.secondFactors { try expectWhole(factor) }
    let identity = try #require(account.identities.first)
    try expectWhole(identity)
    try expectWhole(identity.profile)
    try expectWhole(try #require(identity.secret))
    try expectWhole(try #require(identity.predecessors.first))
    try expectWhole(
      KeptDeletion(
        event: "d", at: time, actor: "admin", reason: "why", account: account,
        absorbed: [AccountID("b")], until: time))
    try expectWhole(
      TransferRecord(
        id: "t", action: .split, scope: Scope(project: "p"), at: time, actor: "admin",
        reason: "why", sourceBefore: account, sourceAfter: try self.account("b"),
        targetBefore: try self.account("c"), targetAfter: try self.account("d"), undoneBy: "u"))
    try expectWhole(
      MergeRecord(
        id: "m", scope: Scope(project: "p"), at: time, actor: "admin", reason: "why",
        survivorBefore: account, absorbedBefore: try self.account("b"), survivorAfter: account,
        batch: "b", undoneBy: "u", endedAt: time))
  }

  @Test func `a field that an earlier version left out is as in a new record`() throws {
    let text =
      #"{"createdAt":1,"disabled":false,"emailVerified":false,"id":"a","identities":[{"#
      + #""emailVerified":false,"key":{"issuer":"","provider":"phone","subject":"+15555550123"},"#
      + #""linkedAt":1,"origin":"credential","profile":{}}],"isAnonymous":false,"revision":1,"#
      + #""scope":{"project":"p"},"secondFactors":[]}"#
    let account = try JSONDecoder().decode(Account.self, from: Data(text.utf8))
    #expect(account.details == AccountDetails() && account.identities.first?.predecessors == [])
    #expect(account.ownership == nil && account.generation == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Account.self, from: Data(#"{"id":"a"}"#.utf8))
    }
  }

  @Test func `a session is written with all that is in it`() throws {
    func session(_ claims: JSONValue, full: Bool) -> SessionRecord {
      SessionRecord(
        id: "s", account: AccountID("a"), provider: .google,
        identity: full ? identity("1").key : nil, signedInAt: time,
        secondFactor: full ? SessionGrant.Factor(kind: "totp", id: "f") : nil, claims: claims,
        createdAt: time, mark: full ? SessionMark(mark: 7) : nil, usedAt: full ? time : nil)
    }
    let full = session(["role": ["a", .number(1.5), .null]], full: true)
    expectNothingMissing(in: full, except: ["claims"])
    for record in [full, session(.null, full: false)] {
      #expect(try record.json == encoded(record))
    }
    #expect(session(["n": .number(.nan)], full: false).json.contains(#""claims":null"#))
  }

  /// Fails for an empty member, so that each new member of a record is filled in above and tested.
  private func expectNothingMissing(in value: Any, except names: Set<String>, _ path: String = "") {
    for (label, child) in Mirror(reflecting: value).children {
      let place = "\(path).\(label ?? "")"
      if let label, names.contains(label) { continue }
      let mirror = Mirror(reflecting: child)
      let isContainer = mirror.displayStyle == .optional || mirror.displayStyle == .collection
      #expect(!isContainer || !mirror.children.isEmpty, "\(place) is not filled in.")
      expectNothingMissing(in: child, except: names, place)
    }
  }
}
