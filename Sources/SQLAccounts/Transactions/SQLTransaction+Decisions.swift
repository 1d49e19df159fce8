import AuthCore

/// The log of decisions by merge policies.
extension SQLTransaction {
  func decision(_ id: String, in scope: Scope) throws -> PolicyDecision? {
    try first(
      "SELECT json FROM policy_decisions WHERE project = ? AND tenant = ? AND id = ?",
      scope.values + [.text(id)], PolicyDecision.init)
  }

  func decisions(before: String?, limit: Int, in scope: Scope) throws -> [PolicyDecision] {
    let limit = SQLValue.integer(Int64(max(0, limit)))
    guard let before else {
      return try rows(
        """
        SELECT json FROM policy_decisions WHERE project = ? AND tenant = ?
        ORDER BY id DESC LIMIT ?
        """, scope.values + [limit], PolicyDecision.init)
    }
    return try rows(
      """
      SELECT json FROM policy_decisions WHERE project = ? AND tenant = ? AND id < ?
      ORDER BY id DESC LIMIT ?
      """, scope.values + [.text(before), limit], PolicyDecision.init)
  }

  func oldestDecisions(limit: Int, in scope: Scope) throws -> [PolicyDecision] {
    try rows(
      "SELECT json FROM policy_decisions WHERE project = ? AND tenant = ? ORDER BY id LIMIT ?",
      scope.values + [.integer(Int64(max(0, limit)))], PolicyDecision.init)
  }

  func save(_ decision: PolicyDecision) throws {
    try later(
      """
      INSERT INTO policy_decisions (project, tenant, id, at, json) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (project, tenant, id) DO UPDATE SET at = excluded.at, json = excluded.json
      """,
      decision.scope.values + [.text(decision.id), .time(decision.at), .text(decision.json)])
  }

  func removeDecision(_ id: String, in scope: Scope) throws {
    try later(
      "DELETE FROM policy_decisions WHERE project = ? AND tenant = ? AND id = ?",
      scope.values + [.text(id)])
  }
}

extension PolicyDecision {
  fileprivate init(_ row: any SQLRow) throws {
    self = try JSONValue(text: try row.string(0)).decoded()
  }
}
