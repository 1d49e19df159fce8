package import AuthCore

extension SQLTransaction {
  package func tenants(of project: String, after: String?, limit: Int) throws -> [String] {
    try rows(
      "SELECT tenant FROM settings WHERE project = ? AND tenant > ? ORDER BY tenant LIMIT ?",
      [.text(project), .text(after ?? ""), .integer(Int64(max(0, limit)))]
    ) { try $0.string(0) }
  }

  package func exists(_ scope: Scope) throws -> Bool {
    if let known = areStored[scope] { return known }
    let query = Self.settingsRevision(scope)
    let isStored = try first(query.sql, query.values) { _ in true } ?? false
    areStored[scope] = isStored
    return isStored
  }

  package func scopesWithSecrets() throws -> [Scope] {
    let tables = ["settings", "checkpoints", "one_time_records", "second_factors", "merges"]
    return try rows(
      tables.map { "SELECT project, tenant FROM \($0)" }.joined(separator: " UNION ")
        + " ORDER BY project, tenant", []
    ) { row in
      let tenant = try row.string(1)
      return Scope(project: try row.string(0), tenant: tenant.isEmpty ? nil : tenant)
    }
  }

  package func deleteScope(_ scope: Scope) throws {
    try deleteAccounts(in: scope)
    try delete(from: ["one_time_records", "checkpoints", "settings"], in: scope)
    knownSettings[scope] = nil
    areStored[scope] = false
    try session.announce(.settings(scope))
  }

  package func deleteAccounts(in scope: Scope) throws {
    // Identities and second factors go with the accounts.
    try delete(from: ["accounts", "aliases", "sessions", "merges"], in: scope)
  }

  private func delete(from tables: [String], in scope: Scope) throws {
    try session.runTogether(
      tables.map { table in
        SQLChange("DELETE FROM \(table) WHERE project = ? AND tenant = ?", scope.values)
      })
  }
}
