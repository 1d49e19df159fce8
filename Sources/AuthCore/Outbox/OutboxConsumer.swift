/// The registration of consumers of a store's outbox.
///
/// Events go into the outbox only while a consumer is registered: a server with a configured webhook, or an app's
/// ``OutboxWorker``. A new consumer gets the events after its registration. A consumer that is away for a week is
/// forgotten, together with its waiting events.
public enum OutboxConsumer {
  /// The checkpoint in the servers' scope that has the time a consumer was last seen.
  ///
  /// The stores' statements that add events use the same name.
  public static let checkpoint = "outbox-consumer"
  /// The number of seconds for which events are kept for an absent consumer.
  package static let patience: Int64 = 7 * 86_400
  /// The number of seconds between two notes of a consumer's presence.
  static let period: Int64 = 86_400

  /// Notes that a consumer is present; from this commit on, events are kept for it.
  package static func note(_ store: any AccountStore, at now: Timestamp) async throws {
    let isKnown = try await store.read { reader in
      try seen(reader).map { now.milliseconds - $0.milliseconds < period * 1000 } ?? false
    }
    guard !isKnown else { return }
    try await store.write { try $0.saveCheckpoint(checkpoint, "\(now.milliseconds)", in: .servers) }
  }

  /// Tells whether a consumer was present within the time for which events are kept.
  static func isThere(_ reader: any AccountReader, at now: Timestamp) throws -> Bool {
    try seen(reader).map { $0.adding(seconds: patience) > now } ?? false
  }

  /// Forgets a consumer that is gone, so that no more events are kept for it.
  static func forget(_ store: any AccountStore, at now: Timestamp) async throws {
    guard try await store.read({ try seen($0) != nil }) else { return }
    try await store.write { writer in
      guard try !isThere(writer, at: now) else { return }
      try writer.saveCheckpoint(checkpoint, nil, in: .servers)
    }
  }

  private static func seen(_ reader: any AccountReader) throws -> Timestamp? {
    try reader.checkpoint(checkpoint, in: .servers).flatMap { Int64($0) }
      .map { Timestamp(milliseconds: $0) }
  }
}
