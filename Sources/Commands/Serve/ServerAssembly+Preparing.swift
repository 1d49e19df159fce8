import AuthCore
import IdentityToolkitService
import Logging

extension ServerAssembly {
  /// Prepares a server for its first request.
  ///
  /// Throws `invalid-argument` with the field `keyFile` if the key is not the store's.
  func prepare(_ configuration: Configuration, logger: Logger) async throws {
    if configuration.messages.smtp == nil, configuration.messages.webhook == nil {
      logger.warning(
        configuration.messages.log
          ? "Messages to people are written to standard error, and reach no recipient."
          : "Messages to people cannot be sent.")
    }
    try await StoreKey(store: store, secrets: configuration.sealing)
      .check(projects: configuration.projects.union([configuration.project]))
    try await sharing?.prepare()
  }
}
