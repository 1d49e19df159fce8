/// The time of a store's last sweep.
package enum SweepState {
  private static let checkpoint = "last-sweep"

  /// Returns the time of the last full sweep by any process; nil if there was none.
  package static func last(in store: any AccountStore) async throws -> Timestamp? {
    try await store.read { reader in
      try reader.checkpoint(checkpoint, in: .servers).flatMap { Int64($0) }
        .map { Timestamp(milliseconds: $0) }
    }
  }

  static func note(_ now: Timestamp, in store: any AccountStore) async throws {
    try await store.write { try $0.saveCheckpoint(checkpoint, "\(now.milliseconds)", in: .servers) }
  }
}
