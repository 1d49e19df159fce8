import AuthTesting
import Foundation
import Testing
import TestSupport

@testable import AuthCore

/// Accounts with texts beyond their bounds: new ones are refused, stored ones stay usable.
@Suite struct LongRecordsTests {
  static let bomb = "e" + String(repeating: "\u{301}", count: 20_000)

  /// Every text of a record, with the field that the refusal names.
  static let fields: [(field: String, set: @Sendable (inout Account) throws -> Void)] = [
    ("displayName", { $0.displayName = bomb }),
    ("photoUrl", { $0.photoURL = "https://x.example/\(bomb)" }),
    ("customAttributes", { $0.customClaims = try CustomClaims(stored: "{\"a\":\"\(bomb)\"}") }),
    ("screenName", { $0.details.screenName = bomb }),
    ("language", { $0.details.language = bomb }),
    ("timeZone", { $0.details.timeZone = bomb }),
    ("dateOfBirth", { $0.details.dateOfBirth = bomb }),
    ("providerUserInfo.[1].rawId", { $0.identities.append(identity(subject: bomb)) }),
    ("providerUserInfo.[1].issuer", { $0.identities.append(identity(issuer: bomb)) }),
    ("providerUserInfo.[1].providerId", { $0.identities.append(identity("oidc.\(bomb)")) }),
    ("providerUserInfo.[0].email", { $0.identities[0].profile.email = bomb }),
    ("providerUserInfo.[0].displayName", { $0.identities[0].profile.displayName = bomb }),
    ("providerUserInfo.[0].photoUrl", { $0.identities[0].profile.photoURL = bomb }),
    ("providerUserInfo.[0].phoneNumber", { $0.identities[0].profile.phoneNumber = bomb }),
    ("providerUserInfo.[0].screenName", { $0.identities[0].profile.screenName = bomb }),
    ("providerUserInfo.[0].language", { $0.identities[0].profile.language = bomb }),
    ("providerUserInfo.[0].dateOfBirth", { $0.identities[0].profile.dateOfBirth = bomb }),
    (
      "providerUserInfo.[0].passwordHash",
      { $0.identities[0].secret = StoredSecret(encoded: bomb, changedAt: $0.createdAt) }
    ),
    ("mfaInfo.[0].mfaEnrollmentId", { $0.secondFactors = [factor(id: bomb)] }),
    ("mfaInfo.[0].displayName", { $0.secondFactors = [factor(name: bomb)] }),
    ("mfaInfo.[0].enrolledAt", { $0.secondFactors = [factor(enrolledAt: bomb)] }),
  ]

  private static func identity(
    _ provider: String = "github.com", issuer: String = "", subject: String = "2"
  ) -> Identity {
    Identity(
      key: IdentityKey(ProviderID(provider), issuer: issuer, subject: subject), origin: .imported,
      linkedAt: Timestamp(milliseconds: 0))
  }

  private static func factor(
    id: String = "f", name: String? = nil, enrolledAt: String? = nil
  ) -> SecondFactor {
    SecondFactor(id: id, kind: .totp, displayName: name, enrolledAt: enrolledAt)
  }

  private func record(
    _ uid: String, in home: TestHome, _ set: (inout Account) throws -> Void
  ) throws -> ImportedAccount {
    var account = Account(id: AccountID(uid), scope: home.scope, createdAt: home.clock.now)
    account.email = try EmailAddress("\(uid)@example.com")
    account.emailVerified = true
    account.identities = [
      Identity(
        key: IdentityKey(TestHome.other, subject: uid), origin: .imported,
        linkedAt: home.clock.now)
    ]
    try set(&account)
    return ImportedAccount(account: account, line: 1)
  }

  @Test func `S16 an import refuses a text that is too long by its field, and takes the rest`()
    async throws
  {
    let home = TestHome()
    for (field, set) in Self.fields {
      let good = try record("good-\(field.count)-\(field.hashValue)", in: home) { _ in }
      let bad = try record("bad", in: home, set)
      for outcomes in [
        try await home.graph.importAccounts([bad, good], by: home.admin),
        try await home.graph.importRecords([bad], overwriting: true, by: home.admin),
      ] {
        guard case .refused(let error)? = outcomes.first else {
          Issue.record("\(field): \(outcomes)")
          continue
        }
        #expect(error.field == field)
        #expect(error.remedy?.isEmpty == false)
        #expect(error.message.utf8.count < 200, "\(field)")
      }
    }
    #expect(try await home.graph.accountCount(in: home.scope) == Self.fields.count)
    #expect(try await home.everything().allSatisfy { $0.excess() == nil })
  }

