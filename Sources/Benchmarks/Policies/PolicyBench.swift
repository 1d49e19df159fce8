import ArgumentParser
import AuthCore
import CLimits
import LuaPlugins

/// Merge policies beside the same Lua called by a C program without limits.
struct PoliciesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policies", abstract: "A merge policy's call, beside the same in C.")

  @Option(help: "Rounds that count, of each side in turns.") var rounds = 5
  @Option(help: "Where the results go as JSON.") var json: String?

  func run() async throws {
    try await [PolicyBench.pair()].compare(rounds: rounds, json: json)
  }
}

enum PolicyBench {
  /// Keeps the older one of two accounts.
  static let source = PolicySource(
    name: "bench.lua",
    text: """
      return policy {
        name = "bench",
        on = { "credential-already-in-use", "email-already-in-use" },
        decide = function(conflict)
          if not conflict.proof.both then return refuse "needs proof of both accounts" end
          local keep, absorb = oldest(conflict.current, conflict.existing)
          return merge {
            into = keep, from = absorb,
            fields = { displayName = "keep", photoURL = "newest", customClaims = "union" },
          }
        end,
      }
      """)

  static func conflict() throws -> MergeConflict {
    MergeConflict(
      code: .credentialAlreadyInUse, current: try Workload.Texts(1).account,
      existing: try Workload.Texts(2).account, provider: Workload.linked,
      proof: MergeProof(current: true, existing: true))
  }

  static func decide(_ policy: any MergePolicy, _ conflict: MergeConflict) throws {
    guard case .merge = try policy.decide(conflict) else { throw LimitFailure() }
  }

  static func pair() throws -> Pair {
    let policy = try LuaPolicyCompiler().policy(source)
    let conflict = try conflict()
    let (current, existing) = (limits_account(1), limits_account(2))
    let limit = try PolicyLimit(source.text)
    return Pair(
      subject: "lua", operation: "policy", limitName: "Lua in C", times: 5000,
      ours: { _ in try decide(policy, conflict) },
      limit: { _ in try limit.decide(current, existing) })
  }
}

/// One Lua state of a C program; used by one at a time.
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
