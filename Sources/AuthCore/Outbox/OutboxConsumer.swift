/// Whether anything takes events from a store's outbox.
///
/// Events go into the outbox only if something does: a server with a configured web service, or an app's
/// ``OutboxWorker``. What is configured later begins with the events after that. A consumer that did not come back for a
/// week is forgotten with all that waited for it.
public enum OutboxConsumer {
  /// The name in the servers' scope under which a store keeps when a consumer was last there.
  ///
  /// The statements of the stores that add events name it too.
  public static let checkpoint = "outbox-consumer"
  /// For how many seconds events are kept for a consumer that is away.
  package static let patience: Int64 = 7 * 86_400
  /// How many seconds pass before a consumer says again that it is there.
  static let period: Int64 = 86_400

  /// Notes that a consumer is there; from the commit on events are kept for it.
  package static func note(_ store: any AccountStore, at now: Timestamp) async throws {
    let isKnown = try await store.read { reader in
      try seen(reader).map { now.milliseconds - $0.milliseconds < period * 1000 } ?? false
    }
    guard !isKnown else { return }
    try await store.write { try $0.saveCheckpoint(checkpoint, "\(now.milliseconds)", in: .servers) }
  }

  /// Whether a consumer was there within the time that events are kept for it.
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
