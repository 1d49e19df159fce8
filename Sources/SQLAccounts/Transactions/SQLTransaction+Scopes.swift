import AuthCore

extension SQLTransaction {
  func tenants(of project: String, after: String?, limit: Int) throws -> [String] {
    try rows(
      "SELECT tenant FROM settings WHERE project = ? AND tenant > ? ORDER BY tenant LIMIT ?",
      [.text(project), .text(after ?? ""), .integer(Int64(max(0, limit)))]
    ) { try $0.string(0) }
  }

  func scopes(having content: ScopeContent, after scope: Scope?, limit: Int) throws -> [Scope] {
    let tables =
      switch content {
      case .events: ["events"]
      case .endedMerges: ["merges"]
      case .decisions: ["policy_decisions"]
      case .secrets: ["settings", "checkpoints", "one_time_records", "second_factors", "merges"]
      }
    var conditions = content == .endedMerges ? ["ended_at IS NOT NULL"] : []
    if scope != nil { conditions.append("(project, tenant) > (?, ?)") }
    let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    // Without DISTINCT, LIMIT 1 stops at the first of many rows.
    let distinct = limit == 1 ? "" : "DISTINCT "
    return try rows(
      tables.map { "SELECT \(distinct)project, tenant FROM \($0)\(condition)" }
        .joined(separator: " UNION ") + " ORDER BY project, tenant LIMIT ?",
      tables.flatMap { _ in scope?.values ?? [] } + [.integer(Int64(clamping: max(0, limit)))]
    ) { try $0.scope(0) }
  }

  func deleteScope(_ scope: Scope) throws {
    try deleteAccounts(in: scope)
    try delete(from: ["one_time_records", "checkpoints", "settings"], in: scope)
    knownSettings[scope] = nil
    areStored[scope] = false
    try session.announce(.settings(scope))
  }

  func deleteAccounts(in scope: Scope) throws {
    // Identities and second factors are deleted by cascade.
    try delete(from: ["accounts", "search_terms", "aliases", "sessions", "merges"], in: scope)
  }

  private func delete(from tables: [String], in scope: Scope) throws {
    try session.run(
      tables.map { table in
        SQLChange("DELETE FROM \(table) WHERE project = ? AND tenant = ?", scope.values)
      })
  }
}

extension SQLRow {
  /// Reads a scope from two columns, starting with this one.
  func scope(_ column: Int) throws -> Scope {
    let tenant = try string(column + 1)
    return Scope(project: try string(column), tenant: tenant.isEmpty ? nil : tenant)
  }
}
