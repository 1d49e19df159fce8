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

  func removeSessions(of account: AccountID, rememberedUntil end: Timestamp?, in scope: Scope) {
    let uid = ExactText(account.rawValue)
    let ended = state[scope].sessions.filter { ExactText($1.account.rawValue) == uid }
    for (id, session) in ended {
      state[scope].sessions[id] = nil
      if let end { save(SessionRecord.memory(of: session.id, until: end), in: scope) }
    }
  }
}

/// Operations on whole scopes.
extension MemoryTransaction {
  func tenants(of project: String, after: String?, limit: Int) -> [String] {
    let (project, after) = (ExactText(project), ExactText(after ?? ""))
    let found = state.scopes.filter { key, rows in
      key.project == project && after < key.tenant && rows.hasSettings
    }
    return found.keys.map(\.tenant).sorted().prefix(max(0, limit)).map(\.text)
  }

  func exists(_ scope: Scope) -> Bool { state[scope].hasSettings }

  func scopes(having content: ScopeContent, after scope: Scope?, limit: Int) -> [Scope] {
    let behind = scope.map(MemoryState.ScopeKey.init)
    let found: [MemoryState.ScopeKey] =
      switch content {
      case .events: Array(Set(events.map { MemoryState.ScopeKey($0.scope) }))
      case .endedMerges: state.scopes.filter { $1.hasEndedMerges }.map(\.key)
      case .decisions: state.scopes.filter { !$1.decisions.isEmpty }.map(\.key)
      case .secrets: state.scopes.filter { $1.mayHaveSecrets }.map(\.key)
      }
    return found.sorted()
      .filter { key in behind.map { $0 < key } ?? true }
      .prefix(max(0, limit)).map(\.scope)
  }
}

extension MemoryScope {
  fileprivate var hasEndedMerges: Bool { merges.contains { $0.endedAt != nil } }

  fileprivate var mayHaveSecrets: Bool {
    hasSettings || !checkpoints.isEmpty || !oneTimeRecords.isEmpty || !merges.isEmpty
      || accounts.values.contains { !$0.secondFactors.isEmpty }
  }
}
