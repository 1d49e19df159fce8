import Synchronization

/// The generation of a store's connections, which ends when their server is found to be read-only.
///
/// A connection of an earlier generation is closed before it is used again. A new one leads to the server that takes
/// changes now, if the URL or a name of the network leads there.
final class ConnectionAge: Sendable {
  private struct State {
    var current = 0
    var renewedAt: ContinuousClock.Instant?
  }

  private let state = Mutex(State())

  /// A server that stays read-only does not cost all connections each time.
  private static let shortest = Duration.seconds(1)

  var current: Int { state.withLock(\.current) }

  /// Ends a generation, unless that was done or another one has just begun; returns whether it ended now.
  @discardableResult
  func end(_ generation: Int) -> Bool {
    state.withLock { state in
      let now = ContinuousClock.now
      guard generation == state.current, state.renewedAt.map({ now - $0 >= Self.shortest }) ?? true
      else { return false }
      state.current += 1
      state.renewedAt = now
      return true
    }
  }
}
