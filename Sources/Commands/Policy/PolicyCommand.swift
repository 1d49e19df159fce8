import ArgumentParser

/// `authgraph policy`: tools for authors of merge policies.
struct PolicyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policy",
    abstract: "Test merge policies.",
    subcommands: [PolicyTestCommand.self])
}
