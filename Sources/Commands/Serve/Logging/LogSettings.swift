import Logging
import NIOConcurrencyHelpers

/// The settings of the log, which can change while a server runs.
final class LogSettings: Sendable {
  private let state: NIOLockedValueBox<Configuration.Logging>

  init(_ configuration: Configuration.Logging) {
    state = NIOLockedValueBox(configuration)
  }

  var current: Configuration.Logging {
    get { state.withLockedValue { $0 } }
    set { state.withLockedValue { $0 = newValue } }
  }
}