  @Test(arguments: fields.indices)
  func `a store with longer texts is read, changed, merged and taken back`(
    index: Int
  ) async throws {
    let home = TestHome()
    let long = try record("long", in: home, Self.fields[index].set).account
    let other = try record("other", in: home) { $0.email = nil }.account
    // As written by a version without bounds.
    try await home.store.write { writer in
      try writer.insert(long)
      try writer.insert(other)
    }
    let decoded = try JSONDecoder().decode(Account.self, from: JSONEncoder().encode(long))
    #expect(decoded == long)

    try await home.update(long.id) { $0.disabled = true }
    try await home.update(long.id) { $0.disabled = false }
    let plan = try await home.graph.planMerge(
      keep: other.id, absorb: long.id, in: home.scope)
    let receipt = try await home.graph.commit(plan, by: home.admin)
    _ = try await home.graph.undoMerge(receipt.id, by: home.admin)

    let restored = try await home.account(long.id)
    #expect(restored.identities == long.identities)
    #expect(restored.displayName == long.displayName)
    #expect(restored.customClaims == long.customClaims)
  }

  @Test func `a file with records that the store has already is unchanged, at any length`()
    async throws
  {
    let home = TestHome()
    let long = try record("long", in: home) { $0.displayName = Self.bomb }
    try await home.store.write { try $0.insert(long.account) }
    let outcomes = try await home.graph.importAccounts([long], by: home.admin)
    #expect(outcomes == [.unchanged])
  }

  @Test func `an account has at most a hundred identities, by a link as by a merge`() async throws {
    let home = TestHome()
    _ = try await home.graph.changeSettings(by: home.admin) { $0.identitiesPerProvider = .many }
    let full = try await home.bring("full") { account in
      account.identities = (0..<100).map { Self.identity(subject: "s\($0)") }
    }
    let one = try await home.bring("one") { $0.identities = [Self.identity("x.com", subject: "1")] }

    await expectError(.invalidArgument) {
      try await home.graph.assert(
        IdentityKey(ProviderID("github.com"), subject: "one more"), profile: IdentityProfile(),
        on: full.id, by: home.admin)
    }
    await expectError(.mergeRefused) {
      try await home.graph.planMerge(keep: full.id, absorb: one.id, in: home.scope)
    }
    #expect(try await home.account(full.id).identities.count == 100)
  }

  @Test func `claims that no token has room for beside the identities are refused as input`()
    async throws
  {
    let home = TestHome()
    let full = try await home.bring("full") { account in
      account.identities = (0..<100).map {
        Self.identity(subject: "\($0)" + String(repeating: "s", count: 250))
      }
    }
    await expectError(.claimsTooLarge) {
      try await home.update(full.id) { changes in
        changes.customClaims = .set(
          try CustomClaims(text: "{\"a\":\"\(String(repeating: "語", count: 900))\"}"))
        changes.displayName = .set(String(repeating: "\u{1}", count: 256))
        changes.photoURL = .set("https://x.example/" + String(repeating: "\"", count: 2000))
      }
    }
    #expect(try await home.account(full.id).customClaims == nil)
  }

  @Test func `S5 the result of a policy is bounded like everything else`() async throws {
    let policy = ClosurePolicy { conflict in
      var rules = MergeRules()
      rules.fields[.displayName] = .value(.string(Self.bomb))
      return .merge(into: conflict.current.id, from: conflict.existing.id, rules)
    }
    let home = TestHome(policies: [policy])
    try await home.use(policy)
    let existing = try await home.signIn(home.credential("1", name: "Ada")).account
    let current = try await home.signIn(home.credential("2", provider: TestHome.other)).account
    let before = try await home.everything()

    await expectError(.credentialAlreadyInUse) {
      try await home.graph.link(
        home.credential("1"), to: current.id, by: home.session(current.id))
    }

    #expect(existing.displayName == "Ada")
    #expect(try await home.everything() == before)
    let events = try await home.graph.events(limit: 100, in: home.scope)
    #expect(events.allSatisfy { $0.details.size < 2 * TextBounds.detail.bytes })
  }

  @Test func `S5 an unknown uid and a reason are bounded in an event`() async throws {
    let home = TestHome()
    await expectError(.userNotFound) {
      try await home.graph.setDisabled(true, AccountID(Self.bomb), by: home.admin)
    }
    await expectError(.eventNotFound) {
      try await home.graph.undoMerge(Self.bomb, by: home.admin)
    }
    let wordy = Caller(scope: home.scope, authority: .admin("ada"), reason: Self.bomb)
    let account = try await home.signIn(home.credential("1")).account
    for reasoned in [
      { @Sendable in _ = try await home.graph.setDisabled(true, account.id, by: wordy) },
      { @Sendable in _ = try await home.graph.deleteMany([account.id], force: true, by: wordy) },
      { @Sendable in _ = try await home.graph.importRecords([], overwriting: true, by: wordy) },
      { @Sendable in _ = try await home.graph.importAccounts([], by: wordy) },
      { @Sendable in _ = try await home.graph.deleteAllAccounts(by: wordy) },
      { @Sendable in _ = try await home.graph.changeSettings(by: wordy) { _ in } },
    ] as [@Sendable () async throws -> Void] {
      let error = await expectError(.invalidArgument) { try await reasoned() }
      #expect(error?.field == "reason")
    }
    let events = try await home.graph.events(limit: 100, in: home.scope)
    #expect(events.allSatisfy { ($0.accountID?.rawValue.utf8.count ?? 0) <= 4096 })
    #expect(events.allSatisfy { ($0.reason?.utf8.count ?? 0) <= 4000 })
    #expect(try await home.account(account.id).disabled == false)
  }
}
