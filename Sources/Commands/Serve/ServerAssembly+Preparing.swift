import AuthCore
import Logging

extension ServerAssembly {
  /// Sees to what a server needs before its first request.
  func prepare(_ configuration: Configuration, logger: Logger) async throws {
    if configuration.messages.smtp == nil, configuration.messages.webhook == nil {
      logger.warning(
        configuration.messages.log
          ? "Messages to people are written to standard error, and reach nobody."
          : "There is no way to send messages to people.")
    }
  }
}
