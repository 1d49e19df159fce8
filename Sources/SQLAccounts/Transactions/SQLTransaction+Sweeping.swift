package import AuthCore

/// What sweeps find, and remove row by row: a statement for many rows would be planned anew, and badly while the engine
/// knows nothing of the table.
extension SQLTransaction: StoreSweeper {
  /// For how many milliseconds a message stays after its end, so that its sender can report it.
  private static let graceOfMessages: Int64 = 86_400_000

  package func removeOneTimeRecords(expiredBefore moment: Timestamp, limit: Int) throws -> Int {
    let found = try rows(
      """
      SELECT project, tenant, id FROM one_time_records
      WHERE expires_at <= ? AND (kind <> ? OR expires_at <= ?) ORDER BY expires_at LIMIT ?
      \(session.dialect.passingOverLocked)
      """,
      [
        .time(moment), .text(OneTimeRecord.Kind.message.rawValue),
        .integer(moment.milliseconds - Self.graceOfMessages), .integer(Int64(max(0, limit))),
      ]
    ) { row in (try row.scope(0), try row.string(2)) }
    for (scope, id) in found { try removeOneTimeRecord(id, in: scope) }
    return found.count
  }

  package func firstEndOfOneTimeRecords() throws -> Timestamp? {
    try first("SELECT expires_at FROM one_time_records ORDER BY expires_at LIMIT 1", []) {
      Timestamp(milliseconds: try $0.integer(0))
    }
  }

  package func sessions(after place: SessionPlace?, limit: Int) throws -> [PlacedSession] {
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

  package func scopeOfEvents(after scope: Scope?) throws -> Scope? {
    try first(
      """
      SELECT project, tenant FROM events
      \(scope == nil ? "" : "WHERE (project, tenant) > (?, ?)")
      ORDER BY project, tenant LIMIT 1
      """, scope?.values ?? []
    ) { try $0.scope(0) }
  }

  package func oldestEvents(
    after sequence: Int64, limit: Int, in scope: Scope
  ) throws -> [AuditEvent] {
    try rows(
      """
      SELECT \(AuditEvent.columns) FROM events
      WHERE project = ? AND tenant = ? AND sequence > ? ORDER BY sequence LIMIT ?
      """, scope.values + [.integer(sequence), .integer(Int64(max(0, limit)))], AuditEvent.init)
  }

  package func remove(_ event: AuditEvent) throws {
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

extension SQLRow {
  /// The scope of two columns, of which this is the first.
  fileprivate func scope(_ column: Int) throws -> Scope {
    let tenant = try string(column + 1)
    return Scope(project: try string(column), tenant: tenant.isEmpty ? nil : tenant)
  }
}
