import AuthCore
import AuthTesting
import Foundation
import Testing
import TestSupport

@Suite struct `Whole records` {
  let home = TestHome()

  private func record(
    _ id: String, in scope: Scope? = nil, _ fill: (inout Account) throws -> Void = { _ in }
  ) throws -> ImportedAccount {
    var account = Account(
      id: AccountID(id), scope: scope ?? home.scope, createdAt: Timestamp(milliseconds: 1000))
    try fill(&account)
    return ImportedAccount(account: account, line: 0)
  }

  private func identity(_ subject: String, _ provider: ProviderID = TestHome.fake) -> Identity {
    Identity(
      key: IdentityKey(provider, subject: subject), origin: .imported,
      linkedAt: Timestamp(milliseconds: 0))
  }

  private func codes(_ outcomes: [ImportOutcome]) -> [String] {
    outcomes.map { outcome in
      switch outcome {
      case .imported: "imported"
      case .unchanged: "unchanged"
      case .sharesEmail: "shares"
      case .refused(let error): error.code.rawValue
      }
    }
  }

  @Test func `a record comes in as a whole, and sessions of before are over`() async throws {
    let full = try record("full") { account in
      account.email = try EmailAddress("full@example.com")
      account.emailVerified = true
      account.validSince = Timestamp(milliseconds: 5)
      account.details.initialEmail = try EmailAddress("first@example.com")
      account.identities = [identity("1")]
      account.secondFactors = [
        SecondFactor(id: "f", kind: .phone(try PhoneNumber("+15555550123")))
      ]
    }

    let outcomes = try await home.graph.importRecords([full], overwriting: false, by: home.admin)

    #expect(outcomes == [.imported])
    var wanted = full.account
    wanted.revision = 1
    wanted.validSince = home.clock.now
    var stored = try await home.account(wanted.id)
    // A new uid begins an ownership, which no file contains.
    #expect(stored.ownership != nil)
    stored.ownership = nil
    #expect(stored == wanted)
    let event = try await home.graph.events(limit: 1, in: home.scope).first
    #expect(event?.action == .importAccount && event?.accountID == wanted.id)
  }

  @Test func `an existing uid is replaced only if that is asked for`() async throws {
    let old = try await home.signIn(home.credential("1", email: "old@example.com")).account
    let new = try record(old.id.rawValue) { $0.email = try EmailAddress("new@example.com") }

    let kept = try await home.graph.importRecords([new], overwriting: false, by: home.admin)
    #expect(codes(kept) == ["uid-already-exists"])
    #expect(try await home.account(old.id) == old)
    let replaced = try await home.graph.importRecords([new], overwriting: true, by: home.admin)

    #expect(codes(replaced) == ["imported"])
    let now = try await home.account(old.id)
    #expect(now.email?.text == "new@example.com" && now.identities.isEmpty)
    #expect(now.revision == old.revision + 1)
    #expect(try await home.signIn(home.credential("1")).isNewUser)
  }

