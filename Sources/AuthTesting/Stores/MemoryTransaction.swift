import AuthCore

/// A transaction on a copy of the state, used by one closure on one thread.
final class MemoryTransaction {
  var state: MemoryState
  /// The conflict that a write met; the transaction is lost.
  private(set) var conflict: UniqueKeyConflict?

  init(_ state: MemoryState) {
    self.state = state
  }
}

extension MemoryTransaction: AccountReader {
  func record(_ key: RecordKey, in scope: Scope) -> StoredRecord? {
    switch key {
    case .account(let id): account(id, in: scope).map(StoredRecord.account)
    case .owner(let key): account(owning: key, in: scope).map(StoredRecord.account)
    case .survivor(let id): survivor(of: id, in: scope).map(StoredRecord.uid)
    case .event(let id): event(id, in: scope).map(StoredRecord.event)
    case .merge(let id): merge(id, in: scope).map(StoredRecord.merge)
    case .decision(let id): state[scope].decisions[ExactText(id)].map(StoredRecord.decision)
    case .settings: exists(scope) ? .settings(settings(of: scope)) : nil
    case .checkpoint(let name): checkpoint(name, in: scope).map(StoredRecord.checkpoint)
    case .oneTimeRecord(let id): oneTimeRecord(id, in: scope).map(StoredRecord.oneTimeRecord)
    case .session(let id): session(id, in: scope).map(StoredRecord.session)
    case .accountCount(let filter): .count(accountCount(matching: filter, in: scope))
    }
  }

  func page(_ listing: Listing, limit: Int) -> StoredPage {
    switch listing {
    case .accounts(let filter, let after, let scope):
      .accounts(accounts(matching: filter, after: after, limit: limit, in: scope))
    case .search(let search, let scope):
      .uids(
        Array(search.found(among: state[scope].accounts.values).prefix(max(0, limit))))
    case .providers(let scope):
      .providers(ProviderUse.all(of: state[scope].accounts.values))
    case .uidsByEmail(let canonical, let scope):
      .uids(accountIDs(withEmail: canonical, in: scope))
    case .uidsByPhone(let number, let scope): .uids(accountIDs(withPhone: number, in: scope))
    case .aliases(let survivor, let scope): .uids(aliases(of: survivor, in: scope))
    case .duplicates(let key, let after, let scope):
      .duplicates(duplicates(by: key, after: after, limit: limit, in: scope))
    case .events(let filter, let before, let scope):
      .events(events(matching: filter, before: before, limit: limit, in: scope))
    case .oldestEvents(let after, let scope):
      .events(oldestEvents(after: after, limit: limit, in: scope))
    case .outbox(let after): .events(outbox(after: after, limit: limit))
    case .deliveriesDue(let now): .deliveries(deliveries(dueBy: now, limit: limit))
    case .openDeliveries(let after): .deliveries(openDeliveries(after: after, limit: limit))
    case .deadDeliveries(let after): .deliveries(deadDeliveries(after: after, limit: limit))
    case .merges(let account, let before, let scope):
      .merges(merges(involving: account, before: before, limit: limit, in: scope))
    case .decisions(let before, let scope):
      .decisions(decisions(before: before, limit: limit, in: scope))
    case .oldestDecisions(let scope): .decisions(oldestDecisions(limit: limit, in: scope))
    case .oneTimeRecords(let kind, let after, let scope):
      .oneTimeRecords(
        oneTimeRecords(kind, after: after, limit: limit, in: scope)
          .map { PlacedRecord(scope: scope, record: $0) })
    case .expiredRecords(let moment): .oneTimeRecords(expiredRecords(by: moment, limit: limit))
    case .sessions(let place): .sessions(sessions(after: place, limit: limit))
    case .tenants(let project, let after):
      .tenants(tenants(of: project, after: after, limit: limit))
    case .scopes(let content, let after):
      .scopes(scopes(having: content, after: after, limit: limit))
    }
  }

  func account(_ id: AccountID, in scope: Scope) -> Account? { state[scope].account(id) }

  func survivor(of absorbed: AccountID, in scope: Scope) -> AccountID? {
    state[scope].aliases[ExactText(absorbed.rawValue)]
  }

  func aliases(of survivor: AccountID, in scope: Scope) -> [AccountID] {
    (state[scope].absorbed[ExactText(survivor.rawValue)] ?? []).sorted()
      .map { AccountID($0.text) }
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
    filter.page(of: state[scope].accounts.values, after: after, limit: limit)
  }

