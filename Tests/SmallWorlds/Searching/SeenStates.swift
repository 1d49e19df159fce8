import NIOConcurrencyHelpers

/// The digests of visited states, in shards, so that tasks rarely wait for each other.
final class SeenStates: Sendable {
  private let shards = (0..<64).map { _ in NIOLockedValueBox<Set<StateDigest>>([]) }

  /// Adds a state.
  ///
  /// Returns false if it was visited before.
  func insert(_ digest: StateDigest) -> Bool {
    shards[digest.shard(of: shards.count)].withLockedValue { $0.insert(digest).inserted }
  }
}
