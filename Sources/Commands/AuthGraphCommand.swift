public import ArgumentParser

/// The command line.
///
/// Commands holds every verb, one folder each; start here. ``Assembly`` alone knows which store and which
/// providers there are.
public struct AuthGraphCommand: ParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "authgraph",
    abstract: "One person, many ways to sign in, one account.",
    subcommands: [ConsoleCommand.self, RunCommand.self, ImportCommand.self, ExportCommand.self],
    defaultSubcommand: ConsoleCommand.self)

  public init() {}
}
