public import ArgumentParser

/// The command line.
///
/// Commands holds every verb, one folder each; start here. ``Assembly`` alone knows which store and which
/// providers there are.
public struct AuthGraphCommand: ParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "authgraph",
    abstract: "One person, many ways to sign in, one account.",
    discussion: "Options stand behind the verb: authgraph export --store sqlite:PATH.",
    version: "0.1.0",
    subcommands: [
      ConsoleCommand.self, RunCommand.self, ImportCommand.self, ExportCommand.self,
      PluginCommand.self, IdentityProviderCommand.self, ServeCommand.self, ConfigCommand.self,
      AdminTokenCommand.self, DoctorCommand.self, MendCommand.self, StoreCommand.self,
    ],
    defaultSubcommand: ConsoleCommand.self)

  public init() {}
}
