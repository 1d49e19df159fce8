import AuthCore
import AuthTesting
import Testing

/// A merge whose rules leave out a contact, and the contacts of the result.
private struct Drop: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var survivor: @Sendable (inout Account) throws -> Void = { _ in }
  var absorbed: @Sendable (inout Account) throws -> Void = { _ in }
  var fields: [MergeField: FieldRule] = [:]
  var dropped: [String] = []
  /// The identities that are left, except the vendors', as text.
  let left: [String]
  var number: String?
  var email: String?
}

@Suite struct `PB2: a contact that a merge drops` {
  private static let phone = "+15555550100"
  private static let other = "+15555550111"

  @Sendable private static func number(_ text: String) -> (@Sendable (inout Account) throws -> Void)
  {
    { account in
      let number = try PhoneNumber(text)
      account.phoneNumber = number
      account.identities.append(
        Identity(key: .phone(number), origin: .credential, linkedAt: account.createdAt))
    }
  }

  /// An address with its password and its links.
  @Sendable private static func address(
    _ text: String, _ keys: [@Sendable (EmailAddress) -> IdentityKey], vendor: Bool = false
  ) -> (@Sendable (inout Account) throws -> Void) {
    { account in
      let email = try EmailAddress(text)
      account.email = email
      account.emailVerified = true
      for key in keys {
        var identity = Identity(key: key(email), origin: .credential, linkedAt: account.createdAt)
        if identity.provider == .password {
          identity.secret = StoredSecret(encoded: "x", changedAt: account.createdAt)
        }
        account.identities.append(identity)
      }
      if vendor { account.identities[0].profile.email = text }
    }
  }

  private static let password: @Sendable (EmailAddress) -> IdentityKey = { .password($0) }
  private static let link: @Sendable (EmailAddress) -> IdentityKey = { .emailLink($0) }

  private static let drops: [Drop] = [
    Drop(
      testDescription: "a function without a number drops the other's identity",
      absorbed: number(phone), fields: [.phoneNumber: .value(.null)], left: []),
    Drop(
      testDescription: "a function without a number drops the survivor's identity",
      survivor: number(phone), fields: [.phoneNumber: .value(.null)], left: []),
    Drop(
      testDescription: "a function that chooses the other's number moves its identity",
      survivor: number(phone), absorbed: number(other),
      fields: [.phoneNumber: .value(.string(other))], left: ["phone/\(other)"], number: other),
    Drop(
      testDescription: "rules by name lose no way in",
      survivor: number(phone), absorbed: number(other), fields: [.phoneNumber: .theirs],
      left: ["phone/\(phone)", "phone/\(other)"], number: other),
    Drop(
      testDescription: "a phone identity takes its number",
      absorbed: number(phone), dropped: ["phone/\(phone)"], left: []),
    Drop(
      testDescription: "a phone identity takes its number, and the other number stays",
      survivor: number(phone), absorbed: number(other), dropped: ["phone/\(phone)"],
      left: ["phone/\(other)"], number: other),
    Drop(
      testDescription: "a function without an address drops its ways in",
      absorbed: address("ada@example.com", [password, link]), fields: [.email: .value(.null)],
      left: []),
    Drop(
      testDescription: "a function that chooses an address drops the ways in of the other",
      survivor: address("ada@example.com", [password, link]),
      absorbed: address("bo@example.com", [password, link]),
      fields: [.email: .value("bo@example.com")],
      left: ["password/bo@example.com", "emailLink/bo@example.com"], email: "bo@example.com"),
    Drop(
      testDescription: "a password takes its address and the links",
      absorbed: address("ada@example.com", [password, link]), dropped: ["password/ada@example.com"],
      left: []),
    Drop(
      testDescription: "links take their address and the password",
      absorbed: address("ada@example.com", [password, link]),
      dropped: ["emailLink/ada@example.com"], left: []),
    Drop(
      testDescription: "an address stays that a vendor names too",
      absorbed: address("ada@example.com", [password], vendor: true),
      dropped: ["password/ada@example.com"], left: [], email: "ada@example.com"),
    Drop(
      testDescription: "an address stays that the other account has",
      survivor: address("ada@example.com", [link]),
      absorbed: address("ada@example.com", [password]), dropped: ["password/ada@example.com"],
      left: ["emailLink/ada@example.com"], email: "ada@example.com"),
  ]

