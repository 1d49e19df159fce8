import NIOConcurrencyHelpers

/// The digests of the states that were seen, in shards, so that tasks rarely wait for each other.
final class SeenStates: Sendable {
  private let shards = (0..<64).map { _ in NIOLockedValueBox<Set<StateDigest>>([]) }

  /// Adds a state; false if it was seen.
  func insert(_ digest: StateDigest) -> Bool {
    shards[digest.shard(of: shards.count)].withLockedValue { $0.insert(digest).inserted }
  }
}
