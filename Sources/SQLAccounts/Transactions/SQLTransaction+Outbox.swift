import AuthCore

extension SQLTransaction {
  func outbox(after sequence: Int64, limit: Int) throws -> [AuditEvent] {
    try rows(
      """
      SELECT \(AuditEvent.columns) FROM outbox JOIN events ON \(session.dialect.eventOfDelivery)
      WHERE outbox.sequence > ? ORDER BY outbox.sequence LIMIT ?
      """, [.integer(sequence), .integer(Int64(max(0, limit)))], AuditEvent.init)
  }

  func deliveries(dueBy now: Timestamp, limit: Int) throws -> [OutboxDelivery] {
    try rows(
      """
      SELECT \(OutboxDelivery.columns) FROM outbox JOIN events ON \(session.dialect.eventOfDelivery)
      WHERE outbox.is_dead = 0 AND outbox.next_attempt_at <= ?
      ORDER BY outbox.next_attempt_at, outbox.sequence LIMIT ?
      """, [.time(now), .integer(Int64(max(0, limit)))], OutboxDelivery.init)
  }

  func openDeliveries(after sequence: Int64, limit: Int) throws -> [OutboxDelivery] {
    try rows(
      """
      SELECT \(OutboxDelivery.columns) FROM outbox JOIN events ON \(session.dialect.eventOfDelivery)
      WHERE outbox.is_dead = 0 AND outbox.sequence > ? ORDER BY outbox.sequence LIMIT ?
      """, [.integer(sequence), .integer(Int64(max(0, limit)))], OutboxDelivery.init)
  }

  func deadDeliveries(after sequence: Int64, limit: Int) throws -> [OutboxDelivery] {
    try rows(
      """
      SELECT \(OutboxDelivery.columns) FROM outbox JOIN events ON \(session.dialect.eventOfDelivery)
      WHERE outbox.is_dead = 1 AND outbox.sequence > ? ORDER BY outbox.sequence LIMIT ?
      """, [.integer(sequence), .integer(Int64(max(0, limit)))], OutboxDelivery.init)
  }

  func save(_ delivery: OutboxDelivery) throws {
    try later(
      "UPDATE outbox SET attempts = ?, next_attempt_at = ?, is_dead = ? WHERE sequence = ?",
      [
        .integer(Int64(delivery.attempts)), .time(delivery.nextAttemptAt), .flag(delivery.isDead),
        .integer(delivery.event.sequence),
      ])
  }

  func removeDelivery(_ sequence: Int64) throws {
    try later("DELETE FROM outbox WHERE sequence = ?", [.integer(sequence)])
  }
}

extension OutboxDelivery {
  /// The columns of an event and of its outbox row.
  package static let columns =
    "\(AuditEvent.columns), outbox.attempts, outbox.next_attempt_at, outbox.is_dead"

  /// Reads the ``columns``.
  package init(_ row: any SQLRow) throws {
    self.init(
      event: try AuditEvent(row), attempts: Int(try row.integer(13)),
      nextAttemptAt: Timestamp(milliseconds: try row.integer(14)), isDead: try row.flag(15))
  }
}

/// SQL fragments about the outbox that stores share.
package enum OutboxSQL {
  /// The condition that the outbox has a consumer.
  package static let hasConsumer = """
    EXISTS (SELECT 1 FROM checkpoints WHERE checkpoints.project = '' AND checkpoints.tenant = ''
      AND checkpoints.name = '\(OutboxConsumer.checkpoint)')
    """
}