  private func account(
    _ id: String, _ change: (inout Account) throws -> Void
  ) throws -> Account {
    var account = Account(
      id: AccountID(id), scope: Scope(project: "test"), createdAt: Timestamp(milliseconds: 1))
    account.identities = [
      Identity(
        key: IdentityKey(TestHome.fake, subject: id), origin: .credential,
        linkedAt: account.createdAt)
    ]
    try change(&account)
    return account
  }

  @Test(arguments: drops)
  private func `goes with its other half`(drop: Drop) throws {
    let keep = try account("keep", drop.survivor)
    let absorb = try account("absorb", drop.absorbed)
    let keys = (keep.identities + absorb.identities).map(\.key)
    let dropped = keys.filter { drop.dropped.contains($0.description) }
    #expect(dropped.count == drop.dropped.count)

    let plan = try MergePlan.rehearse(
      keep: keep, absorb: absorb, rules: MergeRules(fields: drop.fields, droppedIdentities: dropped)
    )

    let ways = plan.result.identities.map(\.key).filter { $0.provider != TestHome.fake }
    #expect(Set(ways.map(\.description)) == Set(drop.left))
    #expect(plan.result.phoneNumber?.text == drop.number)
    #expect(plan.result.email?.text == drop.email)
    #expect(plan.result.emailVerified == (drop.email != nil))
    #expect(
      Set(plan.droppedIdentities) == Set(keys).subtracting(plan.result.identities.map(\.key)),
      "What goes is said.")
  }

  @Test func `a number that is dropped and chosen is an error`() throws {
    let keep = try account("keep") { _ in }
    let absorb = try account("absorb", Self.number(Self.phone))
    #expect(throws: AuthError.self) {
      try MergePlan.rehearse(
        keep: keep, absorb: absorb,
        rules: MergeRules(
          fields: [.phoneNumber: .value(.string(Self.phone))],
          droppedIdentities: [.phone(try PhoneNumber(Self.phone))]))
    }
  }

  @Test func `a number replaced by a rekey goes with its identity`() throws {
    let number = try PhoneNumber(Self.phone)
    let keep = try account("keep") { _ in }
    let absorb = try account("absorb") { account in
      account.phoneNumber = number
      let old = Identity(key: .phone(number), origin: .credential, linkedAt: account.createdAt)
      account.identities.append(
        Identity(
          key: .phone(try PhoneNumber(Self.other)), origin: .credential,
          linkedAt: account.createdAt,
          predecessors: [
            Predecessor(identity: old, rekey: "r", until: Timestamp(milliseconds: 9))
          ]))
    }
    let plan = try MergePlan.rehearse(
      keep: keep, absorb: absorb, rules: MergeRules(fields: [.phoneNumber: .value(.null)]))
    #expect(plan.result.identities.map(\.provider) == [TestHome.fake, TestHome.fake])
  }

  @Test func `the way in is gone, and the number is free`() async throws {
    let policy = ClosurePolicy {
      .merge(
        into: $0.current.id, from: $0.existing.id,
        MergeRules(
          droppedIdentities: $0.existing.identities.map(\.key).filter { $0.provider == .phone }))
    }
    let home = TestHome(policies: [policy])
    try await home.use(policy)
    let current = try await home.signIn(home.credential("1")).account
    var existing = try account("existing", Self.number(Self.phone))
    existing.identities.append(
      Identity(
        key: IdentityKey(TestHome.other, subject: "9"), origin: .imported,
        linkedAt: existing.createdAt))
    _ = try await home.graph.importAccounts(
      [ImportedAccount(account: existing, line: 1)], by: home.admin)
    let receipt = try await home.graph.link(
      home.credential("9", provider: TestHome.other), to: current.id, by: home.session(current.id))
    #expect(receipt.action == .merge)
    #expect(try await home.account(current.id).phoneNumber == nil)
    #expect(try await home.graph.account(matching: Self.phone, in: home.scope) == nil)
    _ = try await home.graph.undoMerge(receipt.id, by: home.admin)
    #expect(try await home.account(existing.id).phoneNumber?.text == Self.phone)
  }
}
