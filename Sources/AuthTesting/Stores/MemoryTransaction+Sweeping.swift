import AuthCore

extension MemoryTransaction: StoreSweeper {
  func removeOneTimeRecords(expiredBefore moment: Timestamp, limit: Int) -> Int {
    let expired = state.scopes.flatMap { key, rows in
      rows.oneTimeRecords.values.filter { record in
        let grace: Int64 = record.kind == .message ? 86_400 : 0
        return record.expiresAt.adding(seconds: grace) <= moment
      }.map { (key, $0) }
    }.sorted { $0.1.expiresAt < $1.1.expiresAt }.prefix(max(0, limit))
    for (key, record) in expired {
      state.scopes[key]?.oneTimeRecords[ExactText(record.id)] = nil
    }
    return expired.count
  }

  func firstEndOfOneTimeRecords() -> Timestamp? {
    state.scopes.values.lazy.flatMap(\.oneTimeRecords.values).map(\.expiresAt).min()
  }

  func sessions(after place: SessionPlace?, limit: Int) -> [PlacedSession] {
    let behind = place.map { (MemoryState.ScopeKey($0.scope), ExactText($0.id)) }
    var found: [(MemoryState.ScopeKey, ExactText, SessionRecord)] = []
    for (key, rows) in state.scopes {
      for (id, session) in rows.sessions
      where behind.map({ ($0.0.project, $0.0.tenant, $0.1) < (key.project, key.tenant, id) })
        ?? true
      {
        found.append((key, id, session))
      }
    }
    found.sort { ($0.0.project, $0.0.tenant, $0.1) < ($1.0.project, $1.0.tenant, $1.1) }
    return found.prefix(max(0, limit)).map { key, _, session in
      PlacedSession(
        scope: key.scope, session: session,
        hasAccount: account(session.account, in: key.scope) != nil)
    }
  }

  func scopeOfEvents(after scope: Scope?) -> Scope? {
    let behind = scope.map(MemoryState.ScopeKey.init)
    return Set(events.map { MemoryState.ScopeKey($0.scope) })
      .filter { key in
        behind.map { ($0.project, $0.tenant) < (key.project, key.tenant) } ?? true
      }
      .min { ($0.project, $0.tenant) < ($1.project, $1.tenant) }?.scope
  }

  func oldestEvents(after sequence: Int64, limit: Int, in scope: Scope) -> [AuditEvent] {
    let key = MemoryState.ScopeKey(scope)
    let found = events.filter { $0.sequence > sequence && MemoryState.ScopeKey($0.scope) == key }
    return Array(found.prefix(max(0, limit)))
  }

  func remove(_ event: AuditEvent) {
    state.removed.insert(event.sequence)
    removeDelivery(event.sequence)
  }

  private var events: [AuditEvent] {
    state.log.prefix(state.eventCount).filter { !state.removed.contains($0.sequence) }
  }
}

extension MemoryState.ScopeKey {
  fileprivate var scope: Scope {
    Scope(project: project.text, tenant: tenant.text.isEmpty ? nil : tenant.text)
  }
}
