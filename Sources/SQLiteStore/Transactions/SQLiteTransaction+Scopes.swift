import AuthCore
import GRDB

extension SQLiteTransaction {
  func tenants(of project: String, after: String?, limit: Int) throws -> [String] {
    try rows(
      "SELECT tenant FROM settings WHERE project = ? AND tenant > ? ORDER BY tenant LIMIT ?",
      [.text(project), .text(after ?? ""), .integer(Int64(max(0, limit)))]
    ) { try $0.string(0) }
  }

  func exists(_ scope: Scope) throws -> Bool {
    try first("SELECT 1 FROM settings WHERE project = ? AND tenant = ?", scope.values) { _ in true }
      ?? false
  }

  func deleteScope(_ scope: Scope) throws {
    try together {
      try deleteAccounts(in: scope)
      try delete(from: ["one_time_records", "checkpoints", "settings"], in: scope)
    }
    knownSettings[scope] = nil
  }

  func deleteAccounts(in scope: Scope) throws {
    // Identities and second factors go with the accounts.
    try together { try delete(from: ["accounts", "aliases", "sessions", "merges"], in: scope) }
  }

  private func delete(from tables: [String], in scope: Scope) throws {
    for table in tables {
      try run("DELETE FROM \(table) WHERE project = ? AND tenant = ?", scope.values)
    }
  }
}
