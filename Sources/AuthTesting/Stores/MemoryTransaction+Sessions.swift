import AuthCore

extension MemoryTransaction {
  func session(_ id: String, in scope: Scope) -> SessionRecord? {
    state[scope].sessions[ExactText(id)]
  }

  func begin(_ session: SessionRecord, in scope: Scope) {
    if account(session.account, in: scope) != nil { save(session, in: scope) }
  }

  func save(_ session: SessionRecord, in scope: Scope) {
    state[scope].sessions[ExactText(session.id)] = session
  }

  func removeSession(_ id: String, in scope: Scope) {
    state[scope].sessions[ExactText(id)] = nil
  }

  func removeSessions(of account: AccountID, in scope: Scope) {
    let uid = ExactText(account.rawValue)
    state[scope].sessions = state[scope].sessions
      .filter { ExactText($1.account.rawValue) != uid }
  }

  func removeSessions(of account: AccountID, rememberedUntil end: Timestamp, in scope: Scope) {
    let uid = ExactText(account.rawValue)
    for session in state[scope].sessions.values where ExactText(session.account.rawValue) == uid {
      save(SessionRecord.memory(of: session.id, until: end), in: scope)
    }
    removeSessions(of: account, in: scope)
  }
}

/// Scopes as a whole.
extension MemoryTransaction {
  func tenants(of project: String, after: String?, limit: Int) -> [String] {
    let (project, after) = (ExactText(project), ExactText(after ?? ""))
    let found = state.scopes.filter { key, rows in
      key.project == project && after < key.tenant && rows.hasSettings
    }
    return found.keys.map(\.tenant).sorted().prefix(max(0, limit)).map(\.text)
  }

  func exists(_ scope: Scope) -> Bool { state[scope].hasSettings }

  func scopesWithSecrets() -> [Scope] {
    state.scopes.filter { _, rows in
      rows.hasSettings || !rows.checkpoints.isEmpty || !rows.oneTimeRecords.isEmpty
        || !rows.merges.isEmpty || rows.accounts.values.contains { !$0.secondFactors.isEmpty }
    }.keys
      .map { ($0.project.text, $0.tenant.text) }.sorted { $0 < $1 }
      .map { Scope(project: $0, tenant: $1.isEmpty ? nil : $1) }
  }

  func deleteScope(_ scope: Scope) { state[scope] = MemoryScope() }

  func deleteAccounts(in scope: Scope) { state[scope] = state[scope].withoutAccounts }
}
