import AuthCore
import AuthTesting
import CLimits
import Foundation
import LuaPlugins
import MeasuredWork
import PostgresStore
import SQLiteStore

/// Compares each store with a C program on the same tables, in turns.
struct StoreBench {
  var sizes = [10_000, 100_000, 1_000_000]
  var callers = [1, 32]
  var operations = StoreOperation.allCases
  var rounds = 5
  var seed: UInt64 = 1
  /// The amount of work in a round, as a fraction of the usual.
  var share = 1.0

  /// The number of connections to a server for each side.
  private static let connections = 16

  func run(on kinds: [Kind]) async throws -> [Comparison] {
    print(Comparison.header)
    var all: [Comparison] = []
    for kind in kinds {
      for size in sizes {
        switch kind {
        case .memory: all += try await inMemory(size)
        case .sqlite: all += try await inFile(size)
        case .postgres: all += try await onServer(size)
        }
      }
    }
    return all
  }

  enum Kind: String, CaseIterable, Sendable {
    case memory, sqlite, postgres
  }

  private func inMemory(_ size: Int) async throws -> [Comparison] {
    let store = MemoryStore()
    // Each transaction copies what it changes, so everything is in one.
    try await store.write { writer in
      for number in 0..<UInt32(size) { try writer.insert(try Person(number).account) }
    }
    return try await compare(
      StoreWork(store), with: try MemoryLimit(accounts: size), store: "memory",
      limitName: "hash table in C", accounts: size,
      operations.filter { $0 == .signIn })
  }

  private func inFile(_ size: Int) async throws -> [Comparison] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = "\(folder)/accounts.db"
    // Opening the store creates the tables.
    try SQLiteStore(path: path).close()
    try FileLimit.fill(path: path, accounts: size, events: false)
    let store = try SQLiteStore(path: path)
    defer { try? store.close() }
    let limit = try FileLimit(path: path, texts: try await EventTexts.measured())
    return try await compare(
      StoreWork(store), with: limit, store: "sqlite", limitName: "SQLite in C", accounts: size,
      operations)
  }

  private func onServer(_ size: Int) async throws -> [Comparison] {
    let server = try PostgresServer()
    let schema = "bench"
    let url = server.url(schema: schema, options: ["connections=\(Self.connections)"])
    let store = try PostgresStore(url: url)
    defer { store.close() }
    let texts = try await EventTexts.measured()
    func limit(asks: Bool) throws -> ServerLimit {
      try ServerLimit(
        url: server.url(), schema: schema, connections: Self.connections, asks: asks, texts: texts)
    }
    let least = try limit(asks: false)
    try least.fill(accounts: size, events: false)
    let ours = StoreWork(store)
    // Operations that undo their changes come first, because merges leave fewer accounts.
    return try await compare(
      ours, with: try limit(asks: true), store: "postgres", limitName: "libpq, as many exchanges",
      accounts: size,
      operations.filter { [.link, .unlink].contains($0) })
      + compare(
        ours, with: least, store: "postgres", limitName: "libpq in C", accounts: size, operations)
  }

  private func compare(
    _ ours: StoreWork, with limit: any Contender, store name: String, limitName: String,
    accounts size: Int, _ operations: [StoreOperation]
  ) async throws -> [Comparison] {
    var workload = Workload(accounts: size, seed: seed)
    var comparisons: [Comparison] = []
    for count in callers {
      // An unlink undoes its link.
      let pairs: [[StoreOperation]] = [
        [.signIn], [.list], [.listJSON], [.link, .unlink], [.merge], [.policyMerge],
      ]
      for together in pairs.map({ $0.filter(operations.contains) }) where !together.isEmpty {
        var runs: [StoreOperation: (ours: [Run], limit: [Run])] = [:]
        // The first round fills the caches and is not counted.
        for round in 0...rounds {
          let all = together.contains(.unlink) ? [.link, .unlink] : together
          // Each side has its own accounts in a round, and two fifths are reserved for merges.
          let usual = Int(Double(all[0].amount(name, callers: count)) * share)
          let amount = max(1, min(usual, size * 2 / 5))
          let (mine, others) = (
            workload.take(amount, for: all[0]), workload.take(amount, for: all[0])
          )
          guard !mine.isEmpty, mine.count == others.count else { break }
          for operation in all {
            let measured = try await ours.run(operation, on: mine, callers: count)
            let compared = try await limit.run(operation, on: others, callers: count)
            guard round > 0 else { continue }
            runs[operation, default: ([], [])].ours.append(measured)
            runs[operation, default: ([], [])].limit.append(compared)
          }
        }
        for operation in together {
          guard let done = runs[operation], !done.ours.isEmpty else { continue }
          let comparison = Comparison(
            subject: name, operation: operation.rawValue, limitName: limitName, accounts: size,
            callers: count, ours: done.ours, limit: done.limit,
            goal: Goals.goal(name, operation, callers: count))
          print(comparison.line)
          comparisons.append(comparison)
        }
      }
    }
    return comparisons
  }
}

extension StoreOperation {
  /// Returns the number of repetitions in a round.
  fileprivate func amount(_ store: String, callers: Int) -> Int {
    switch self {
    case .signIn: store == "postgres" ? 2000 : 20_000
    case .list, .listJSON: 10
    case .link, .unlink: callers == 1 ? 400 : 1600
    case .merge, .policyMerge: callers == 1 ? 60 : 120
    }
  }
}

/// The required ratios.
enum Goals {
  static func goal(_ store: String, _ operation: StoreOperation, callers: Int) -> Double? {
    switch (store, operation) {
    case ("memory", .signIn): 0.2
    case ("sqlite", .signIn): 0.8
    case ("sqlite", .link), ("sqlite", .unlink): callers == 1 ? 0.9 : 0.6
    case ("sqlite", .merge): callers == 1 ? 0.85 : nil
    case ("sqlite", .policyMerge): callers == 1 ? 0.7 : nil
    case (_, .list): 0.55
    case (_, .listJSON): 0.75
    case ("postgres", .signIn): callers == 1 ? 0.8 : 0.6
    case ("postgres", .link), ("postgres", .unlink): 0.9
    case ("postgres", .merge): 0.85
    default: nil
    }
  }
}

/// The lengths of the texts that a change adds to the audit and the journal, so that both sides write as much.
enum EventTexts {
  static func measured() async throws -> LimitsTexts {
    let store = MemoryStore()
    let people = [Person(0), Person(1)]
    try await store.write { writer in
      for person in people { try writer.insert(try person.account) }
    }
    let ours = StoreWork(store)
    _ = try await ours.run(.link, on: [0], callers: 1)
    let scope = Workload.scope
    let link = try await store.read {
      try $0.events(about: nil, before: nil, limit: 1, in: scope).first
    }
    _ = try await ours.run(.merge, on: [0, 1], callers: 1)
    let merge = try await store.read {
      try $0.merges(involving: nil, before: nil, limit: 1, in: scope).first
    }
    guard let link, let merge else { throw AuthError(.internalError, "Nothing was written.") }
    return LimitsTexts(
      details: Int32(link.details.text.utf8.count),
      trace: Int32(try JSONEncoder().encode(link.trace).count),
      merge: Int32(try JSONEncoder().encode(merge).count))
  }
}
