import AuthCore
import AuthTesting
import Foundation
import SQLAccounts
import Testing
import TestSupport

@testable import PostgresStore

/// Lookups that take one round trip, without explicit BEGIN and COMMIT.
@Suite(.serialized) struct GlanceTests {
  private func withStore(_ test: (PostgresStore, String) async throws -> Void) async throws {
    try await PostgresServer.shared.withSchema("glance", options: ["connections=4"]) { url in
      let store = try PostgresStore(url: url)
      defer { store.close() }
      try await test(store, url)
    }
  }

  @Test func `an account is read as in a transaction`() async throws {
    try await withStore { store, _ in
      try await store.add("a", name: "Ada")

      let told = try await store.read(.glancing) { transaction in
        try transaction.account(AccountID("a"), in: PostgresStore.scope)
      }
      let nobody = try await store.read(.glancing) { transaction in
        try transaction.account(AccountID("b"), in: PostgresStore.scope)
      }

      let account = try await store.read { reader in
        try reader.account(AccountID("a"), in: PostgresStore.scope)
      }
      #expect(told != nil && told == account)
      #expect(nobody == nil)
    }
  }

  @Test func `a further query is answered in a transaction`() async throws {
    try await withStore { store, _ in
      try await store.add("a", name: "Ada")
      try await store.add("b", name: "Bert")
      let runs = Runs()

      let names = try await store.read(.glancing) { transaction in
        runs.add()
        // A closure that ignores the error of a read does not end with half of the result.
        return ["a", "b"].map { uid in
          try? transaction.account(AccountID(uid), in: PostgresStore.scope)?.displayName
        }
      }
      let uids = try await store.read(.glancing) { transaction in
        try transaction.accounts(
          matching: AccountFilter(), after: nil, limit: 10, in: PostgresStore.scope
        ).map(\.id.rawValue)
      }

      #expect(names == ["Ada", "Bert"])
      #expect(runs.count == 2)
      #expect(uids == ["a", "b"])
    }
  }

  @Test func `an error of a closure counts only after a full transaction`() async throws {
    struct Nobody: Error {}
    try await withStore { store, _ in
      try await store.add("a", name: "Ada")
      try await store.add("b", name: "Bert")

      let name = try await store.read(.glancing) { transaction in
        _ = try transaction.account(AccountID("a"), in: PostgresStore.scope)
        guard let other = try? transaction.account(AccountID("b"), in: PostgresStore.scope) else {
          throw Nobody()
        }
        return other.displayName
      }

      #expect(name == "Bert")
    }
  }

  @Test func `settings that another server saved are read at once`() async throws {
    try await withStore { store, url in
      let other = try PostgresStore(url: url)
      defer { other.close() }
      for seconds in [Int64(1), 2, 3] {
        try await other.write { writer in
          var settings = try writer.settings(of: PostgresStore.scope)
          settings.recentLoginSeconds = seconds
          try writer.save(settings, for: PostgresStore.scope)
        }

        let told = try await store.settings(of: PostgresStore.scope).recentLoginSeconds
        #expect(told == seconds)
      }
    }
  }

  @Test func `queries that are sent together see one state`() async throws {
    try await withStore { store, url in
      let options = try ConnectionOptions(url: url)
      let keeper = try PostgresConnection(options)
      try keeper.execute("SELECT pg_advisory_lock(7101)")
      let count = "SELECT count(*) FROM accounts"

      let deadline = ContinuousClock.now + .seconds(60)
      async let counted = Self.counts(
        [count, "SELECT pg_advisory_xact_lock_shared(7101)", count], options)
      while try keeper.execute(
        """
        SELECT CAST(count(*) AS BIGINT) FROM pg_locks
        WHERE locktype = 'advisory' AND objid = 7101 AND NOT granted
        """
      ).row(0).integer(0) == 0 {
        try #require(ContinuousClock.now < deadline, "nobody waits for the lock")
        try await Task.sleep(for: .milliseconds(5))
      }
      try await store.add("a")
      try keeper.execute("SELECT pg_advisory_unlock(7101)")

      #expect(try await counted == ["0", "0"])
      #expect(try await store.uids() == ["a"])
    }
  }

  /// Returns the counts of queries on a connection set up like the pool's.
  private static func counts(
    _ queries: [String], _ options: ConnectionOptions
  ) async throws -> [String?] {
    try await withCheckedThrowingContinuation { continuation in
      Thread {
        continuation.resume(
          with: Result {
            let connection = try ConnectionSlot(options).connected()
            _ = try connection.exchange([SQLStatement("SET lock_timeout = '20s'", [])])
            let (answers, failure) = try connection.exchange(queries.map { SQLStatement($0, []) })
            if let failure { throw failure }
            return [answers[0], answers[2]].map { $0.row(0).text(0) }
          })
      }.start()
    }
  }
}

/// A counter of how often a closure ran.
private final class Runs: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0

  var count: Int { lock.withLock { number } }

  func add() { lock.withLock { number += 1 } }
}
