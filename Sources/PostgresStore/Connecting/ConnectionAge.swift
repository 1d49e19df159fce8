import Synchronization

/// The generation of a store's connections, which ends once their server turns out to be read-only.
///
/// A connection of an earlier generation is closed before it is used again. The new one reaches the server that now
/// takes changes, if the URL or DNS leads there.
final class ConnectionAge: Sendable {
  private struct State {
    var current = 0
    var renewedAt: ContinuousClock.Instant?
  }

  private let state = Mutex(State())

  /// The minimum length of a generation, so that a server which stays read-only does not cost all connections each
  /// time.
  private static let shortest = Duration.seconds(1)

  var current: Int { state.withLock(\.current) }

  /// Ends a generation, unless it has ended or a new one has just begun.
  ///
  /// Returns true if it ended now.
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
