import ArgumentParser
import AuthCore
import CLimits
import LuaPlugins
import MeasuredWork

/// Compares merge policies with the same Lua code that a C program calls without limits.
struct PoliciesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policies", abstract: "A merge policy's call, beside the same in C.")

  @Option(help: "Rounds that count, of each side in turns.") var rounds = 5
  @Option(help: "A file for the results as JSON.") var json: String?

  func run() async throws {
    try await [PolicyBench.pair()].compare(rounds: rounds, json: json)
  }
}

enum PolicyBench {
  static func pair() throws -> Pair {
    let policy = try LuaPolicyCompiler().policy(PolicyWork.source)
    let conflict = try PolicyWork.conflict()
    let (current, existing) = (limits_account(1), limits_account(2))
    let limit = try PolicyLimit(PolicyWork.source.text)
    return Pair(
      subject: "lua", operation: "policy", limitName: "Lua in C", times: 5000,
      ours: { _ in try PolicyWork.decide(policy, conflict) },
      limit: { _ in try limit.decide(current, existing) })
  }
}

/// A Lua state of a C program, used by one thread at a time.
final class PolicyLimit: @unchecked Sendable {
  let policy: OpaquePointer

  init(_ text: String) throws {
    guard let policy = limits_policy_open(text) else { throw LimitFailure() }
    self.policy = policy
  }

  deinit { limits_policy_close(policy) }

  func decide(_ current: LimitsAccount, _ existing: LimitsAccount) throws {
    var (current, existing) = (current, existing)
    guard limits_policy_decide(policy, &current, &existing) == 0 else { throw LimitFailure() }
  }
}