  @Test func `each refused record is reported, and the others stay`() async throws {
    _ = try await home.signIn(home.credential("1", email: "taken@example.com"))
    _ = try await home.graph.signUp(home.password("p@example.com", "secret-1"), by: home.anyone)
    let number = try PhoneNumber("+15555550123")
    let records = try [
      record("good") { $0.identities = [identity("2")] },
      record(""),
      record("elsewhere", in: Scope(project: "test", tenant: "t")),
      record("subject") { $0.identities = [identity("1")] },
      record("twice") { $0.identities = [identity("2")] },
      record("password") {
        $0.identities = [
          Identity(
            key: .password(try EmailAddress("p@example.com")), origin: .imported,
            linkedAt: Timestamp(milliseconds: 0))
        ]
      },
      record("phone") {
        $0.phoneNumber = number
        $0.identities = [identity(number.text, .phone)]
      },
      record("same phone") {
        $0.phoneNumber = number
        $0.identities = [identity(number.text, .phone)]
      },
      record("shared") { $0.email = try EmailAddress("taken@example.com") },
      record("good"),
      record("factor") {
        $0.email = try EmailAddress("f@example.com")
        $0.secondFactors = [SecondFactor(id: "f", kind: .totp)]
      },
    ]

    let outcomes = try await home.graph.importRecords(records, overwriting: false, by: home.admin)

    #expect(
      codes(outcomes) == [
        "imported", "invalid-uid", "tenant-mismatch", "credential-already-in-use",
        "credential-already-in-use", "email-already-in-use", "imported",
        "phone-number-already-exists", "shares", "uid-already-exists", "unverified-email",
      ])
    let strict = try await home.graph.importRecords(
      [record("strict") { $0.email = try EmailAddress("TAKEN@example.com") }],
      overwriting: false, refusingSharedEmails: true, by: home.admin)
    #expect(codes(strict) == ["email-already-in-use"])
    #expect(try await home.everything().count == 5)
  }

  @Test func `only an admin imports, a thousand at most, and a rehearsal writes nothing`()
    async throws
  {
    await expectError(.operationNotAllowed) {
      try await home.graph.importRecords([try record("a")], overwriting: true, by: home.anyone)
    }
    let many = try (0...1000).map { try record("\($0)") }
    await expectError(.invalidArgument) {
      try await home.graph.importRecords(many, overwriting: false, by: home.admin)
    }
    var rehearsing = home.admin
    rehearsing.dryRun = true
    #expect(
      codes(
        try await home.graph.importRecords(
          [record("a"), record("a")], overwriting: false, by: rehearsing))
        == ["imported", "uid-already-exists"])
    #expect(try await home.everything().isEmpty)
  }

  @Test func `a batch deletes disabled accounts, and others if forced`() async throws {
    let ada = try await home.signIn(home.credential("1")).account
    let bo = try await home.signIn(home.credential("2")).account
    _ = try await home.graph.setDisabled(true, ada.id, by: home.admin)
    let ids = [ada.id, AccountID("nobody"), bo.id, ada.id]

    let outcomes = try await home.graph.deleteMany(ids, by: home.admin)

    guard case .deleted(let event) = outcomes[0] else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(outcomes.dropFirst() == [.unknown, .enabled, .unknown])
    #expect(try await home.graph.event(event, in: home.scope).accountID == ada.id)
    #expect(try await home.everything().map(\.id) == [bo.id])
    let forced = try await home.graph.deleteMany([bo.id], force: true, by: home.admin)
    #expect(forced != [.enabled])
    #expect(try await home.everything().isEmpty)
    await expectError(.operationNotAllowed) {
      try await home.graph.deleteMany([bo.id], force: true, by: home.session(bo.id))
    }
  }

  @Test func `the first address is kept from the first change on`() async throws {
    let ada = try await home.signIn(home.credential("1", email: "first@example.com")).account
    for email in ["second@example.com", "third@example.com"] {
      try await home.update(ada.id) { $0.email = .set(try EmailAddress(email)) }
      #expect(try await home.account(ada.id).details.initialEmail?.text == "first@example.com")
    }
    let anonymous = try await home.signIn(home.graph.providers.credential(.anonymous, [:])).account
    try await home.update(anonymous.id) { $0.email = .set(try EmailAddress("new@example.com")) }
    #expect(try await home.account(anonymous.id).details.initialEmail == nil)
  }

  @Test func `an admin sets times and second factors exactly, and takes a password away`()
    async throws
  {
    let ada = try await home.graph.signUp(
      home.password("ada@example.com", "secret-1"), by: home.anyone
    ).account
    let factor = SecondFactor(id: "f", kind: .phone(try PhoneNumber("+15555550123")))
    try await home.update(ada.id) { changes in
      changes.emailVerified = true
      changes.createdAt = Timestamp(milliseconds: 1)
      changes.lastSignInAt = Timestamp(milliseconds: 2)
      changes.validSince = Timestamp(milliseconds: 3)
      changes.secondFactors = [factor]
    }
    var changes = ProfileChanges()
    changes.removesPassword = true
    _ = try await home.graph.update(ada.id, changes, force: true, by: home.admin)

    let changed = try await home.account(ada.id)
    #expect(changed.createdAt.milliseconds == 1 && changed.lastSignInAt?.milliseconds == 2)
    #expect(changed.validSince?.milliseconds == 3 && changed.secondFactors == [factor])
    #expect(changed.email == ada.email && changed.identities.isEmpty)
    var twice = ProfileChanges()
    twice.secondFactors = [factor, factor]
    let wrong = twice
    await expectError(.secondFactorAlreadyInUse) {
      try await home.graph.update(ada.id, wrong, by: home.admin)
    }
    await expectError(.operationNotAllowed) {
      var own = ProfileChanges()
      own.validSince = Timestamp(milliseconds: 4)
      return try await home.graph.update(
        ada.id, own, by: home.session(ada.id, secondFactor: true))
    }
  }

  @Test func `an account of an older store has no details`() throws {
    let account = try record("a").account
    var json = try #require(
      JSONSerialization.jsonObject(with: JSONEncoder().encode(account)) as? [String: Any])
    json["details"] = nil

    let data = try JSONSerialization.data(withJSONObject: json)

    #expect(try JSONDecoder().decode(Account.self, from: data) == account)
  }
}
