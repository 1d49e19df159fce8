import AuthCore
import LuaRuntime

extension AuthError {
  /// A mistake in an importer's file, with the line and the command that reads importers.
  static func invalidImporter(_ source: PluginSource, _ error: LuaError) -> AuthError {
    if error.message.contains("'provider' is not defined") {
      return .invalidPlugin(
        source, line: error.line, "the file is a plug-in of a provider, not an importer",
        remedy: "Give --with an importer, such as Importers/auth0.lua. "
          + "The option --plugins FOLDER loads providers.", cause: error)
    }
    return .invalidPlugin(
      source, line: error.line, error.message,
      remedy: "Correct the file and try \(rehearsal(of: source)).", cause: error)
  }

  /// The error of an importer that was given as the plug-in of a provider.
  static func importerAsPlugin(
    _ source: PluginSource, line: Int?, cause: any Error
  ) -> AuthError {
    .invalidPlugin(
      source, line: line, "the file is an importer, not a plug-in of a provider",
      remedy: "Try it with \(rehearsal(of: source)).", cause: cause)
  }

  private static func rehearsal(of source: PluginSource) -> String {
    "authgraph import USERS --with \(source.name) --dry-run"
  }
}
