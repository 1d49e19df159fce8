import Logging
import NIOConcurrencyHelpers

/// How the log is written; changed while a server runs.
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
