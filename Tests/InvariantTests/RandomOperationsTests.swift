import AuthCore
import AuthTesting
import Foundation
import PostgresStore
import RandomOperations
import SQLiteStore
import Testing
import TestSupport

/// Fifteen thousand operations by eight concurrent writers; `AUTHGRAPH_SEED` repeats a run's choices.
///
/// A soak, or `AUTHGRAPH_RANDOM_ROUNDS=20`, runs a hundred thousand. The order of the writers is up to the machine. So
/// the events and the writers' clocks give the possible orders, and the model replays one of them and checks each
/// result.
@Suite(.serialized) struct `Random operations` {
  static let seed = TestBudget.seed(usual: 20_240_607)
  static let writers = 8
  static let rounds = TestBudget.count("AUTHGRAPH_RANDOM_ROUNDS", usual: 3, soak: 20)
  static let operationsPerRound = 625

  @Test func `hold every invariant in the memory store`() async throws {
    let store = MemoryStore()
    try await run(on: store, TaskWriters(graph: RandomGraph(store: store)), integrity: { [] })
  }

  @Test func `hold every invariant in SQLite`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "random-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try SQLiteStore(path: "\(folder)/accounts.db", durability: .normal)
    try await run(on: store, TaskWriters(graph: RandomGraph(store: store))) {
      try await store.checkIntegrity()
    }
  }

  @Test func `hold every invariant in PostgreSQL, by three processes`() async throws {
    try await PostgresServer.shared.withSchema("random") { url in
      let store = try PostgresStore(url: url)
      defer { store.close() }
      try await run(on: store, try ProcessWriters(url: url), integrity: { [] })
    }
  }

  private func run(
    on store: any AccountStore, _ writers: any RandomWriters,
    integrity: () async throws -> [String]
  ) async throws {
    print("random operations: seed \(Self.seed)")
    let rig = try await RandomRig(store: store, writers: writers)
    for round in 0..<Self.rounds {
      try await rig.run(round: round, seed: Self.seed, count: Self.operationsPerRound)
      #expect(try await integrity() == [])
    }
    let repairs = await rig.repairs
    print(
      "random operations: \(Self.writers * Self.rounds * Self.operationsPerRound) done;"
        + " \(repairs) places in another order than the events say")
  }
}
