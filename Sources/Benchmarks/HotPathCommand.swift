import ArgumentParser
import AuthCore
import Foundation
import LuaPlugins
import SQLiteStore

/// Does one thing some times and nothing else, for a tool that counts instructions.
///
/// The difference between two counts of times is what the thing itself takes, without the start.
struct HotPathCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hot-path",
    abstract: "Does one thing some times, for a tool that counts instructions.")

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
    // A merge takes two.
    let each = operation.isMerge ? 2 : 1
    let all = Array(0..<UInt32(Self.most * each))
    try await store.write { writer in
      for number in all { try writer.insert(try Workload.Texts(number).account) }
    }
    let ours = OurStore(store, policies: LuaPolicyCompiler(hasTimeLimit: false))
    // What an unlink takes away has to be there, however often it is done.
    if operation == .unlink { _ = try await ours.run(.link, on: all, callers: 1) }
    // Prepares statements, and whatever else is done once.
    let first = Array(all.prefix(1))
    if !operation.isWriting { _ = try await ours.run(operation, on: first, callers: 1) }
    _ = try await ours.run(operation, on: Array(all.prefix(times * each)), callers: 1)
  }

  private func decide() throws {
    let policy = try LuaMergePolicy(PolicyBench.source, hasTimeLimit: false)
    let conflict = try PolicyBench.conflict()
    for _ in 0..<times { try PolicyBench.decide(policy, conflict) }
  }
}
