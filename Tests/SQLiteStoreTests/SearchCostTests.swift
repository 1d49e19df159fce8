import AuthCore
import CSQLite3
import SQLAccounts
import Testing
import TestSupport

@testable import SQLiteStore

/// SQLite's query plans: no search that has an index scans a whole table.
@Suite struct SearchCostTests {
  @Test(arguments: Search.all)
  func `a search goes by an index`(_ search: Search) throws {
    let store = try SQLiteStore.inMemory()

    let plan = try store.plan { try search.run($0) }

    #expect(plan.contains { $0.contains(search.index) }, "\(plan)")
    // The providers are the result of lookups, one for each.
    #expect(!plan.contains { $0.hasPrefix("SCAN") && $0 != "SCAN providers" }, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
  }

  struct Search: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let index: String
    let run: @Sendable (any AccountReader) throws -> Void

    private static let scope = SQLiteStore.scope

    private static func filtered(
      _ name: String, _ index: String, _ build: @escaping @Sendable (inout AccountFilter) -> Void
    ) -> Search {
      Search(testDescription: name, index: index) { reader in
        var filter = AccountFilter()
        build(&filter)
        _ = try reader.accounts(matching: filter, after: AccountID("a"), limit: 5, in: scope)
      }
    }

    static let all = [
      filtered("all", "PRIMARY KEY (project=? AND tenant=? AND uid>?)") { _ in },
      filtered("by address", "accounts_by_email (project=? AND tenant=? AND email_canonical=?)") {
        $0.email = try? EmailAddress("a@example.com")
      },
      filtered("by number", "accounts_by_phone (project=? AND tenant=? AND phone=?)") {
        $0.phoneNumber = try? PhoneNumber("+15555550123")
      },
      filtered(
        "by subject",
        "identities_by_key (project=? AND tenant=? AND provider=? AND subject=?)"
      ) {
        $0.providerID = .google
        $0.subject = "1"
      },
      filtered(
        "by provider", "identities USING PRIMARY KEY (project=? AND tenant=? AND uid=?)"
      ) { $0.providerID = .google },
      Search(testDescription: "owner", index: "COVERING INDEX identities_by_key") {
        _ = try $0.owner(of: IdentityKey(.google, subject: "1"), in: scope)
      },
      Search(testDescription: "address", index: "COVERING INDEX accounts_by_email") {
        _ = try $0.accountIDs(withEmail: "a@example.com", in: scope)
      },
      Search(testDescription: "number", index: "COVERING INDEX accounts_by_phone") {
        _ = try $0.accountIDs(withPhone: "+15555550123", in: scope)
      },
      Search(testDescription: "duplicates", index: "COVERING INDEX accounts_by_email") {
        _ = try $0.duplicates(by: .email, after: "a", limit: 5, in: scope)
      },
      Search(testDescription: "verified duplicates", index: "INDEX accounts_by_email") {
        _ = try $0.duplicates(by: .verifiedEmail, after: "a", limit: 5, in: scope)
      },
      Search(testDescription: "similar addresses", index: "INDEX accounts_by_email") {
        _ = try $0.duplicates(by: .similarEmail, after: "a", limit: 5, in: scope)
      },
      Search(
        testDescription: "codes",
        index: "one_time_records_by_kind (project=? AND tenant=? AND kind=? AND id>?)"
      ) {
        _ = try $0.oneTimeRecords(.code, after: "a", limit: 5, in: scope)
      },
      Search(testDescription: "session", index: "(project=? AND tenant=? AND id=?)") {
        _ = try $0.session("a", in: scope)
      },
      Search(testDescription: "tenants", index: "(project=? AND tenant>?)") {
        _ = try $0.tenants(of: "p", after: "a", limit: 5)
      },
      Search(
        testDescription: "deliveries", index: "outbox_by_time (is_dead=? AND next_attempt_at<?)"
      ) {
        _ = try $0.deliveries(dueBy: Timestamp(milliseconds: 1), limit: 5)
      },
      Search(testDescription: "aliases", index: "aliases_by_survivor") {
        _ = try $0.aliases(of: AccountID("a"), in: scope)
      },
      Search(testDescription: "events", index: "events_by_scope") {
        _ = try $0.events(about: nil, before: 7, limit: 5, in: scope)
      },
      Search(
        testDescription: "history", index: "(project=? AND tenant=? AND uid=? AND sequence<?)"
      ) {
        _ = try $0.events(about: [AccountID("a")], before: 7, limit: 5, in: scope)
      },
      Search(
        testDescription: "part of a text",
        index: "search_terms USING PRIMARY KEY "
          + "(project=? AND tenant=? AND place=? AND term>? AND term<?)"
      ) {
        _ = try $0.accountIDs(found: TextSearch("haas"), limit: 5, in: scope)
      },
      Search(testDescription: "providers of identities", index: "INDEX identities_by_key") {
        _ = try $0.accountIDs(found: TextSearch("haas"), limit: 5, in: scope)
      },
      Search(testDescription: "events since a time", index: "events_by_scope") {
        var filter = EventFilter()
        filter.since = Timestamp(milliseconds: 1)
        filter.action = .link
        _ = try $0.events(matching: filter, before: nil, limit: 5, in: scope)
      },
      Search(
        testDescription: "events of an account and an action",
        index: "(project=? AND tenant=? AND uid=? AND sequence<?)"
      ) {
        var filter = EventFilter(accounts: [AccountID("a")])
        filter.action = .link
        _ = try $0.events(matching: filter, before: 7, limit: 5, in: scope)
      },
      Search(testDescription: "merges", index: "merges_by_scope") {
        _ = try $0.merges(involving: nil, before: nil, limit: 5, in: scope)
      },
      Search(testDescription: "merges of an account", index: "merges_by_absorbed") {
        _ = try $0.merges(involving: AccountID("a"), before: nil, limit: 5, in: scope)
      },
    ]
  }
}

extension SQLiteStore {
  /// Returns SQLite's plans for the queries of a closure.
  fileprivate func plan(
    _ body: (any AccountReader) throws -> Void
  ) throws -> [String] {
    try writer.use { connection in
      let queries = Queries()
      try queries.note(on: connection) {
        try body(SQLTransaction(SQLiteSession(connection, file), SettingsCache()))
      }
      return try queries.all.flatMap { query in
        var steps: [String] = []
        // The plan is the same for all values.
        try connection.each(SQLStatement("EXPLAIN QUERY PLAN " + query, [])) {
          steps.append(try $0.string(3))
        }
        return steps
      }
    }
  }
}

/// The texts of the statements that a connection runs.
private final class Queries {
  private(set) var all: [String] = []

  /// Records the statements of a closure.
  func note(on connection: SQLiteConnection, _ body: () throws -> Void) rethrows {
    sqlite3_trace_v2(
      connection.handle, UInt32(SQLITE_TRACE_STMT),
      { _, context, _, text in
        guard let context, let text = text?.assumingMemoryBound(to: CChar.self) else { return 0 }
        let queries = Unmanaged<Queries>.fromOpaque(context).takeUnretainedValue()
        queries.all.append(String(cString: text))
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_trace_v2(connection.handle, 0, nil, nil) }
    try body()
  }
}
