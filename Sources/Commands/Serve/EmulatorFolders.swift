import AuthCore
import IdentityToolkitService
import Logging

/// The folders that an emulator's mode imports at its start and exports at its end.
struct EmulatorFolders: Sendable {
  let imported: String?
  let exported: String?

  /// Reads the options of the command line.
  ///
  /// Throws `invalid-argument` for production, whose accounts are in a store.
  init(imported: String?, exported: String?, _ defaults: ServerDefaults) throws(AuthError) {
    (self.imported, self.exported) = (imported, exported)
    guard !defaults.takesFolders else { return }
    for (field, folder) in [("import", imported), ("export-on-exit", exported)]
    where folder != nil {
      throw AuthError(
        .invalidArgument, "Only --compat emulator takes --\(field).", field: field,
        remedy: "Use authgraph import and authgraph export for the accounts of a store.")
    }
  }

  /// Imports before the first request.
  ///
  /// A folder that the end of this run will make may be missing.
  func load(_ configuration: Configuration, _ services: ServerServices, _ logger: Logger)
    async throws
  {
    guard let imported else { return }
    let folder = EmulatorFolder(path: imported, project: configuration.project)
    guard let count = try await folder.load(into: Dispatcher(services)) else {
      guard exported != nil else {
        throw AuthError(
          .invalidArgument, "\(imported) has no exported accounts.", field: "import",
          remedy: "Give a folder of the emulators' export, or one with accounts.json.")
      }
      return logger.warning("\(imported) has no exported accounts yet.")
    }
    logger.info("Accounts were imported.", metadata: ["accounts": "\(count)"])
  }

  /// Exports after the last request.
  func save(_ configuration: Configuration, _ services: ServerServices, _ logger: Logger)
    async throws
  {
    guard let exported else { return }
    try await EmulatorFolder(path: exported, project: configuration.project)
      .save(from: Dispatcher(services))
    logger.info("Accounts were exported.", metadata: ["folder": "\(exported)"])
  }
}
