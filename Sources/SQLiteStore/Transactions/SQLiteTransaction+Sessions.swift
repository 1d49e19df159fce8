import AuthCore
import GRDB

extension SQLiteTransaction {
  func session(_ id: String, in scope: Scope) throws -> SessionRecord? {
    try first(
      "SELECT json FROM sessions WHERE project = ? AND tenant = ? AND id = ?",
      scope.values + [.text(id)]
    ) { try JSONColumn.value(try $0.string(0)) }
  }

  func save(_ session: SessionRecord, in scope: Scope) throws {
    try run(
      "INSERT OR REPLACE INTO sessions (project, tenant, id, uid, json) VALUES (?, ?, ?, ?, ?)",
      scope.values + [
        .text(session.id), .text(session.account.rawValue), .text(try JSONColumn.text(session)),
      ])
  }

  func removeSession(_ id: String, in scope: Scope) throws {
    try run(
      "DELETE FROM sessions WHERE project = ? AND tenant = ? AND id = ?",
      scope.values + [.text(id)])
  }

  func removeSessions(of account: AccountID, in scope: Scope) throws {
    try run(
      "DELETE FROM sessions WHERE project = ? AND tenant = ? AND uid = ?", scope.values(account))
  }
}
