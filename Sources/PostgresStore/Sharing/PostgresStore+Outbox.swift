public import AuthCore
import SQLAccounts

extension PostgresStore: OutboxTaking {
  /// Takes the events that are due from the outbox and leases them until `leaseEnd`.
  public func takeDeliveries(
    dueBy now: Timestamp, leaseEnd: Timestamp, limit: Int
  ) async throws -> [OutboxDelivery] {
    try await perform(.statement) { [engine] session, _ in
      let taken = try session.rows(
        SQLStatement(
          Self.taking(engine.workerLock),
          [
            .integer(now.milliseconds), .integer(Int64(max(0, limit))),
            .integer(leaseEnd.milliseconds),
          ]), OutboxDelivery.init)
      try session.commit()
      return taken.sorted { $0.event.sequence < $1.event.sequence }
    }
  }

  /// Returns the statement that takes events.
  ///
  /// It skips events that another worker holds, and events behind an undelivered one of the same account. That one
  /// stays in the outbox until it was delivered, whatever worker has locked it.
  private static func taking(_ lock: String) -> String {
    """
    WITH due AS (
      SELECT waiting.sequence FROM outbox AS waiting
      WHERE waiting.is_dead = 0 AND waiting.next_attempt_at <= ?
        AND NOT EXISTS (
          SELECT 1 FROM event_accounts AS mine
          JOIN event_accounts AS earlier ON earlier.project = mine.project
            AND earlier.tenant = mine.tenant AND earlier.uid = mine.uid
            AND earlier.sequence < mine.sequence
            AND earlier.sequence >= (SELECT min(sequence) FROM outbox WHERE is_dead = 0)
          JOIN outbox AS open ON open.sequence = earlier.sequence AND open.is_dead = 0
          WHERE mine.project = waiting.event_project AND mine.tenant = waiting.event_tenant
            AND mine.sequence = waiting.sequence)
      ORDER BY waiting.next_attempt_at, waiting.sequence LIMIT ?
      \(lock)
    ), outbox AS (
      UPDATE outbox SET attempts = outbox.attempts + 1, next_attempt_at = ?
      FROM due WHERE outbox.sequence = due.sequence RETURNING outbox.*
    )
    SELECT \(OutboxDelivery.columns) FROM outbox
    JOIN events ON \(SQLDialect.postgres.eventOfDelivery)
    """
  }
}
