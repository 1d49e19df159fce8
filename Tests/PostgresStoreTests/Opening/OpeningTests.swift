import AuthCore
import AuthTesting
import Foundation
import PostgresStore
import Testing
import TestSupport

/// New, old, foreign and newer schemas.
@Suite struct OpeningTests {
  @Test func `committed changes are there after opening again`() async throws {
    try await PostgresServer.shared.withSchema("again") { url in
      let store = try PostgresStore(url: url)
      try await store.add("a")
      store.close()

      let again = try PostgresStore(url: url)
      defer { again.close() }

      #expect(try await again.uids() == ["a"])
    }
  }

  @Test func `ten stores that open an empty database at once all have it`() async throws {
    try await PostgresServer.shared.withSchema("ten", options: ["connections=2"]) { url in
      try await withThrowingTaskGroup { group in
        for number in 0..<10 {
          group.addTask {
            let store = try await blocking { try PostgresStore(url: url) }
            defer { store.close() }
            try await store.add("a\(number)")
          }
        }
        try await group.waitForAll()
      }

      let store = try PostgresStore(url: url)
      defer { store.close() }
      #expect(try await store.uids() == (0..<10).map { "a\($0)" })
    }
  }

  @Test func `accounts of before searches are found`() async throws {
    let server = try PostgresServer.shared
    try await server.withSchema("searches") { url in
      let schema = schemaName(url)
      let scope = Scope(project: "p")
      let store = try PostgresStore(url: url)
      for number in 0..<3 {
        var account = Account(
          id: AccountID("it's\t\(number)"), scope: scope, createdAt: Timestamp(milliseconds: 0))
        account.displayName = "Grace \(number)"
        account.email = try EmailAddress("haas\(number)@example.com")
        let added = account
        try await store.write { try $0.insert(added) }
      }
      store.close()
      try server.run(
        "drop table \(schema).search_terms;"
          + " delete from \(schema).migrations where name = '8-searching'")

      let again = try PostgresStore(url: url)
      defer { again.close() }

      for (text, uids) in [
        ("grace", ["it's\t0", "it's\t1", "it's\t2"]), ("haas1", ["it's\t1"]), ("none", []),
      ] {
        let search = try TextSearch(text)
        let found = try await again.read {
          try $0.accountIDs(found: search, limit: 9, in: scope)
        }
        #expect(found.map(\.rawValue) == uids, "\(text)")
      }
    }
  }

  @Test(arguments: ["accounts (id int)", "migrations (version int)", "sessions (sid text)"])
  func `a schema of another application is left as it is`(_ table: String) async throws {
    let server = try PostgresServer.shared
    try await server.withSchema("foreign") { url in
      let schema = schemaName(url)
      try server.run("create schema \(schema); create table \(schema).\(table)")
      let before = try tables(of: schema, on: server)

      try expectRefusal(url, .storeUnavailable, saying: "another application")

      #expect(try tables(of: schema, on: server) == before)
    }
  }

  @Test func `a schema of a newer version is left as it is`() async throws {
    let server = try PostgresServer.shared
    try await server.withSchema("newer") { url in
      try PostgresStore(url: url).close()
      try server.run("insert into \(schemaName(url)).migrations values (99, '99-tomorrow')")
      let before = try tables(of: schemaName(url), on: server)

      try expectRefusal(url, .storeUnavailable, saying: "newer version (99-tomorrow)")

      #expect(try tables(of: schemaName(url), on: server) == before)
    }
  }

  @Test func `two schemas of one database know nothing of each other`() async throws {
    let server = try PostgresServer.shared
    try await server.withSchema("first") { first in
      try await server.withSchema("second") { second in
        let stores = (try PostgresStore(url: first), try PostgresStore(url: second))
        defer { stores.0.close() }
        defer { stores.1.close() }
        try await stores.0.add("a")

        #expect(try await stores.1.uids() == [])
      }
    }
  }

  @Test func `a role that may not make tables gets an error with the missing right`() async throws {
    let server = try PostgresServer.shared
    let user = "guest_\(ProcessInfo.processInfo.processIdentifier)"
    try server.run("create role \(user) login")
    defer { _ = try? server.run("drop role \(user)") }
    let schema = server.newSchemaName("guest")

    try expectRefusal(
      server.url(schema: schema, user: user), .storeUnavailable, saying: "may not use")
  }

  private func tables(of schema: String, on server: PostgresServer) throws -> String {
    try server.run(
      "select string_agg(tablename, ' ' order by tablename) from pg_tables"
        + " where schemaname = '\(schema)'")
  }

  private func schemaName(_ url: String) -> String {
    url.firstMatch(of: /schema=(\w+)/).map { String($0.output.1) } ?? ""
  }
}
