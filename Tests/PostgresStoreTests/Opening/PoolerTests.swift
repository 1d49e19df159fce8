import AuthCore
import AuthTesting
import Foundation
import SQLAccounts
import Synchronization
import Testing
import TestSupport

@testable import PostgresStore

/// A real pgbouncer between the store and its server.
@Suite(.serialized) struct `D1: a store behind a pooler` {
  private static let words = "behind a pooler that gives each transaction another connection"

  @Test(
    arguments: [Pooler.Mode.transaction, .statement],
    [[:], ["server_round_robin": "1"], ["max_client_conn": "50"]])
  func `is refused by its name, for each process that it hands out`(
    _ mode: Pooler.Mode, _ settings: [String: String]
  ) throws {
    let server = try PostgresServer()
    for size in [1, 2, 3, 20] {
      let pooler = try Pooler(before: server, mode: mode, size: size, settings: settings)
      // That many connections are in use already.
      try Self.use(pooler, size)

      let error = try expectRefusal(pooler.url(), .storeUnavailable, saying: Self.words)

      #expect(error.message.contains("pool_mode=transaction"))
      #expect(error.remedy?.contains("set pool_mode=session") == true)
      #expect(
        try server.run("select count(*) from pg_namespace where nspname = 'authgraph'") == "0")
    }
  }

  @Test func `is refused while others use the pooler`() async throws {
    let server = try PostgresServer()
    let pooler = try Pooler(before: server, mode: .transaction, size: 5)
    let others = (0..<3).map { _ in Others(pooler) }
    defer { for other in others { other.end() } }

    for _ in 0..<5 { try expectRefusal(pooler.url(), .storeUnavailable, saying: Self.words) }
  }

  @Test func `works with a process for each session`() async throws {
    let server = try PostgresServer()
    let pooler = try Pooler(before: server, mode: .session)
    let store = try PostgresStore(url: pooler.url(options: ["connections=8"]))
    defer { store.close() }
    let other = try PostgresStore(url: pooler.url(options: ["connections=2"]))
    defer { other.close() }
    let changes = Changes(of: other)
    await changes.wait()

    try await withThrowingTaskGroup { group in
      for number in 0..<600 { group.addTask { try await store.add("a\(number)") } }
      try await group.waitForAll()
    }
    try await store.write { try $0.saveCheckpoint("c", "1", in: PostgresStore.scope) }

    #expect(try await store.uids() == (0..<600).map { "a\($0)" }.sorted())
    await changes.wait(for: .checkpoint("c", PostgresStore.scope))
    #expect(try await store.server().isPooled)
    try await store.checkWriting()
  }

  @Test func `works with a single session, if that is all it has`() async throws {
    let server = try PostgresServer()
    let pooler = try Pooler(before: server, mode: .session, size: 1)
    let store = try PostgresStore(url: pooler.url(options: ["connections=1"]))
    defer { store.close() }

    try await store.add("a")

    #expect(try await store.uids() == ["a"])
  }

  @Test func `writes nothing wrong when the pooler is reconfigured while it runs`() async throws {
    let server = try PostgresServer()
    let pooler = try Pooler(before: server, mode: .session, size: 3)
    let store = try PostgresStore(url: pooler.url(options: ["connections=2"]))
    defer { store.close() }
    try await store.add("before")
    try pooler.change(to: .transaction)
    let others = Others(pooler)

    var acknowledged = ["before"]
    var refusals: Set<String> = []
    for number in 0..<200 {
      do {
        try await store.add("a\(number)", name: "name")
        acknowledged.append("a\(number)")
      } catch let error as AuthError {
        refusals.insert(error.message)
      }
    }
    others.end()
    #expect(refusals.allSatisfy { $0.contains(Self.words) }, "\(refusals)")
    #expect(
      try server.run(
        """
        select count(*) from authgraph.event_accounts as event where not exists (
          select 1 from authgraph.accounts where accounts.uid = event.uid)
        """) == "0")

    // Each of the two connections may fail once more.
    try pooler.change(to: .session)
    try await Self.eventually { try await store.add("after") }
    let uids = try await Self.eventually { try await store.uids() }
    #expect(
      uids.filter { $0.hasPrefix("a") && $0 != "after" }.sorted()
        == acknowledged.filter { $0 != "before" }.sorted())
  }

  @Test func `no two connections have a statement of the same name`() throws {
    let server = try PostgresServer.shared
    let options = try ConnectionOptions(url: server.url())
    let names = try (0..<3).flatMap { _ in
      let connection = try ConnectionSlot(options).connected()
      let (answers, _) = try connection.exchange([
        SQLStatement("SELECT 1", []), SQLStatement("SELECT name FROM pg_prepared_statements", []),
      ])
      return (0..<answers[1].rowCount).compactMap { answers[1].row($0).text(0) }
    }

    #expect(names.count == 6)
    #expect(Set(names).count == names.count)
  }

  @Test func `a server without a pooler is asked for nothing more`() async throws {
    try await PostgresServer.shared.withSchema("direct") { url in
      let store = try PostgresStore(url: url)
      defer { store.close() }

      #expect(try await !store.server().isPooled)
    }
  }

  private static func eventually<Value>(_ body: () async throws -> Value) async throws -> Value {
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
      do { return try await body() } catch {
        guard ContinuousClock.now < deadline else { throw error }
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  private static func use(_ pooler: Pooler, _ count: Int) throws {
    let clients = try (0..<count).map { _ in
      try PostgresConnection(try ConnectionOptions(url: pooler.url()))
    }
    for client in clients { try client.execute("SELECT 1") }
  }
}

/// Clients that keep a pooler busy, on a thread of their own.
private final class Others: Sendable {
  private let hasEnded: EndFlag

  private final class EndFlag: Sendable {
    let value = Atomic(false)
  }

  init(_ pooler: Pooler) {
    let url = pooler.url()
    let flag = EndFlag()
    hasEnded = flag
    Thread.detachNewThread {
      guard let options = try? ConnectionOptions(url: url),
        let first = try? PostgresConnection(options), let second = try? PostgresConnection(options)
      else { return }
      while !flag.value.load(ordering: .relaxed) {
        _ = try? first.execute("BEGIN")
        _ = try? second.execute("SELECT 1")
        _ = try? first.execute("COMMIT")
        _ = try? second.execute("SELECT pg_sleep(0.001)")
      }
    }
  }

  func end() { hasEnded.value.store(true, ordering: .relaxed) }
}
