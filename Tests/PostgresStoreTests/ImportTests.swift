import AuthCore
import AuthTesting
import PostgresStore
import Testing
import TestSupport

/// Many simultaneous accounts in tables without statistics.
@Suite(.serialized) struct ImportTests {
  private static let caller = Caller(scope: PostgresStore.scope, authority: .admin("test"))

  @Test func `accounts are looked for in indexes also while the tables are new`() async throws {
    let server = try PostgresServer.shared
    let schema = server.newSchemaName("import")
    defer { try? server.drop(schema) }
    let store = try PostgresStore(url: server.url(schema: schema, options: ["connections=1"]))
    // Enough rows that the server's plans change as its statistics grow.
    let (part, count) = (600, 4800)
    for expected in [ImportOutcome.imported, .unchanged] {
      for start in stride(from: 0, to: count, by: part) {
        let outcomes = try await graph(store).importAccounts(
          try (start..<start + part).map { try record($0) }, by: Self.caller)
        #expect(outcomes == Array(repeating: expected, count: part))
      }
    }
    // A connection reports its counts when it ends.
    store.close()

    let rows = try await rowsRead(in: schema, once: 5 * count, on: server)
    #expect(rows < 10 * count, "\(rows) rows were read for \(count) accounts")
  }

  /// Returns the number of rows read by indexes, once that many scans were counted.
  private func rowsRead(in schema: String, once scans: Int, on server: PostgresServer) async throws
    -> Int
  {
    for _ in 0..<200 {
      let numbers = try server.run(
        """
        SELECT sum(idx_scan), sum(idx_tup_read) FROM pg_stat_user_indexes
        WHERE schemaname = '\(schema)'
        """
      ).split(separator: "|").compactMap { Int($0.filter(\.isNumber)) }
      if numbers.count == 2, numbers[0] >= scans { return numbers[1] }
      try await Task.sleep(for: .milliseconds(50))
    }
    Issue.record("The server was not told of \(scans) searches.")
    return .max
  }

  @Test func `a record sees the keys of earlier records in its batch`() async throws {
    try await PostgresServer.shared.withSchema("import", options: ["connections=1"]) { url in
      let store = try PostgresStore(url: url)
      defer { store.close() }
      let graph = graph(store)
      let records = [try record(1), try record(2, subject: "1"), try record(3), try record(1)]

      let outcomes = try await graph.importAccounts(records, by: Self.caller)

      #expect(outcomes[0] == .imported)
      #expect(outcomes[1].refusal == .credentialAlreadyInUse)
      #expect(outcomes[2] == .imported)
      #expect(outcomes[3] == .unchanged)
      #expect(try await store.uids() == ["u1", "u3"])
    }
  }

  @Test func `servers that import the same at once have each account once`() async throws {
    try await PostgresServer.shared.withSchema("import", options: ["connections=1"]) { url in
      let stores = try (0..<3).map { _ in try PostgresStore(url: url) }
      defer { for store in stores { store.close() } }
      let records = try (0..<120).map { try record($0) }
      try await OutboxConsumer.note(stores[0], at: .now())

      let outcomes = try await withThrowingTaskGroup(of: [ImportOutcome].self) { group in
        for store in stores {
          group.addTask { try await graph(store).importAccounts(records, by: Self.caller) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }

      for index in records.indices {
        let ofOne = outcomes.map { $0[index] }
        #expect(ofOne.count { $0 == .imported } == 1)
        #expect(ofOne.count { $0 == .unchanged } == 2)
      }
      #expect(try await stores[0].uids().count == records.count)
      let events = try await stores[0].read { try $0.outbox(after: 0, limit: 1000) }
      #expect(events.count == records.count)
    }
  }

  private struct GivenUp: Error {}

  @Test func `accounts of an abandoned import leave nothing behind`() async throws {
    try await PostgresServer.shared.withSchema("import", options: ["connections=1"]) { url in
      let store = try PostgresStore(url: url)
      defer { store.close() }
      let accounts = try (0..<1300).map { try record($0).account }

      await #expect(throws: GivenUp.self) {
        try await store.write { writer in
          try writer.apply([.insert(accounts)], in: PostgresStore.scope)
          throw GivenUp()
        }
      }
      await #expect(throws: UniqueKeyConflict.self) {
        try await store.write { writer in
          try writer.apply([.insert(accounts + [accounts[700]])], in: PostgresStore.scope)
        }
      }
      #expect(try await store.uids().isEmpty)
      try await store.write { writer in
        try writer.apply([.insert(accounts)], in: PostgresStore.scope)
      }

      #expect(try await store.uids().count == accounts.count)
    }
  }

  private func graph(_ store: PostgresStore) -> AccountGraph {
    AccountGraph(store: store, providers: ProviderRegistry([]), policies: NoPolicies())
  }

  private func record(_ number: Int, subject: String? = nil) throws -> ImportedAccount {
    let noon = Timestamp(milliseconds: 0)
    var account = Account(id: AccountID("u\(number)"), scope: PostgresStore.scope, createdAt: noon)
    account.email = try EmailAddress("person\(number)@example.com")
    account.emailVerified = true
    account.identities = [
      Identity(
        key: IdentityKey(.google, subject: subject ?? "\(number)"), origin: .imported,
        linkedAt: noon)
    ]
    return ImportedAccount(account: account, line: number)
  }
}

extension ImportOutcome {
  fileprivate var refusal: AuthError.Code? {
    if case .refused(let error) = self { error.code } else { nil }
  }
}
