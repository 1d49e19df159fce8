import Foundation

/// The signals that a server handles, in order of arrival.
///
/// Blocks them on the current thread and on threads that it starts later. Make it before there are other threads.
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
    // A client that disconnects during an answer must not end the process.
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
