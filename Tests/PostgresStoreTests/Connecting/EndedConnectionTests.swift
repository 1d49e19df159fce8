import AuthCore
import AuthTesting
import Foundation
import PostgresStore
import Testing
import TestSupport

/// Connections that the server ends before a transaction's first statement has come to it.
@Suite(.serialized) struct `D11: a connection that ends before a transaction begins` {
  private static let sessions =
    "select count(*) from pg_stat_activity where application_name = 'ended'"

  /// Ends the connections of a store and waits until they are closed.
  private static func end(_ server: PostgresServer) throws {
    try server.run(
      "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'ended'"
    )
    while try server.run(sessions) != "0" {}
  }

  @Test func `is replaced, and the transaction is not unsure`() async throws {
    let server = try PostgresServer()
    let store = try PostgresStore(
      url: server.url(options: ["connections=1", "application_name=ended"]))
    defer { store.close() }
    try await store.add("a")

    for number in 0..<20 {
      let runs = Counter()
      try await store.write { writer in
        // All statements are sent with the commit.
        try writer.saveCheckpoint("count", "\(number)", in: PostgresStore.scope)
        if runs.next() == 1 { try Self.end(server) }
      }
      #expect(runs.count == 2)
      #expect(try await store.counted() == "\(number)")
    }
  }

  @Test func `is replaced if the server ends idle sessions`() async throws {
    var options = PostgresServer.Options()
    options.settings = ["idle_session_timeout": "100ms"]
    let server = try PostgresServer(options)
    let store = try PostgresStore(
      url: server.url(options: ["connections=1", "application_name=ended"]))
    defer { store.close() }
    try await store.add("a")

    for number in 0..<5 {
      let runs = Counter()
      try await store.write { writer in
        try writer.saveCheckpoint("count", "\(number)", in: PostgresStore.scope)
        guard runs.next() == 1 else { return }
        while try server.run(Self.sessions) != "0" {}
      }
      #expect(try await store.counted() == "\(number)")
    }
  }

  @Test func `is unsure if it ends in the middle of the commit`() async throws {
    let server = try PostgresServer()
    let store = try PostgresStore(
      url: server.url(schema: "unsure", options: ["connections=1", "application_name=ended"]))
    defer { store.close() }
    try await store.add("a")
    // The commit itself ends its own connection.
    try server.run(
      """
      create function unsure.ends() returns trigger language plpgsql
        as 'begin perform pg_terminate_backend(pg_backend_pid()); return null; end';
      create constraint trigger ends after insert on unsure.accounts deferrable initially deferred
        for each row when (new.uid = 'b') execute function unsure.ends()
      """)

    let error = await #expect(throws: AuthError.self) { try await store.add("b") }

    expectExplained(try #require(error), .unsureCommit, "lost in a commit")
  }
}
