import AuthCore
import AuthTesting
import Testing

@testable import PostgresStore

/// Lookups on a hot standby: never older than the call, and on the primary server if the standby is behind.
@Suite(.serialized) struct ReplicaTests {
  /// Runs a test on a server that has a standby.
  private func withReplica(
    _ test: (_ store: PostgresStore, _ primary: PostgresServer, _ standby: PostgresServer)
      async throws -> Void
  ) async throws {
    var options = PostgresServer.Options()
    options.isDurable = false
    options.accessRules.append("host replication all all trust")
    let primary = try PostgresServer(options)
    let standby = try PostgresServer(following: primary, options)
    let store = try PostgresStore(url: primary.url(), replicas: [standby.url()])
    defer { store.close() }
    try await test(store, primary, standby)
  }

  private static func server(_ reader: any AccountReader, _ uid: String) throws -> String? {
    try reader.account(AccountID(uid), in: Scope(project: "p"))?.displayName
  }

  /// Looks up an account's name.
  private static func name(of uid: String, _ store: PostgresStore) async throws -> String? {
    try await store.read(from: .replica) { try Self.server($0, uid) }
  }

  private static func account(_ uid: String, name: String) -> Account {
    var account = Account(
      id: AccountID(uid), scope: Scope(project: "p"), createdAt: Timestamp(milliseconds: 1))
    account.displayName = name
    return account
  }

  @Test func `lookups are answered by the replica, and a write is refused there`() async throws {
    try await withReplica { store, primary, standby in
      try await store.write { try $0.insert(Self.account("a", name: "Ada")) }
      for _ in 0..<20 {
        let a = try await Self.name(of: "a", store)
        #expect(a == "Ada")
      }
      let asked = try standby.run(
        "select count(*) from pg_stat_activity where application_name = 'authgraph'")
      #expect(asked != "0", "the standby was not asked")
    }
  }

  @Test func `a writer reads its own writes, at once and always`() async throws {
    try await withReplica { store, _, _ in
      try await store.write { try $0.insert(Self.account("a", name: "0")) }
      for number in 1...300 {
        try await store.write { writer in
          guard let old = try writer.account(AccountID("a"), in: Scope(project: "p")) else {
            return
          }
          var new = old
          new.displayName = "\(number)"
          try writer.update(new, replacing: old)
        }
        let a = try await Self.name(of: "a", store)
        #expect(a == "\(number)")
      }
    }
  }

  @Test func `a replica that stands still is passed over, also one that is gone, until it is back`()
    async throws
  {
    try await withReplica { store, primary, standby in
      try await store.write { try $0.insert(Self.account("a", name: "Ada")) }
      _ = try await Self.name(of: "a", store)
      try standby.run("select pg_wal_replay_pause()")
      try await store.write { try $0.insert(Self.account("b", name: "Bob")) }
      let b = try await Self.name(of: "b", store)
      #expect(b == "Bob")
      try standby.run("select pg_wal_replay_resume()")

      try standby.kill()
      try await store.write { try $0.insert(Self.account("c", name: "Cyd")) }
      let c = try await Self.name(of: "c", store)
      #expect(c == "Cyd")

      try standby.start()
      let again = try await Self.name(of: "c", store)
      #expect(again == "Cyd")
    }
  }

  @Test func `D9: a replica that is behind costs a few lookups, until it caught up`() async throws {
    try await withReplica { store, primary, standby in
      try await store.write { try $0.insert(Self.account("a", name: "Ada")) }
      _ = try await Self.name(of: "a", store)
      try standby.run("select pg_wal_replay_pause()")
      try await store.write { try $0.insert(Self.account("b", name: "Bob")) }
      let replica = try #require(store.replicas.first)
      for _ in 0..<200 {
        #expect(try await Self.name(of: "b", store) == "Bob")
      }
      // Each rest is longer than the last, however long the lookups took.
      #expect(replica.failures >= 1 && replica.failures <= 7, "\(replica.failures)")

      try standby.run("select pg_wal_replay_resume()")
      let deadline = ContinuousClock.now + .seconds(120)
      while replica.failures > 0, ContinuousClock.now < deadline {
        #expect(try await Self.name(of: "b", store) == "Bob")
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(replica.failures == 0)
    }
  }

  @Test func `D9: a rest doubles with each failure, and one lookup ends it`() {
    var rest = ReplicaRest()
    var now = ContinuousClock.now
    #expect(rest.turn(at: now) == .use)
    for seconds in [1.0, 2, 4, 8, 16, 30, 30] {
      rest.failed(rest.failures == 0 ? .use : .trial, at: now)
      // Other lookups under way count as the same failure.
      rest.failed(.use, at: now)
      #expect(rest.seconds == seconds)
      #expect(rest.turn(at: now + .seconds(seconds - 0.01)) == nil)
      now += .seconds(seconds)
      #expect(rest.turn(at: now) == .trial)
      #expect(rest.turn(at: now) == nil, "a second lookup goes to the primary server")
    }
    rest.answered()
    #expect(rest.turn(at: now) == .use)
  }

  @Test func `an error of the closure is thrown`() async throws {
    struct Stop: Error {}
    try await withReplica { store, _, _ in
      await #expect(throws: Stop.self) {
        try await store.read(from: .replica) { _ in throw Stop() }
      }
    }
  }
}
