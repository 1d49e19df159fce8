import ArgumentParser
import AuthCore
import Foundation
import MeasuredWork
import NIOConcurrencyHelpers

/// Compares a link whose conflict a policy decides with the same without the log of decisions, and replays the log.
struct PolicyLogCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policy-log", abstract: "A policy's merge with and without the log, and a replay.")

  @Option(help: "Merges in a round, of each side in turns.") var merges = 500
  @Option(help: "Rounds that count.") var rounds = 9
  @Option(help: "Recorded decisions that are replayed.") var decisions = 100_000
  @Option(parsing: .upToNextOption, help: "sqlite, postgres.")
  var stores: [StoreBench.Kind] = [.sqlite, .postgres]
  @Option(help: "A file for the results as JSON.") var json: String?

  func validate() throws {
    guard merges > 0, rounds > 0, decisions > 0, !stores.contains(.memory) else {
      throw ValidationError("Name at least a merge, a round, a decision, and stores on disk.")
    }
  }

  func run() async throws {
    print(Comparison.header)
    var results: [Comparison] = []
    for kind in stores {
      results += try await kind.with { logging in
        try await kind.with { other in
          let bench = PolicyLogBench(name: kind.rawValue, merges: merges)
          let comparison = try await bench.compare(logging, with: other, rounds: rounds)
          try await bench.replay(decisions, in: other)
          return [comparison]
        }
      }
    }
    try results.write(json: json)
  }
}

/// Merges and replays in stores.
struct PolicyLogBench {
  let name: String
  let merges: Int

  /// The lowest speed with the log, relative to that without it.
  private static let goal = 0.95
  /// The highest number of seconds for a replay of 100,000 decisions.
  private static let mostSeconds = 10.0
  /// The number of accounts that are added in one transaction.
  private static let together = 10_000

  /// Measures merges in a store that keeps decisions, and in one that does not, in turns.
  func compare(
    _ logging: any AccountStore, with other: any AccountStore, rounds: Int
  ) async throws -> Comparison {
    try await PolicyLogWork.keepDecisions(true, in: logging)
    try await PolicyLogWork.keepDecisions(false, in: other)
    // One round more fills the caches.
    let people = (0..<UInt32(2 * merges * (rounds + 1))).map(Person.init)
    for store in [logging, other] {
      for start in stride(from: 0, to: people.count, by: Self.together) {
        let accounts = try people[start..<min(people.count, start + Self.together)].map {
          try $0.account
        }
        try await store.write { try $0.apply([.insert(accounts)], in: Workload.scope) }
      }
    }
    let (ours, theirs) = (StoreWork(logging), StoreWork(other))
    return try await ours.prepared(for: .policyMerge) {
      try await theirs.prepared(for: .policyMerge) {
        let pair = Pair(
          subject: name, operation: "log", limitName: "without the log", goal: Self.goal,
          accounts: people.count, times: merges, ours: Self.merging(people, in: ours),
          limit: Self.merging(people, in: theirs))
        return try await pair.compare(rounds: rounds)
      }
    }
  }

  /// Returns work that merges two other people each time.
  private static func merging(_ people: [Person], in work: StoreWork) -> Pair.Work {
    let next = NIOLockedValueBox(0)
    return { _ in
      let index = next.withLockedValue { next in
        defer { next += 1 }
        return next
      }
      try await work.perform(.policyMerge, on: people, at: index)
    }
  }

  /// Replays a log and prints the time.
  func replay(_ decisions: Int, in store: any AccountStore) async throws {
    try await PolicyLogWork.fill(store, with: decisions)
    let (processor, start) = (ProcessorTime.microseconds(of: nil), ContinuousClock.now)
    let count = try await PolicyLogWork.replay(store)
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let worked = (ProcessorTime.microseconds(of: nil) - processor) / 1e6
    let most = Self.mostSeconds * Double(count) / 100_000
    print(
      "\(name): \(count) decisions were replayed in "
        + String(
          format: "%.2f s, %.2f s of a processor; at most %.2f wanted", seconds, worked, most))
  }
}
