public import ArgumentParser
import Foundation
import LuaPlugins
import TerminalOutput

/// The command line.
///
/// Commands holds every verb, one folder each; start here. ``Assembly`` opens the store and registers the providers;
/// for a server, ``ServerAssembly`` does.
public struct AuthGraphCommand: ParsableCommand {
  /// The program's name, verbs and version.
  public static let configuration = CommandConfiguration(
    commandName: "authgraph",
    abstract: "One person, many ways to sign in, one account.",
    discussion: "Options come after the verb: authgraph export --store sqlite:PATH.",
    version: PluginContract.program,
    subcommands: [
      ConsoleCommand.self, RunCommand.self, ImportCommand.self, ExportCommand.self,
      PluginCommand.self, PolicyCommand.self, IdentityProviderCommand.self, ServeCommand.self,
      ConfigCommand.self, AdminTokenCommand.self, DoctorCommand.self, MendCommand.self,
      StoreCommand.self, ConformanceCommand.self,
    ],
    defaultSubcommand: ConsoleCommand.self)

  /// Makes the command without arguments.
  public init() {}

  /// Runs the verb that the arguments name, and ends the process.
  ///
  /// Messages of the parser repeat arguments, so they are printed as untrusted text.
  public static func main(_ arguments: [String]) {
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch {
      let (code, message) = (exitCode(for: error), fullMessage(for: error))
      let output = code.isSuccess ? TextOutput.standard : .standardError
      // A failure to write to standard error cannot be reported.
      if !message.isEmpty { try? output.write(message) }
      Foundation.exit(code.rawValue)
    }
  }
}
