import AuthCore

/// Queries and deletions of sweeps.
///
/// Rows are removed one by one: a statement for many rows would be planned anew, and planned badly without
/// statistics.
extension SQLTransaction {
  /// The milliseconds that a message is kept after its end, so that its sender can report it.
  private static let graceOfMessages: Int64 = 86_400_000

  func expiredRecords(by moment: Timestamp, limit: Int) throws -> [PlacedRecord] {
    try rows(
      """
      SELECT \(OneTimeRecord.columns), project, tenant FROM one_time_records
      WHERE expires_at <= ? AND (kind <> ? OR expires_at <= ?) ORDER BY expires_at LIMIT ?
      \(session.dialect.passingOverLocked)
      """,
      [
        .time(moment), .text(OneTimeRecord.Kind.message.rawValue),
        .integer(moment.milliseconds - Self.graceOfMessages), .integer(Int64(max(0, limit))),
      ]
    ) { row in
      PlacedRecord(scope: try row.scope(OneTimeRecord.columnCount), record: try OneTimeRecord(row))
    }
  }

  func sessions(after place: SessionPlace?, limit: Int) throws -> [PlacedSession] {
    let behind = place.map { $0.scope.values + [.text($0.id)] }
    return try rows(
      """
      SELECT project, tenant, json, CASE WHEN EXISTS (
        SELECT 1 FROM accounts WHERE accounts.project = sessions.project
          AND accounts.tenant = sessions.tenant AND accounts.uid = sessions.uid) THEN 1 ELSE 0 END
      FROM sessions
      \(behind == nil ? "" : "WHERE (project, tenant, id) > (?, ?, ?)")
      ORDER BY project, tenant, id LIMIT ?
      """, (behind ?? []) + [.integer(Int64(max(0, limit)))]
    ) { row in
      PlacedSession(
        scope: try row.scope(0), session: try JSONColumn.value(try row.string(2)),
        hasAccount: try row.flag(3))
    }
  }

  func oldestEvents(
    after sequence: Int64, limit: Int, in scope: Scope
  ) throws -> [AuditEvent] {
    try rows(
      """
      SELECT \(AuditEvent.columns) FROM events
      WHERE project = ? AND tenant = ? AND sequence > ? ORDER BY sequence LIMIT ?
      """, scope.values + [.integer(sequence), .integer(Int64(max(0, limit)))], AuditEvent.init)
  }

  func remove(_ event: AuditEvent) throws {
    let sequence = SQLValue.integer(event.sequence)
    for account in event.accounts {
      try later(
        "DELETE FROM event_accounts WHERE project = ? AND tenant = ? AND uid = ? AND sequence = ?",
        event.scope.values(account) + [sequence])
    }
    try later(
      "DELETE FROM events WHERE project = ? AND tenant = ? AND sequence = ?",
      event.scope.values + [sequence])
  }
}
