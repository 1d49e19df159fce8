import Foundation
import Synchronization

/// The wish of a person, or of another process, to end a run.
///
/// Blocks SIGINT and SIGTERM on the current thread and on threads that it starts later. Make it before there are other
/// threads. A second signal ends the process at once.
final class RunInterruption: Sendable {
  private let raised = Atomic(false)

  init() {
    let signals = TerminationSignals()
    Thread.detachNewThread { [self] in
      signals.wait()
      raised.store(true, ordering: .releasing)
      StandardStreams.warn("Interrupted. What the case changed is put back.")
      signals.wait()
      _exit(130)
    }
  }

  /// True after the first signal.
  var isRaised: Bool { raised.load(ordering: .acquiring) }
}
