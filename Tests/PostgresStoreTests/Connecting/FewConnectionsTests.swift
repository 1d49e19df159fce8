import AuthCore
import AuthTesting
import Foundation
import PostgresStore
import Synchronization
import Testing
import TestSupport

/// A server that takes fewer connections than the stores want.
@Suite(.serialized) struct `D8: stores that find few connections` {
  private static func server(_ connections: Int) throws -> PostgresServer {
    var options = PostgresServer.Options()
    options.isDurable = false
    options.settings = ["max_connections": "\(connections)"]
    let server = try PostgresServer(options)
    try server.run("create role ada login; grant create on database postgres to ada")
    return server
  }

  /// Returns the number of the stores' connections; asks again if the server had no connection free.
  private static func connections(of server: PostgresServer) async throws -> Int {
    while true {
      do {
        return try Int(
          server.run("select count(*) from pg_stat_activity where usename = 'ada'")) ?? 0
      } catch  where "\(error)".contains("too many clients") {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  /// Adds accounts by several callers at once, and returns the time of each.
  private static func add(
    _ count: Int, to stores: [PostgresStore], callers: Int, named prefix: String = "a"
  ) async throws -> [Duration] {
    let load = Load()
    try await withThrowingTaskGroup { group in
      for caller in 0..<callers {
        group.addTask {
          while true {
            let number = load.next()
            guard number < count else { return }
            let began = ContinuousClock.now
            try await stores[caller % stores.count].add("\(prefix)\(number)")
            load.add(.now - began)
          }
        }
      }
      try await group.waitForAll()
    }
    return load.sortedTimes
  }

  @Test func `queue for those that work, two stores of sixteen on nine`() async throws {
    let server = try Self.server(12)
    let stores = try (0..<2).map { _ in try PostgresStore(url: server.url(user: "ada")) }
    defer { for store in stores { store.close() } }

    let times = try await Self.add(384, to: stores, callers: 32)

    #expect(times.count == 384)
    #expect(times[192] < .milliseconds(500), "\(times[192])")
    #expect(try #require(times.last) < .seconds(5))
    #expect(try await stores[0].uids().count == 384)
  }

  @Test func `leave connections to one that comes later`() async throws {
    let server = try Self.server(8)
    let first = try PostgresStore(url: server.url(user: "ada"))
    defer { first.close() }
    let load = Task {
      var round = 0
      while !Task.isCancelled {
        _ = try await Self.add(64, to: [first], callers: 32, named: "r\(round)n")
        round += 1
      }
    }
    // Few connections are free, and all of them are busy.
    for _ in 0..<100 where try await Self.connections(of: server) < 5 {
      try await Task.sleep(for: .milliseconds(20))
    }

    let opened = try await blocking { try PostgresStore(url: server.url(user: "ada")) }
    defer { opened.close() }
    let times = try await Self.add(100, to: [opened], callers: 10, named: "late")
    load.cancel()
    await #expect(throws: (any Error).self) {
      try await load.value
      throw CancellationError()
    }

    #expect(try #require(times.last) < .seconds(5))
  }

  @Test func `grow again when there are more`() async throws {
    let server = try Self.server(12)
    let keepers = try (0..<8).map { _ in
      try PostgresStore(url: server.url(user: "ada", options: ["connections=1"]))
    }
    let store = try PostgresStore(url: server.url(user: "ada"))
    defer { store.close() }
    _ = try await Self.add(64, to: [store], callers: 32, named: "few")
    for keeper in keepers { keeper.close() }

    let deadline = ContinuousClock.now + .seconds(60)
    var (most, round) = (0, 0)
    while most < 5 {
      try #require(ContinuousClock.now < deadline, "\(most) connections")
      _ = try await Self.add(200, to: [store], callers: 32, named: "r\(round)n")
      round += 1
      most = max(most, try await Self.connections(of: server))
    }
  }

  @Test func `throw an error if there is none at all within the time`() async throws {
    let server = try Self.server(12)
    let store = try PostgresStore(url: server.url(user: "ada", options: ["connections=1"]))
    defer { store.close() }
    try await store.add("a")
    try server.run("alter role ada connection limit 0")
    try server.run(
      "select count(pg_terminate_backend(pid)) from pg_stat_activity where usename = 'ada'")

    let error = await #expect(throws: AuthError.self) { try await store.add("b") }
    let outage = await #expect(throws: StoreOutage.self) { try await store.checkWriting() }

    expectExplained(try #require(error), .storeUnavailable, "has no connection free")
    #expect(error?.remedy?.contains("CONNECTION LIMIT") == true)
    #expect(outage?.reason == .noConnection)
    try server.run("alter role ada connection limit -1")
    try await store.add("c")
    #expect(try await store.uids() == ["a", "c"])
  }

  @Test func `work waits for no connection while another is idle`() async throws {
    let server = try PostgresServer()
    let slow = try DatabaseProxy(to: try #require(server.port))
    defer { slow.end() }
    let store = try PostgresStore(
      url: "postgres://postgres@127.0.0.1:\(slow.port)/postgres?sslmode=disable")
    defer { store.close() }
    try await store.add("a")
    slow.holdNew()

    try await withThrowingTaskGroup { group in
      for number in 0..<40 { group.addTask { try await store.add("b\(number)") } }
      try await group.waitForAll()
    }

    #expect(slow.held > 0, "no other connection was tried")
    #expect(try await store.uids().count == 41)
  }
}

/// The numbers for callers, and their times.
private final class Load: Sendable {
  private let state = Mutex((next: 0, times: [Duration]()))

  func next() -> Int {
    state.withLock { state in
      defer { state.next += 1 }
      return state.next
    }
  }

  func add(_ time: Duration) { state.withLock { $0.times.append(time) } }

  var sortedTimes: [Duration] { state.withLock { $0.times.sorted() } }
}
