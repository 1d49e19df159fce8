import AuthCore
import IdentityToolkitService
import Testing
import TestSupport

/// A tenant that is deleted at one server while people sign in at another one.
@Suite struct `D7 a tenant that is gone` {
  private static let tenant = Scope(project: ServerPair.scope.project, tenant: "t")

  private var admin: Caller {
    Caller(scope: Self.tenant, authority: .admin("ada"), reason: "test")
  }

  private static func record(_ uid: String) -> ImportedAccount {
    ImportedAccount(
      account: Account(
        id: AccountID(uid), scope: tenant, createdAt: Timestamp(milliseconds: 1)), line: 1)
  }

  /// Returns acts that write rows to a tenant.
  private func acts(
    _ graph: AccountGraph
  ) -> [(String, @Sendable (_ uid: String) async throws -> Void)] {
    let anyone = Caller(scope: Self.tenant, authority: .anyone)
    let admin = admin
    return [
      (
        "sign-up",
        { _ in
          _ = try await graph.signIn(
            try graph.providers.credential(.anonymous, [:]), by: anyone)
        }
      ),
      (
        "create",
        { _ = try await graph.create(ProfileChanges(), uid: AccountID($0), by: admin) }
      ),
      ("import", { _ = try await graph.importAccounts([Self.record($0)], by: admin) }),
      (
        "import of records",
        { _ = try await graph.importRecords([Self.record($0)], overwriting: true, by: admin) }
      ),
    ]
  }

  @Test(arguments: SharedKind.allCases)
  func `D7: nothing makes an account in it`(_ kind: SharedKind) async throws {
    try await kind.withStores(2) { stores in
      let pair = ServerPair(on: stores)
      for (name, act) in acts(pair.second.graph) {
        await expectTenantNotFound("\(name), never opened") { try await act("a") }
        try await pair.first.graph.openTenant(Self.tenant, by: pair.admin)
        try await act("a")
        try await pair.first.graph.deleteTenant(Self.tenant, by: admin)
        await expectTenantNotFound("\(name), deleted") { try await act("b") }
        let left = try await stores[0].read { try $0.accountCount(in: Self.tenant) }
        #expect(left == 0, "\(name)")
      }
    }
  }

  @Test(arguments: SharedKind.allCases, 0..<4)
  func `D7: no account is left in it while callers sign up at another server`(
    _ kind: SharedKind, _ act: Int
  ) async throws {
    try await kind.withStores(2) { stores in
      let pair = ServerPair(on: stores)
      try await pair.first.graph.openTenant(Self.tenant, by: pair.admin)
      let (name, act) = acts(pair.second.graph)[act]
      let made = try await withThrowingTaskGroup(of: Int.self) { group in
        for caller in 0..<3 {
          group.addTask {
            for number in 0..<200 {
              do {
                try await act("\(caller)-\(number)")
              } catch let error as AuthError where error.code == .tenantNotFound {
                return number
              }
            }
            return 200
          }
        }
        // The tenant has an account by then.
        try await eventually("an account") {
          try await stores[0].read { try $0.accountCount(in: Self.tenant) } > 0
        }
        try await pair.first.graph.deleteTenant(Self.tenant, by: admin)
        return try await group.reduce(0, +)
      }
      #expect(made > 0)
      let left = try await stores[0].read { try $0.accountCount(in: Self.tenant) }
      #expect(left == 0, "\(name) after \(made)")
    }
  }

  private func expectTenantNotFound(
    _ what: String, _ body: () async throws -> Void
  ) async {
    do {
      try await body()
      Issue.record("\(what) was not refused")
    } catch {
      #expect((error as? AuthError)?.code == .tenantNotFound, "\(what): \(error)")
    }
  }
}
