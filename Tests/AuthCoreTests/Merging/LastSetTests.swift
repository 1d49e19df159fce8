import Testing
import TestSupport

@testable import AuthCore

/// The rules of `emailVerified`, and the one that takes the value which was set last.
@Suite struct `Rules for proof and for the last value` {
  private static let hour = Timestamp(milliseconds: 3_600_000)

  private static func account(
    _ id: String, email: String? = nil, verified: Bool = false
  ) throws -> Account {
    var account = Account(
      id: AccountID(id), scope: Scope(project: "p"), createdAt: Timestamp(milliseconds: 1))
    account.email = try email.map { try EmailAddress($0) }
    account.emailVerified = verified
    account.identities = [
      Identity(
        key: IdentityKey(.google, subject: id), origin: .credential, linkedAt: account.createdAt)
    ]
    return account
  }

  private static func plan(
    _ keep: Account, _ absorb: Account, _ fields: [MergeField: FieldRule]
  ) throws -> MergePlan {
    try MergePlan.rehearse(keep: keep, absorb: absorb, rules: MergeRules(fields: fields))
  }

  /// The rule, the proofs of the survivor and of the other account, and the expected flag.
  @Test(arguments: [
    (FieldRule.either, true, false, true), (.either, false, false, false),
    (.both, true, false, false), (.both, false, true, false), (.both, true, true, true),
    (.keep, true, false, true), (.keep, false, true, false), (.theirs, true, false, false),
    (.theirs, false, true, true), (.value(true), false, false, false),
    (.value(true), true, false, true), (.value(false), true, true, false),
  ])
  func `an address is never verified without proof`(
    rule: FieldRule, keep: Bool, absorb: Bool, expected: Bool
  ) throws {
    let plan = try Self.plan(
      Self.account("a", email: "ada@example.com", verified: keep),
      Self.account("b", email: "Ada@example.com", verified: absorb), [.emailVerified: rule])
    #expect(plan.result.emailVerified == expected)
    let outcome = try #require(plan.fields.first { $0.field == .emailVerified })
    #expect(outcome.result == (expected ? "yes" : "no") && outcome.rule == rule.name)
  }

  @Test func `attack: the proof of another address verifies nothing`() throws {
    let survivor = try Self.account("a", email: "victim@example.com")
    let absorbed = try Self.account("b", email: "mallory@example.com", verified: true)
    for rule in [FieldRule.either, .both, .keep, .theirs, .value(true)] {
      let plan = try Self.plan(survivor, absorbed, [.email: .keep, .emailVerified: rule])
      #expect(plan.result.email == survivor.email && !plan.result.emailVerified, "\(rule)")
    }
  }

  @Test func `attack: a stranger's password does not stay because the flag goes`() throws {
    let email = try EmailAddress("ada@example.com")
    var stranger = try Self.account("a", email: email.text)
    stranger.identities.append(
      Identity(
        key: .password(email), origin: .credential, linkedAt: stranger.createdAt,
        secret: StoredSecret(encoded: "x", changedAt: stranger.createdAt)))
    let owner = try Self.account("b", email: email.text, verified: true)
    for rule in [FieldRule.either, .both] {
      let plan = try Self.plan(stranger, owner, [.emailVerified: rule])
      #expect(plan.droppedIdentities == [.password(email)], "\(rule)")
    }
  }

  @Test func `a plan without the rule lists the flag with the address alone`() throws {
    let plan = try Self.plan(Self.account("a"), Self.account("b"), [:])
    #expect(!plan.fields.contains { $0.field == .emailVerified })
  }

  @Test(arguments: [
    ("emailVerified", "newest"), ("emailVerified", "verified"), ("displayName", "both"),
    ("disabled", "either"), ("customClaims", "last-set"), ("createdAt", "last-set"),
  ])
  func `a rule that does not fit its field is refused`(field: String, rule: String) throws {
    let field = try MergeField(named: field)
    let error = try #require(throws: AuthError.self) { try FieldRule(name: rule, field: field) }
    #expect(error.code == .invalidArgument && error.field == field.rawValue)
  }

  @Test func `the value that a provider named last wins, and a typed one is as old as the account`()
    throws
  {
    var survivor = try Self.account("a")
    survivor.displayName = "Ada"
    survivor.photoURL = "https://img.example/old.png"
    survivor.identities[0].profile.photoURL = survivor.photoURL
    var absorbed = try Self.account("b")
    absorbed.displayName = "Countess"
    absorbed.photoURL = "https://img.example/new.png"
    absorbed.identities[0].profile.displayName = "Countess"
    absorbed.identities[0].profile.photoURL = "https://img.example/other.png"
    absorbed.identities[0].lastSignInAt = Self.hour

    #expect(survivor.lastSet(.displayName) == survivor.createdAt)
    #expect(absorbed.lastSet(.displayName) == Self.hour)
    #expect(absorbed.lastSet(.photoURL) == absorbed.createdAt)
    let plan = try Self.plan(
      survivor, absorbed, [.displayName: .lastSet, .photoURL: .lastSet])
    #expect(plan.result.displayName == "Countess")
    #expect(plan.result.photoURL == survivor.photoURL, "Both were set at once.")
  }

  @Test func `an address counts as set when its password was linked`() throws {
    var survivor = try Self.account("a", email: "old@example.com")
    var absorbed = try Self.account("b", email: "new@example.com")
    for (index, linkedAt) in [Timestamp(milliseconds: 5), Self.hour].enumerated() {
      let email = try EmailAddress(index == 0 ? "old@example.com" : "new@example.com")
      let password = Identity(
        key: .password(email), origin: .credential, linkedAt: linkedAt,
        secret: StoredSecret(encoded: "x", changedAt: linkedAt))
      if index == 0 {
        survivor.identities.append(password)
      } else {
        absorbed.identities.append(password)
      }
    }
    let plan = try Self.plan(survivor, absorbed, [.email: .lastSet])
    #expect(plan.result.email == absorbed.email)
    #expect(plan.droppedIdentities == [.password(try EmailAddress("old@example.com"))])
  }
}
