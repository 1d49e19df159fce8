import Foundation

/// Waits for Ctrl-C or for a request to end, instead of dying of it.
///
/// Blocks both signals on the thread that makes it and on those that are begun by it later; to be made before there
/// are others.
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

  /// Returns when one of them has come; at once where it came since this was made.
  func wait() {
    var signals = signals
    var received: Int32 = 0
    while sigwait(&signals, &received) == EINTR {}
  }
}
