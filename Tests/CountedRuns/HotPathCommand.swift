import ArgumentParser
import AuthCore
import CCounting
import LuaPlugins
import MeasuredWork
import SQLiteStore

/// Takes one of the paths that most requests take.
struct HotPathCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hot-path", abstract: "Takes one of the paths that most requests take.")

  enum Path: String, CaseIterable, ExpressibleByArgument {
    case signIn = "sign-in"
    case link
    case unlink
    case merge
    case policyMerge = "by-policy"
    case list
    case policy

    /// The store operation to measure, or nil for a decision alone.
    var operation: StoreOperation? { StoreOperation(rawValue: rawValue) }
  }

  @Argument(help: "sign-in, link, unlink, merge, by-policy, list, policy.") var path: Path
  @Option(help: "The number of runs.") var times = 100

  /// The number of runs before the counted ones, which prepare statements and fill caches.
  private static let unmeasured = 20
  /// The number of accounts, or pairs of them, for any number of runs.
  private static let most = 120

  func validate() throws {
    guard (1...Self.most - Self.unmeasured).contains(times) else {
      throw ValidationError("--times is a number up to \(Self.most - Self.unmeasured).")
    }
  }

  func run() async throws {
    guard let operation = path.operation else { return try decide() }
    let store = try SQLiteStore.inMemory()
    let all = Self.unmeasured + times
    let people = (0..<UInt32(operation.isMerge ? 2 * Self.most : Self.most)).map(Person.init)
    try await store.write { writer in
      for person in people { try writer.insert(try person.account) }
    }
    let work = StoreWork(store, policies: LuaPolicyCompiler(hasTimeLimit: false))
    if operation == .unlink {
      for index in people.indices { try await work.perform(.link, on: people, at: index) }
    }
    try await work.prepared(for: operation) {
      for index in 0..<Self.unmeasured { try await work.perform(operation, on: people, at: index) }
      counting_begin()
      for index in Self.unmeasured..<all {
        try await work.perform(operation, on: people, at: index)
      }
      counting_end()
    }
  }

  private func decide() throws {
    let policy = try LuaMergePolicy(PolicyWork.source, hasTimeLimit: false)
    let conflict = try PolicyWork.conflict()
    for _ in 0..<Self.unmeasured { try PolicyWork.decide(policy, conflict) }
    counting_begin()
    for _ in 0..<times { try PolicyWork.decide(policy, conflict) }
    counting_end()
  }
}
