import ArgumentParser
import AuthCore
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

    /// What it is of the stores; nil for a decision alone.
    var operation: Operation? { Operation(rawValue: rawValue) }
  }

  @Argument(help: "sign-in, link, unlink, merge, by-policy, list, policy.") var path: Path
  @Option(help: "How often.") var times = 100

  /// More than a test ever asks for.
  private static let most = 120

  func validate() throws {
    guard (0...Self.most).contains(times) else {
      throw ValidationError("--times is a number up to \(Self.most).")
    }
  }

  func run() async throws {
    guard let operation = path.operation else { return try decide() }
    let store = try SQLiteStore.inMemory()
    let people = (0..<UInt32(Self.most * (operation.isMerge ? 2 : 1))).map(Person.init)
    try await store.write { writer in
      for person in people { try writer.insert(try person.account) }
    }
    let work = StoreWork(store, policies: LuaPolicyCompiler(hasTimeLimit: false))
    // What an unlink takes away has to be there, however often it is done.
    if operation == .unlink {
      for index in people.indices { try await work.perform(.link, on: people, at: index) }
    }
    // Prepares statements, and whatever else is done once.
    if !operation.isWriting { try await work.perform(operation, on: people, at: 0) }
    try await work.prepared(for: operation) {
      for index in 0..<times { try await work.perform(operation, on: people, at: index) }
    }
  }

  private func decide() throws {
    let policy = try LuaMergePolicy(PolicyWork.source, hasTimeLimit: false)
    let conflict = try PolicyWork.conflict()
    for _ in 0..<times { try PolicyWork.decide(policy, conflict) }
  }
}
