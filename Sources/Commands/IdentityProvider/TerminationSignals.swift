import Foundation

/// Waits for Ctrl-C or SIGTERM, which then do not end the process.
///
/// Blocks both signals on the current thread and on threads that it starts later. Make it before there are other
/// threads.
struct TerminationSignals {
  private let signals: sigset_t

  init() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    self.signals = signals
  }

  /// Returns when a signal arrives, or at once if one arrived since the initialisation.
  func wait() {
    var signals = signals
    var received: Int32 = 0
    while sigwait(&signals, &received) == EINTR {}
  }
}
