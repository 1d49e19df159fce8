import AuthCore
import AuthTesting
import Testing
import TestSupport

@testable import PostgresStore

/// A primary server that becomes read-only, and another one that takes changes.
@Suite(.serialized) struct `D4: a store whose server becomes read-only` {
  private let primary: PostgresServer
  private let standby: PostgresServer

  init() throws {
    var options = PostgresServer.Options()
    options.isDurable = false
    options.accessRules.append("host replication all all trust")
    primary = try PostgresServer(options)
    standby = try PostgresServer(following: primary, options)
  }

  private func url(_ options: [String] = []) throws -> String {
    let query = options.isEmpty ? "" : "?" + options.joined(separator: "&")
    return "postgres://postgres@127.0.0.1:\(try #require(primary.port)),"
      + "127.0.0.1:\(try #require(standby.port))/postgres\(query)"
  }

  /// Makes the primary server refuse changes, and promotes the standby once it has every commit.
  private func moveOver() throws {
    try primary.setReadOnly(true)
    let position = try primary.run("select pg_current_wal_lsn()")
    while try standby.run("select pg_last_wal_replay_lsn() >= '\(position)'") != "t" {}
    try standby.run("select pg_promote(true)")
  }

  @Test(arguments: [[], ["target_session_attrs=read-write"], ["connections=1"]])
  func `goes over to the server that takes changes, and loses nothing`(
    _ options: [String]
  ) async throws {
    let store = try PostgresStore(url: try url(options))
    defer { store.close() }
    try await withThrowingTaskGroup { group in
      for number in 0..<32 { group.addTask { try await store.add("a\(number)") } }
      try await group.waitForAll()
    }

    try moveOver()
    let moved = ContinuousClock.now
    try await withThrowingTaskGroup { group in
      for number in 0..<32 { group.addTask { try await store.add("b\(number)") } }
      try await group.waitForAll()
    }
    let took = ContinuousClock.now - moved

    #expect(took < .seconds(1), "\(took)")
    let expected = ((0..<32).map { "a\($0)" } + (0..<32).map { "b\($0)" }).sorted()
    #expect(try await store.uids() == expected)
    #expect(
      try standby.run("select count(*) from authgraph.accounts where uid like 'b%'") == "32")
    try await store.checkWriting()
  }

  @Test func `waits for another server to be promoted`() async throws {
    let store = try PostgresStore(url: try url())
    defer { store.close() }
    try await store.add("a")
    try primary.setReadOnly(true)

    async let added: Void = store.add("b")
    await #expect(throws: StoreOutage.self) {
      while true {
        try await store.checkWriting()
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    try standby.run("select pg_promote(true)")
    try await added

    #expect(try await store.uids() == ["a", "b"])
  }

  @Test func `hears of changes on the new server, and learns that it may have missed some`()
    async throws
  {
    let store = try PostgresStore(url: try url())
    defer { store.close() }
    let changes = Changes(of: store)
    await changes.wait(for: .anything)

    try moveOver()
    try await store.add("a")
    await changes.wait(for: .anything, times: 2)
    let other = try PostgresStore(url: standby.url())
    defer { other.close() }
    try await other.write { try $0.saveCheckpoint("c", "1", in: PostgresStore.scope) }

    await changes.wait(for: .checkpoint("c", PostgresStore.scope))
  }

  @Test func `reads nothing from the old server for long, also if it only reads`() async throws {
    let store = try PostgresStore(url: try url())
    defer { store.close() }
    try await store.add("a")
    try moveOver()
    let other = try PostgresStore(url: standby.url())
    defer { other.close() }
    try await other.add("b")

    // The next answer reports the change.
    _ = try await store.uids()

    #expect(try await store.uids() == ["a", "b"])
  }

  @Test func `says so while there is none, goes on reading, and writes when it may again`()
    async throws
  {
    let store = try PostgresStore(url: primary.url())
    defer { store.close() }
    try await store.add("a")
    try await store.checkWriting()
    try primary.setReadOnly(true)

    let error = await #expect(throws: AuthError.self) { try await store.add("b") }
    expectExplained(try #require(error), .storeUnavailable, "is read-only")
    #expect(error?.remedy?.contains("target_session_attrs=read-write") == true)
    let outage = await #expect(throws: StoreOutage.self) { try await store.checkWriting() }
    #expect(outage?.reason == .readOnly)
    #expect(try await store.uids() == ["a"])
    // After ten seconds a change fails at once.
    let began = ContinuousClock.now
    await #expect(throws: AuthError.self) { try await store.add("c") }
    #expect(ContinuousClock.now - began < .seconds(2))

    try primary.setReadOnly(false)
    try await store.add("d")
    try await Task.sleep(for: .milliseconds(400))
    try await store.checkWriting()
    #expect(try await store.uids() == ["a", "d"])
  }

  @Test func `advises what is not there already`() async throws {
    let store = try PostgresStore(
      url: primary.url(options: ["target_session_attrs=read-write", "connections=2"]))
    defer { store.close() }
    try primary.setReadOnly(true)

    let error = await #expect(throws: AuthError.self) { try await store.add("b") }

    expectExplained(try #require(error), .storeUnavailable, "is read-only")
    #expect(error?.remedy?.contains("target_session_attrs") == false)
    #expect(error?.remedy?.contains("Promote") == true)
  }

  @Test func `a replica is read at any place in the list`() async throws {
    let store = try PostgresStore(url: primary.url(), replicas: [standby.url(), try url()])
    defer { store.close() }
    try await store.add("a")

    for _ in 0..<20 {
      let name = try await store.read(from: .replica) {
        try $0.account(AccountID("a"), in: PostgresStore.scope)?.id.rawValue
      }
      #expect(name == "a")
    }
  }
}
