import AuthCore
import IdentityToolkit
import Logging

extension EmulatorBehavior {
  /// Refuses a request for a project that the emulator was not started for, or logs its first one.
  func meet(_ project: String, _ services: ServerServices) throws(WireError) {
    let settings = services.settings
    guard settings.singleProjectMode != .off, !settings.serves(project) else { return }
    let message =
      "The emulator was started for the project \(settings.project), and the request names another one."
    guard settings.singleProjectMode == .warn else {
      throw WireError(
        "INVALID_PROJECT_ID",
        "\(message) Name that project, or start the emulator with --single-project-mode off.")
    }
    guard memory.isNew(project) else { return }
    services.telemetry.logger.warning(
      "\(message)",
      metadata: [
        "project": .string(project),
        "remedy": "If several projects are meant, use --single-project-mode off.",
      ])
  }
}
