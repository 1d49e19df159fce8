import AuthCore

extension SQLTransaction {
  func session(_ id: String, in scope: Scope) throws -> SessionRecord? {
    try lookUp(
      SQLStatement(
        "SELECT json FROM sessions WHERE project = ? AND tenant = ? AND id = ?",
        scope.values + [.text(id)])
    ) { try JSONColumn.value(try $0.string(0)) }
  }

  func begin(_ session: SessionRecord, in scope: Scope) throws {
    // The statement itself looks for the account, which saves a round trip.
    try later(
      """
      INSERT INTO sessions (project, tenant, id, uid, json)
      SELECT project, tenant, CAST(? AS TEXT), uid, CAST(? AS TEXT) FROM accounts
      WHERE project = ? AND tenant = ? AND uid = ?
      ON CONFLICT (project, tenant, id) DO UPDATE SET uid = excluded.uid, json = excluded.json
      """,
      [.text(session.id), .text(session.json)] + scope.values(session.account))
  }

  func save(_ session: SessionRecord, in scope: Scope) throws {
    try later(
      """
      INSERT INTO sessions (project, tenant, id, uid, json) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (project, tenant, id) DO UPDATE SET uid = excluded.uid, json = excluded.json
      """,
      scope.values + [
        .text(session.id), .text(session.account.rawValue), .text(session.json),
      ])
  }

  func removeSession(_ id: String, in scope: Scope) throws {
    try later(
      "DELETE FROM sessions WHERE project = ? AND tenant = ? AND id = ?",
      scope.values + [.text(id)])
  }

  func removeSessions(of account: AccountID, in scope: Scope) throws {
    try later(
      "DELETE FROM sessions WHERE project = ? AND tenant = ? AND uid = ?", scope.values(account))
  }

  func removeSessions(
    of account: AccountID, rememberedUntil end: Timestamp, in scope: Scope
  ) throws {
    let memory = SessionRecord.memory(of: "", until: end)
    try later(
      """
      INSERT INTO one_time_records
        (project, tenant, id, kind, account, expires_at, attempts, content)
      SELECT project, tenant, CAST(? AS TEXT) || id, CAST(? AS TEXT), NULL, CAST(? AS BIGINT), 0, ''
      FROM sessions WHERE project = ? AND tenant = ? AND uid = ?
      ON CONFLICT (project, tenant, id) DO NOTHING
      """,
      [.text(memory.id), .text(memory.kind.rawValue), .time(end)] + scope.values(account))
    try removeSessions(of: account, in: scope)
  }
}
