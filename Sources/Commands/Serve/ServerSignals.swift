import Foundation

/// The signals that a server listens to, in the order in which they come.
///
/// Blocks them on the thread that makes it and on those that are begun by it later; to be made before there are
/// others.
struct ServerSignals: Sendable {
  enum Order: Sendable {
    case end, reload
  }

  let orders: AsyncStream<Order>

  init() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    // A client that goes away while it is answered is no reason to die.
    signal(SIGPIPE, SIG_IGN)
    let (orders, continuation) = AsyncStream.makeStream(of: Order.self)
    self.orders = orders
    let awaited = signals
    Thread.detachNewThread {
      var awaited = awaited
      while true {
        var received: Int32 = 0
        guard sigwait(&awaited, &received) == 0 else { continue }
        continuation.yield(received == SIGHUP ? .reload : .end)
      }
    }
  }
}
