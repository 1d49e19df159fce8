import AuthCore
import AuthTesting
import Testing

/// Records of one import, each of which counts for later ones.
@Suite struct ImportedAccountsTests {
  let home = TestHome()

  /// The data that a second record shares with the first; it decides the outcome.
  enum Shared: CaseIterable {
    case uid, identity, verifiedEmail, spelledOtherwise, unverifiedEmail
  }

  @Test(arguments: Shared.allCases)
  func `a record sees the records before it`(_ shared: Shared) async throws {
    let first = try record("a", email: "ada@example.com")
    let (second, expected): (ImportedAccount, String) =
      switch shared {
      case .uid: (try record("a", email: "b@example.com"), "uid-already-exists")
      case .identity:
        (try record("b", subject: "a", email: "b@example.com"), "credential-already-in-use")
      case .verifiedEmail: (try record("b", email: "ada@example.com"), "email-already-in-use")
      case .spelledOtherwise: (try record("b", email: "ADA@Example.com"), "email-already-in-use")
      case .unverifiedEmail:
        (try record("b", email: "Ada@example.com", isVerified: false), "shares with a")
      }
    let others = try (0..<5).map { try record("x\($0)", email: "x\($0)@example.com") }

    // The second copy follows when the first record is already stored.
    let outcomes = try await home.graph.importAccounts(
      [first] + others + [second, second], by: home.admin)

    #expect(outcomes.prefix(6).allSatisfy { $0 == .imported })
    #expect(told(outcomes[6]) == expected)
    #expect(told(outcomes[7]) == (shared == .unverifiedEmail ? "unchanged" : expected))
  }

  @Test func `more records than the store is given at once keep their order`() async throws {
    let records = try (0..<120).map { try record("u\(1000 + $0)", email: "\($0)@example.com") }

    let outcomes = try await home.graph.importAccounts(records + records, by: home.admin)

    #expect(outcomes.prefix(120).allSatisfy { $0 == .imported })
    #expect(outcomes.suffix(120).allSatisfy { $0 == .unchanged })
    let events = try await home.graph.events(limit: 1000, in: home.scope)
    #expect(events.reversed().compactMap(\.accountID) == records.map(\.account.id))
  }

  @Test(arguments: [true, false])
  func `a record of another tenant is refused, and goes nowhere`(_ isDryRun: Bool) async throws {
    let north = Scope(project: home.scope.project, tenant: "north")
    var stranger = try record("b", email: "b@example.com").account
    stranger = Account(id: stranger.id, scope: north, createdAt: stranger.createdAt)
    var admin = home.admin
    admin.dryRun = isDryRun

    let outcomes = try await home.graph.importAccounts(
      [try record("a", email: "a@example.com"), ImportedAccount(account: stranger, line: 2)],
      by: admin)

    #expect(outcomes.map(told) == ["imported", "tenant-mismatch"])
    #expect(try await home.everything().map(\.id) == (isDryRun ? [] : [AccountID("a")]))
    #expect(try await home.graph.accounts(limit: 10, in: north).isEmpty)
  }

  private func record(
    _ uid: String, subject: String? = nil, email: String, isVerified: Bool = true
  ) throws -> ImportedAccount {
    var account = Account(id: AccountID(uid), scope: home.scope, createdAt: home.clock.now)
    account.email = try EmailAddress(email)
    account.emailVerified = isVerified
    account.identities = [
      Identity(
        key: IdentityKey(TestHome.other, subject: subject ?? uid), origin: .imported,
        linkedAt: home.clock.now)
    ]
    return ImportedAccount(account: account, line: 1)
  }

  private func told(_ outcome: ImportOutcome) -> String {
    switch outcome {
    case .imported: "imported"
    case .unchanged: "unchanged"
    case .sharesEmail(let ids): "shares with \(ids.map(\.rawValue).joined(separator: ", "))"
    case .refused(let error): error.code.rawValue
    }
  }
}
