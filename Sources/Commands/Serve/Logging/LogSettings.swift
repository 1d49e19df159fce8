import Logging
import Synchronization

/// How the log is written; changed while a server runs.
final class LogSettings: Sendable {
  private let state: Mutex<Configuration.Logging>

  init(_ configuration: Configuration.Logging) {
    state = Mutex(configuration)
  }

  var current: Configuration.Logging {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
