import ArgumentParser
import AuthCore
import AuthTesting
import Foundation
import MeasuredWork
import PostgresStore
import SQLiteStore

/// Compares the first screen of a search with one statement that an index answers.
struct SearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "The first screen of a search, beside one indexed statement.")

  @Option(help: "The number of accounts.") var accounts = 1_000_000
  @Option(parsing: .upToNextOption, help: "sqlite, postgres.")
  var stores: [StoreBench.Kind] = [.sqlite, .postgres]
  @Option(help: "Rounds that count, of each side in turns.") var rounds = 5
  @Option(help: "Where the results go as JSON.") var json: String?

  func validate() throws {
    guard accounts >= 1000, rounds > 0, !stores.contains(.memory) else {
      throw ValidationError("Name at least 1000 accounts, a round, and stores with an index.")
    }
  }

  func run() async throws {
    print(Comparison.header)
    var results: [Comparison] = []
    for kind in stores {
      results += try await kind.with { store in
        try await SearchBench(store: store, name: kind.rawValue, accounts: accounts)
          .compare(rounds: rounds)
      }
    }
    try results.write(json: json)
  }
}

extension StoreBench.Kind {
  /// Runs a closure on a new store of this kind.
  func with<Value>(
    _ body: (any AccountStore) async throws -> Value
  ) async throws -> Value {
    guard self == .postgres else {
      return try await WorkFolder.use { folder in
        let store = try SQLiteStore(path: "\(folder)/accounts.db")
        defer { try? store.close() }
        return try await body(store)
      }
    }
    let server = try PostgresServer()
    let store = try PostgresStore(url: server.url(schema: "bench"))
    defer { store.close() }
    return try await body(store)
  }
}

/// Searches in a store with many accounts.
struct SearchBench {
  let store: any AccountStore
  let name: String
  let accounts: Int

  /// The number of accounts that the console shows.
  private static let screen = 26
  /// The number of accounts that are added in one transaction.
  private static let together = 10_000

  /// What is searched for, by the number of a person.
  private static let searches: [(name: String, text: @Sendable (UInt32) -> String)] = [
    ("rare", { "person\($0)" }),
    ("name", { "number \($0)" }),
    ("common", { _ in "person" }),
    ("domain", { _ in "@example.com" }),
    ("nothing", { "nobody\($0)" }),
  ]

  func compare(rounds: Int) async throws -> [Comparison] {
    let start = ContinuousClock.now
    try await fill()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print("\(name): \(accounts) accounts were added in \(Int(seconds)) s.")
    var comparisons: [Comparison] = []
    for search in Self.searches {
      comparisons.append(try await pair(search.name, search.text).compare(rounds: rounds))
    }
    return comparisons
  }

  private func fill() async throws {
    for start in stride(from: 0, to: accounts, by: Self.together) {
      let people = (start..<min(accounts, start + Self.together)).map { Person(UInt32($0)) }
      try await store.write { writer in
        try writer.apply([.insert(try people.map { try $0.account })], in: Workload.scope)
      }
    }
  }

  private func pair(_ operation: String, _ text: @escaping @Sendable (UInt32) -> String) -> Pair {
    let (work, count) = (StoreWork(store), accounts)
    return Pair(
      subject: name, operation: operation, limitName: "one indexed statement", accounts: accounts,
      times: 200,
      ours: { number in
        let search = try TextSearch(text(UInt32(number * 7919 % count)))
        _ = try await work.accounts(found: search, limit: Self.screen)
      },
      limit: { number in
        let person = Person(UInt32(number * 7919 % count))
        _ = try await work.store.read {
          try $0.accountIDs(withEmail: person.email, in: Workload.scope)
        }
      })
  }
}
