import AuthCore
import AuthTesting
import Foundation
import PostgresStore
import Testing
import TestSupport

/// A database that goes away, hangs or comes back.
@Suite(.serialized) struct FaultTests {
  @Test func `a store goes on after its database was restarted`() async throws {
    let server = try PostgresServer()
    let store = try PostgresStore(url: server.url())
    defer { store.close() }
    try await store.add("a")

    try server.restart()
    try await store.add("b")
    try server.kill()
    try server.start()
    try await store.add("c")

    #expect(try await store.uids() == ["a", "b", "c"])
  }

  @Test func `a query on a connection that was lost meanwhile is asked again`() async throws {
    struct Enough: Error {}
    let server = try PostgresServer()
    let store = try PostgresStore(url: server.url(options: ["connections=1"]))
    defer { store.close() }

    for number in 1...3 {
      // A transaction that is rolled back or only reads, for which no caller waits.
      if number != 2 {
        await #expect(throws: Enough.self) {
          try await store.write { writer in
            _ = try writer.checkpoint("count", in: PostgresStore.scope)
            throw Enough()
          }
        }
      } else {
        _ = try await store.counted()
      }
      try server.restart()
      // One round trip, including the commit.
      try await store.write { try $0.saveCheckpoint("count", "\(number)", in: PostgresStore.scope) }
    }

    #expect(try await store.counted() == "3")
  }

  @Test func `a database that is gone is an error within bounds, and then is there again`()
    async throws
  {
    let server = try PostgresServer()
    let store = try PostgresStore(url: server.url())
    defer { store.close() }
    try await store.add("a")
    try server.stop()

    let began = ContinuousClock.now
    let error = await #expect(throws: AuthError.self) { try await store.add("b") }
    let took = ContinuousClock.now - began
    try server.start()

    expectExplained(try #require(error), .storeUnavailable, "cannot be reached")
    #expect(took < .seconds(30))
    #expect(try await store.uids() == ["a"])
  }

  @Test func `a database that stands still is an error within bounds`() async throws {
    let server = try PostgresServer()
    let store = try PostgresStore(url: server.url(options: ["statement_timeout=1"]))
    defer { store.close() }
    try await store.add("a")
    try server.pause()

    let began = ContinuousClock.now
    let error = await #expect(throws: AuthError.self) { _ = try await store.uids() }
    let took = ContinuousClock.now - began
    try server.resume()

    #expect(error?.code == .storeUnavailable)
    #expect(took < .seconds(30))
    #expect(try await store.uids() == ["a"])
  }

  @Test func `a statement that takes too long is an error`() async throws {
    let server = try PostgresServer.shared
    try await server.withSchema("timeout", options: ["statement_timeout=1"]) { url in
      let schema = url.firstMatch(of: /schema=(\w+)/).map { String($0.output.1) } ?? ""
      let store = try PostgresStore(url: url)
      defer { store.close() }
      try await store.add("a")
      try server.run(
        """
        create function \(schema).wait() returns trigger language plpgsql
          as 'begin perform pg_sleep(5); return new; end';
        create trigger slow before insert on \(schema).accounts
          for each row when (new.uid = 'b') execute function \(schema).wait()
        """)

      let error = await #expect(throws: AuthError.self) { try await store.add("b") }

      expectExplained(try #require(error), .storeUnavailable, "longer than 1 second")
      #expect(try await store.uids() == ["a"])
    }
  }

  @Test func `a writer goes on once another lets go of a lock`() async throws {
    let server = try PostgresServer.shared
    try await server.withSchema("lock") { url in
      let schema = url.firstMatch(of: /schema=(\w+)/).map { String($0.output.1) } ?? ""
      let store = try PostgresStore(url: url)
      defer { store.close() }
      let holder = Thread {
        _ = try? server.run("begin; lock \(schema).accounts; select pg_sleep(2)")
      }
      holder.start()
      while try server.run(
        "select count(*) from pg_locks join pg_class on pg_class.oid = relation"
          + " where mode = 'AccessExclusiveLock' and relname = 'accounts' and granted") == "0"
      {}

      try await store.add("a")

      #expect(try await store.uids() == ["a"])
    }
  }

  @Test func `writers that all want one row are done one after another`() async throws {
    try await PostgresServer.shared.withSchema("contended") { url in
      let stores = try (0..<2).map { _ in try PostgresStore(url: url) }
      defer { for store in stores { store.close() } }

      try await withThrowingTaskGroup { group in
        for number in 0..<64 {
          group.addTask { try await stores[number % 2].count() }
        }
        try await group.waitForAll()
      }

      #expect(try await stores[0].counted() == "64")
    }
  }

  @Test func `transactions in a deadlock are detected and run again`() async throws {
    try await PostgresServer.shared.withSchema("crossed") { url in
      let store = try PostgresStore(url: url)
      defer { store.close() }
      try await store.add("a")
      try await store.add("b")

      try await withThrowingTaskGroup { group in
        for number in 0..<40 {
          group.addTask {
            let ids = number % 2 == 0 ? ["a", "b"] : ["b", "a"]
            try await store.write { writer in
              for id in ids {
                guard let old = try writer.account(AccountID(id), in: PostgresStore.scope) else {
                  continue
                }
                var new = old
                new.displayName = "\((Int(old.displayName ?? "") ?? 0) + 1)"
                try writer.update(new, replacing: old)
              }
            }
          }
        }
        try await group.waitForAll()
      }

      let names = try await store.read { reader in
        try ["a", "b"].map {
          try reader.account(AccountID($0), in: PostgresStore.scope)?.displayName
        }
      }
      #expect(names == ["40", "40"])
    }
  }

  @Test func `a closure that throws leaves nothing, and its connection is of use again`()
    async throws
  {
    struct Enough: Error {}
    try await PostgresServer.shared.withSchema("thrown", options: ["connections=1"]) { url in
      let store = try PostgresStore(url: url)
      defer { store.close() }

      for number in 0..<5 {
        await #expect(throws: Enough.self) {
          try await store.write { writer in
            try writer.insert(
              Account(
                id: AccountID("lost\(number)"), scope: PostgresStore.scope,
                createdAt: Timestamp(milliseconds: 0)))
            throw Enough()
          }
        }
        try await store.add("kept\(number)")
      }

      #expect(try await store.uids() == (0..<5).map { "kept\($0)" })
    }
  }

  @Test func `a closure that writes and throws keeps no connection`() async throws {
    struct Enough: Error {}
    let server = try PostgresServer.shared
    try await server.withSchema("kept") { url in
      let store = try PostgresStore(url: url + "&application_name=test_of_keeping")
      await #expect(throws: Enough.self) {
        try await store.write { writer in
          try writer.insert(
            Account(
              id: AccountID("lost"), scope: PostgresStore.scope,
              createdAt: Timestamp(milliseconds: 0)))
          throw Enough()
        }
      }
      try await store.add("kept")
      #expect(try await store.uids() == ["kept"])
      store.close()

      let open =
        "select count(*) from pg_stat_activity where application_name = 'test_of_keeping'"
      for _ in 0..<500 where try server.run(open) != "0" {
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(try server.run(open) == "0")
    }
  }
}