  func accountCount(matching filter: AccountFilter, in scope: Scope) -> Int {
    state[scope].accounts.values.count(where: filter.matches)
  }

  func duplicates(
    by key: DuplicateKey, after: String?, limit: Int, in scope: Scope
  ) -> [DuplicateGroup] {
    let rows = state[scope]
    let after = after.map(ExactText.init)
    let shared =
      switch key {
      case .phone: rows.phones
      case .email, .verifiedEmail: rows.emails
      case .similarEmail:
        rows.accounts.reduce(into: [ExactText: Set<ExactText>]()) { groups, entry in
          guard let similar = entry.value.email?.similar else { return }
          groups[ExactText(similar), default: []].insert(entry.key)
        }
      }
    let groups = shared.filter { value, ids in
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
    matching filter: EventFilter, before: Int64?, limit: Int, in scope: Scope
  ) -> [AuditEvent] {
    let key = MemoryState.ScopeKey(scope)
    let found = state.log.prefix(state.eventCount).reversed().lazy.filter { [state] event in
      MemoryState.ScopeKey(event.scope) == key && !state.removed.contains(event.sequence)
        && before.map { event.sequence < $0 } ?? true && filter.matches(event)
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

  func settings(of scope: Scope) -> ProjectSettings { state[scope].settings }

  func checkpoint(_ name: String, in scope: Scope) -> String? {
    state[scope].checkpoints[ExactText(name)]
  }
}

extension MemoryTransaction: AccountWriter {
  func apply(_ writes: [StoreWrite], in scope: Scope) throws {
    do {
      for write in writes { try apply(write, in: scope) }
    } catch let met as UniqueKeyConflict {
      conflict = met
      throw met
    }
  }

  private func apply(_ write: StoreWrite, in scope: Scope) throws {
    switch write {
    case .insert(let accounts): try accounts.forEach(insert)
    case .update(let account, let old): try update(account, replacing: old)
    case .delete(let account): delete(account)
    case .requireUnknown(let keys): try requireUnknown(keys, in: scope)
    case .requireUnmerged(let ids):
      for id in ids where isMerged(id, in: scope) { throw UniqueKeyConflict(key: "\(id)") }
    case .setAlias(let absorbed, let survivor): state[scope].setAlias(absorbed, for: survivor)
    case .saveMerge(let merge): state[scope].save(merge)
    case .endMerges(let account, let end): endMerges(of: account, at: end, in: scope)
    case .removeMerges(let moment): removeMerges(endedBefore: moment, in: scope)
    case .saveDecision(let decision):
      state[scope].decisions[ExactText(decision.id)] = decision
    case .removeDecision(let id): state[scope].decisions[ExactText(id)] = nil
    case .saveSettings(let settings): try state[scope].change(settings)
    case .saveCheckpoint(let name, let value): state[scope].checkpoints[ExactText(name)] = value
    case .saveRecord(let record): save(record, in: scope)
    case .removeRecord(let id): state[scope].oneTimeRecords[ExactText(id)] = nil
    case .removeRecords(let account): removeOneTimeRecords(of: account, in: scope)
    case .use(let use): save(use.record, in: scope)
    case .beginSession(let session): begin(session, in: scope)
    case .saveSession(let session): save(session, in: scope)
    case .removeSession(let id): state[scope].sessions[ExactText(id)] = nil
    case .removeSessions(let account, let end):
      removeSessions(of: account, rememberedUntil: end, in: scope)
    case .append(let events): try events.forEach(append)
    case .removeEvent(let event): remove(event)
    case .saveDelivery(let delivery): save(delivery)
    case .removeDelivery(let sequence): removeDelivery(sequence)
    case .deleteAccounts: state[scope] = state[scope].withoutAccounts
    case .deleteScope: state[scope] = state[scope].deleted
    }
  }

  private func requireUnknown(_ keys: [AccountKey], in scope: Scope) throws {
    for key in keys {
      let isKnown =
        if case .uid(let id) = key {
          account(id, in: scope) != nil || isMerged(id, in: scope)
        } else {
          try !accountIDs(key, in: scope).isEmpty
        }
      if isKnown { throw UniqueKeyConflict(key: "\(key)") }
    }
  }

  private func isMerged(_ id: AccountID, in scope: Scope) -> Bool {
    survivor(of: id, in: scope) != nil || !aliases(of: id, in: scope).isEmpty
  }

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
}
