import AuthCore
import AuthTesting
import FakeVendors
import Synchronization
import Testing
import TestSupport

@testable import PostgresStore

/// People who share no row, in a database without statistics.
@Suite(.serialized) struct ContentionTests {
  private static let scope = Scope(project: "test")
  private static let callers = 8
  private static let people = 25

  /// A provider whose credentials can be used once, like an OpenID provider's.
  private struct OnceProvider: AuthProvider {
    let fake = FakeProvider()
    var id: ProviderID { fake.id }
    var manifest: ProviderManifest { fake.manifest }
    private let digests = SeededIDs()

    func verify(
      _ credential: Credential, _ context: VerificationContext
    ) async throws -> VerifiedIdentity {
      var identity = try await fake.verify(credential, context)
      identity.uses = [
        OneTimeUse(digests.next, expiresAt: Timestamp.now().adding(seconds: 3600))
      ]
      return identity
    }
  }

  private func graph(_ store: PostgresStore) -> AccountGraph {
    AccountGraph(
      store: store, providers: ProviderRegistry([OnceProvider()]), policies: NoPolicies(),
      services: GraphServices(secrets: PlainSealing()))
  }

  /// Runs a closure for each person of each caller.
  private func forEverybody(
    _ body: @escaping @Sendable (_ person: String) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for caller in 0..<Self.callers {
        group.addTask {
          for person in 0..<Self.people { try await body("\(caller)-\(person)") }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Adds other people and expired records, as after a day of use.
  private func fill(_ store: PostgresStore, _ graph: AccountGraph) async throws {
    let admin = Caller(scope: Self.scope, authority: .admin("ada"), reason: "test")
    let ids = SeededIDs()
    for _ in 0..<5 {
      let records = (0..<1000).map { line in
        ImportedAccount(
          account: Account(
            id: AccountID(ids.next), scope: Self.scope, createdAt: Timestamp(milliseconds: 1)),
          line: line)
      }
      _ = try await graph.importAccounts(records, by: admin)
    }
    try await store.write { writer in
      for _ in 0..<2000 {
        try writer.save(
          OneTimeRecord(
            id: "used:\(ids.next)", kind: .used, expiresAt: Timestamp(milliseconds: 1)),
          in: Self.scope)
      }
    }
  }

  private func signIn(_ person: String, _ graph: AccountGraph) async throws -> SignInResult {
    try await graph.signIn(
      FakeProvider().credential(subject: person),
      by: Caller(scope: Self.scope, authority: .anyone))
  }

  @Test func `D3: sign-ins of different people on a new database are not in each other's way`()
    async throws
  {
    let server = try PostgresServer.shared
    try await server.withSchema("contention") { url in
      let store = try PostgresStore(url: url)
      defer { store.close() }
      // Automatic analysis is off while this runs.
      let schema = url.firstMatch(of: /schema=(\w+)/).map { String($0.output.1) } ?? ""
      for table in ["accounts", "identities", "one_time_records", "sessions", "events"] {
        try server.run("alter table \(schema).\(table) set (autovacuum_enabled = off)")
      }
      let graph = graph(store)
      try await fill(store, graph)
      try await forEverybody { person in _ = try await self.signIn(person, graph) }
      let before = store.conflicts

      let isSwept = Task { try await graph.sweepOneTimeRecords() }
      try await forEverybody { person in
        let result = try await self.signIn(person, graph)
        let session = SessionRecord(
          id: result.receipt.id, account: result.account.id, provider: OnceProvider().id,
          identity: nil, signedInAt: .now(), secondFactor: nil, claims: .null, createdAt: .now(),
          mark: result.account.sessionMark)
        try await store.write { try $0.begin(session, in: Self.scope) }
      }

      let conflicts = store.conflicts - before
      print("D3: \(conflicts) conflicts in \(Self.callers * Self.people) sign-ins")
      // PostgreSQL's predicate locks cover index pages, so a few transactions conflict by chance.
      #expect(conflicts <= Self.callers * Self.people / 4, "\(conflicts)")
      #expect(try await isSwept.value == 2000)
    }
  }
}

extension ContentionTests {
  /// A provider whose credentials all count as the same one.
  private struct OneUseProvider: AuthProvider {
    let fake = FakeProvider()
    var id: ProviderID { fake.id }
    var manifest: ProviderManifest { fake.manifest }

    func verify(
      _ credential: Credential, _ context: VerificationContext
    ) async throws -> VerifiedIdentity {
      var identity = try await fake.verify(credential, context)
      identity.uses = [OneTimeUse("the one", expiresAt: Timestamp.now().adding(seconds: 3600))]
      return identity
    }
  }

  @Test func `D3: a one-time value is used once, without a read before the write`()
    async throws
  {
    let server = try PostgresServer.shared
    try await server.withSchema("use") { url in
      let stores = try (0..<2).map { _ in try PostgresStore(url: url) }
      defer { for store in stores { store.close() } }
      let graphs = stores.map { store in
        AccountGraph(
          store: store, providers: ProviderRegistry([OneUseProvider()]), policies: NoPolicies(),
          services: GraphServices(secrets: PlainSealing()))
      }
      let codes = await withTaskGroup(of: String.self) { group in
        for number in 0..<16 {
          group.addTask {
            do {
              _ = try await self.signIn("\(number)", graphs[number % 2])
              return "in"
            } catch {
              return (error as? AuthError)?.code.rawValue ?? "\(error)"
            }
          }
        }
        return await group.reduce(into: [String]()) { $0.append($1) }
      }
      #expect(codes.count { $0 == "in" } == 1, "\(codes)")
      #expect(codes.count { $0 == "invalid-credential" } == 15, "\(codes)")
      let accounts = try await stores[0].read { try $0.accountCount(in: Self.scope) }
      #expect(accounts == 1)
      // Each refusal is in the audit log.
      let events = try await stores[0].read {
        try $0.events(about: nil, before: nil, limit: 99, in: Self.scope)
      }
      #expect(events.count == 16)
    }
  }

  /// Queries that find one row by its key, and the index for it.
  private static let byKey = [
    ("one_time_records", "id = 'x'", "one_time_records_pkey"),
    ("identities", "uid = 'x' and position = 0", "identities_pkey"),
    (
      "identities", "provider = 'x' and issuer = '' and subject = 'x'", "identities_by_key"
    ),
    ("sessions", "uid = 'x'", "sessions_by_account"),
    ("event_accounts", "uid = 'x'", "event_accounts_pkey"),
  ]

  @Test func `D3: a few changes are enough for the server to find rows by their keys`()
    async throws
  {
    let server = try PostgresServer.shared
    try await server.withSchema("plans") { url in
      let store = try PostgresStore(url: url)
      defer { store.close() }
      let schema = url.firstMatch(of: /schema=(\w+)/).map { String($0.output.1) } ?? ""
      let graph = self.graph(store)
      for number in 0..<40 {
        let result = try await signIn("\(number % 20)", graph)
        let session = SessionRecord(
          id: "\(number)", account: result.account.id, provider: OnceProvider().id, identity: nil,
          signedInAt: .now(), secondFactor: nil, claims: .null, createdAt: .now())
        try await store.write { try $0.begin(session, in: Self.scope) }
      }

      for (table, condition, index) in Self.byKey {
        let plan = try server.run(
          """
          set enable_seqscan = off;
          explain select * from \(schema).\(table)
          where project = 'test' and tenant = '' and \(condition)
          """)
        #expect(plan.contains(index), "\(condition): \(plan)")
      }
      #expect(try await store.unanalysedTables() == [])
    }
  }
}

/// IDs in no particular order, like digests and uids.
private final class SeededIDs: Sendable {
  private let generator = Mutex(SeededGenerator(seed: 7))

  var next: String { generator.withLock { "\($0.next())-\($0.next())" } }
}
