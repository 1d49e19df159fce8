import AuthCore

extension MemoryTransaction {
  func expiredRecords(by moment: Timestamp, limit: Int) -> [PlacedRecord] {
    let expired = state.scopes.flatMap { key, rows in
      rows.oneTimeRecords.values.filter { record in
        let grace: Int64 = record.kind == .message ? 86_400 : 0
        return record.expiresAt.adding(seconds: grace) <= moment
      }.map { PlacedRecord(scope: key.scope, record: $0) }
    }
    return Array(
      expired.sorted { $0.record.expiresAt < $1.record.expiresAt }.prefix(max(0, limit)))
  }

  func sessions(after place: SessionPlace?, limit: Int) -> [PlacedSession] {
    let behind = place.map { (MemoryState.ScopeKey($0.scope), ExactText($0.id)) }
    var found: [(MemoryState.ScopeKey, ExactText, SessionRecord)] = []
    for (key, rows) in state.scopes {
      for (id, session) in rows.sessions
      where behind.map({ $0 < (key, id) }) ?? true {
        found.append((key, id, session))
      }
    }
    found.sort { ($0.0, $0.1) < ($1.0, $1.1) }
    return found.prefix(max(0, limit)).map { key, _, session in
      PlacedSession(
        scope: key.scope, session: session,
        hasAccount: account(session.account, in: key.scope) != nil)
    }
  }

  func oldestEvents(after sequence: Int64, limit: Int, in scope: Scope) -> [AuditEvent] {
    let key = MemoryState.ScopeKey(scope)
    let found = events.filter { $0.sequence > sequence && MemoryState.ScopeKey($0.scope) == key }
    return Array(found.prefix(max(0, limit)))
  }

  func decisions(before: String?, limit: Int, in scope: Scope) -> [PolicyDecision] {
    let before = before.map(ExactText.init)
    let found = state[scope].decisions.filter { entry in before.map { entry.key < $0 } ?? true }
    return found.sorted { $1.key < $0.key }.prefix(max(0, limit)).map(\.value)
  }

  func oldestDecisions(limit: Int, in scope: Scope) -> [PolicyDecision] {
    let found = state[scope].decisions.sorted { $0.key < $1.key }
    return found.prefix(max(0, limit)).map(\.value)
  }

  func remove(_ event: AuditEvent) {
    state.removed.insert(event.sequence)
    removeDelivery(event.sequence)
  }

  var events: [AuditEvent] {
    state.log.prefix(state.eventCount).filter { !state.removed.contains($0.sequence) }
  }
}

extension MemoryState.ScopeKey: Comparable {
  static func < (a: Self, b: Self) -> Bool {
    (a.project, a.tenant) < (b.project, b.tenant)
  }

  var scope: Scope {
    Scope(project: project.text, tenant: tenant.text.isEmpty ? nil : tenant.text)
  }
}
