import AuthCore

/// Works on a copy of the state; used by one closure on one thread.
final class MemoryTransaction {
  var state: MemoryState

  init(_ state: MemoryState) {
    self.state = state
  }
}

extension MemoryTransaction: AccountReader {
  func account(_ id: AccountID, in scope: Scope) -> Account? { state[scope].account(id) }

  func survivor(of absorbed: AccountID, in scope: Scope) -> AccountID? {
    state[scope].aliases[ExactText(absorbed.rawValue)]
  }

  func aliases(of survivor: AccountID, in scope: Scope) -> [AccountID] {
    (state[scope].absorbed[ExactText(survivor.rawValue)] ?? []).sorted()
      .map { AccountID($0.text) }
  }

  func owner(of key: IdentityKey, in scope: Scope) -> AccountID? {
    state[scope].owners[MemoryScope.OwnedKey(key)]
  }

  func account(owning key: IdentityKey, in scope: Scope) -> Account? {
    state[scope].account(owning: key)
  }

  func accountIDs(withEmail canonical: String, in scope: Scope) -> [AccountID] {
    (state[scope].emails[ExactText(canonical)] ?? []).sorted().map { AccountID($0.text) }
  }

  func accountIDs(withPhone number: String, in scope: Scope) -> [AccountID] {
    (state[scope].phones[ExactText(number)] ?? []).sorted().map { AccountID($0.text) }
  }

  func accounts(
    matching filter: AccountFilter, after: AccountID?, limit: Int, in scope: Scope
  ) -> [Account] {
    let after = after.map { ExactText($0.rawValue) }
    let found = state[scope].accounts
      .filter { id, account in after.map { $0 < id } ?? true && filter.matches(account) }
    return found.sorted { $0.key < $1.key }.prefix(max(0, limit)).map(\.value)
  }

  func accountCount(in scope: Scope) -> Int { state[scope].accounts.count }

  func duplicates(
    by key: DuplicateKey, after: String?, limit: Int, in scope: Scope
  ) -> [DuplicateGroup] {
    let rows = state[scope]
    let after = after.map(ExactText.init)
    let groups = (key == .phone ? rows.phones : rows.emails).filter { value, ids in
      ids.count > 1 && after.map { $0 < value } ?? true
        && (key != .verifiedEmail || ids.contains { rows.accounts[$0]?.emailVerified == true })
    }
    return groups.sorted { $0.key < $1.key }.prefix(max(0, limit)).map { value, ids in
      DuplicateGroup(key: value.text, accounts: ids.sorted().map { AccountID($0.text) })
    }
  }

  func event(_ id: String, in scope: Scope) -> AuditEvent? {
    state.log.event(id, in: scope, among: state.eventCount)
      .flatMap { state.removed.contains($0.sequence) ? nil : $0 }
  }

  func events(
    about accounts: [AccountID]?, before: Int64?, limit: Int, in scope: Scope
  ) -> [AuditEvent] {
    let wanted = accounts.map { Set($0.map { ExactText($0.rawValue) }) }
    let key = MemoryState.ScopeKey(scope)
    let found = state.log.prefix(state.eventCount).reversed().lazy.filter { [state] event in
      let involved = [event.accountID].compactMap(\.self) + event.relatedIDs
      return MemoryState.ScopeKey(event.scope) == key && !state.removed.contains(event.sequence)
        && before.map { event.sequence < $0 } ?? true
        && wanted.map { wanted in involved.contains { wanted.contains(ExactText($0.rawValue)) } }
          ?? true
    }
    return Array(found.prefix(max(0, limit)))
  }

  func merge(_ id: String, in scope: Scope) -> MergeRecord? {
    let rows = state[scope]
    return rows.mergePlaces[ExactText(id)].map { rows.merges[$0] }
  }

  func merges(
    involving account: AccountID?, before: String?, limit: Int, in scope: Scope
  ) -> [MergeRecord] {
    let rows = state[scope]
    let places = account.map { rows.mergesOfAccount[ExactText($0.rawValue)] ?? [] }
    let end = before.flatMap { id in rows.merges.firstIndex { $0.id == id } } ?? rows.merges.count
    let found = (places ?? Array(rows.merges.indices)).reversed().lazy.filter { $0 < end }
      .map { rows.merges[$0] }
    return Array(found.prefix(max(0, limit)))
  }

  func scopesOfEndedMerges() -> [Scope] {
    state.scopes.filter { $1.merges.contains { $0.endedAt != nil } }.keys
      .map { ($0.project.text, $0.tenant.text) }.sorted { $0 < $1 }
      .map { Scope(project: $0, tenant: $1.isEmpty ? nil : $1) }
  }

  func settings(of scope: Scope) -> ProjectSettings { state[scope].settings }

  func checkpoint(_ name: String, in scope: Scope) -> String? {
    state[scope].checkpoints[ExactText(name)]
  }
}

extension MemoryTransaction: AccountWriter {
  func insert(_ account: Account) throws {
    var account = account
    account.revision = 1
    try state[account.scope].add(account)
  }

  func update(_ account: Account, replacing old: Account) throws {
    precondition(
      account.id == old.id && account.scope == old.scope, "An update keeps the account's name.")
    guard let stored = state[old.scope].account(old.id), stored.revision == old.revision else {
      throw UniqueKeyConflict(key: "revision \(old.revision) of uid \(old.id)")
    }
    var account = account
    account.revision = old.revision + 1
    var rows = state[old.scope]
    rows.remove(old.id)
    try rows.add(account)
    state[old.scope] = rows
  }

  func delete(_ account: Account) { state[account.scope].remove(account.id) }

  func setAlias(_ absorbed: AccountID, for survivor: AccountID, in scope: Scope) {
    state[scope].setAlias(absorbed, for: survivor)
  }

  func removeAlias(_ absorbed: AccountID, in scope: Scope) {
    state[scope].setAlias(absorbed, for: nil)
  }

  func append(_ event: AuditEvent) throws {
    guard state.log.event(event.id, in: event.scope, among: state.eventCount) == nil else {
      throw UniqueKeyConflict(key: "event \(event.id)")
    }
    var event = event
    state.eventCount += 1
    event.sequence = Int64(state.eventCount)
    if checkpoint(OutboxConsumer.checkpoint, in: .servers) == nil {
      state.delivered.insert(event.sequence)
    }
    state.log.append(event)
  }

  func save(_ merge: MergeRecord) { state[merge.scope].save(merge) }

  func endMerges(of account: AccountID, at end: Timestamp?, in scope: Scope) {
    let uid = ExactText(account.rawValue)
    state[scope].changeMerges { merge in
      let sides = [merge.survivor, merge.absorbed].map { ExactText($0.rawValue) }
      guard sides.contains(uid) else { return merge }
      guard let end else { return nil }
      var merge = merge
      merge.endedAt = merge.endedAt ?? end
      return merge
    }
  }

  func removeMerges(endedBefore moment: Timestamp, in scope: Scope) {
    state[scope].changeMerges { merge in
      merge.endedAt.map { $0 <= moment } == true ? nil : merge
    }
  }

  func save(_ settings: ProjectSettings, for scope: Scope) throws {
    try state[scope].change(settings)
  }

  func saveCheckpoint(_ name: String, _ value: String?, in scope: Scope) {
    state[scope].checkpoints[ExactText(name)] = value
  }
}
