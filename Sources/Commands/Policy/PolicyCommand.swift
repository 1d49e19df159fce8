import ArgumentParser

/// `authgraph policy`: tools for authors of merge policies.
struct PolicyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policy",
    abstract: "Test merge policies, and try them on recorded conflicts.",
    discussion: """
      A policy is one Lua file that ends with return policy { … }. The console puts it to use: policy.use "FILE".
      """,
    subcommands: [PolicyTestCommand.self, PolicyReplayCommand.self])
}
