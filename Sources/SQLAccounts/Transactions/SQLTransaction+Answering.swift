package import AuthCore

extension SQLTransaction: AccountReader {
  package func snapshot(_ query: SnapshotQuery) throws -> Snapshot {
    try loaded(
      query, isUsed: { try self.isUsed($0, in: query.scope) },
      ask: { keys in try self.ask(for: keys, uses: query.uses, in: query.scope) })
  }

  package func record(_ key: RecordKey, in scope: Scope) throws -> StoredRecord? {
    switch key {
    case .account(let id): try account(id, in: scope).map(StoredRecord.account)
    case .owner(let key): try account(owning: key, in: scope).map(StoredRecord.account)
    case .survivor(let id): try survivor(of: id, in: scope).map(StoredRecord.uid)
    case .event(let id): try event(id, in: scope).map(StoredRecord.event)
    case .merge(let id): try merge(id, in: scope).map(StoredRecord.merge)
    case .decision(let id): try decision(id, in: scope).map(StoredRecord.decision)
    case .settings: try storedSettings(of: scope).map(StoredRecord.settings)
    case .checkpoint(let name): try checkpoint(name, in: scope).map(StoredRecord.checkpoint)
    case .oneTimeRecord(let id): try oneTimeRecord(id, in: scope).map(StoredRecord.oneTimeRecord)
    case .session(let id): try session(id, in: scope).map(StoredRecord.session)
    case .accountCount(let filter): .count(try accountCount(matching: filter, in: scope))
    }
  }

  package func page(_ listing: Listing, limit: Int) throws -> StoredPage {
    switch listing {
    case .accounts(let filter, let after, let scope):
      .accounts(try accounts(matching: filter, after: after, limit: limit, in: scope))
    case .search(let search, let scope):
      .uids(try accountIDs(found: search, limit: limit, in: scope))
    case .providers(let scope): .providers(try providers(in: scope))
    case .uidsByEmail(let canonical, let scope):
      .uids(try accountIDs(withEmail: canonical, in: scope))
    case .uidsByPhone(let number, let scope): .uids(try accountIDs(withPhone: number, in: scope))
    case .aliases(let survivor, let scope): .uids(try aliases(of: survivor, in: scope))
    case .duplicates(let key, let after, let scope):
      .duplicates(try duplicates(by: key, after: after, limit: limit, in: scope))
    case .events(let filter, let before, let scope):
      .events(try events(matching: filter, before: before, limit: limit, in: scope))
    case .oldestEvents(let after, let scope):
      .events(try oldestEvents(after: after, limit: limit, in: scope))
    case .outbox(let after): .events(try outbox(after: after, limit: limit))
    case .deliveriesDue(let now): .deliveries(try deliveries(dueBy: now, limit: limit))
    case .openDeliveries(let after): .deliveries(try openDeliveries(after: after, limit: limit))
    case .deadDeliveries(let after): .deliveries(try deadDeliveries(after: after, limit: limit))
    case .merges(let account, let before, let scope):
      .merges(try merges(involving: account, before: before, limit: limit, in: scope))
    case .decisions(let before, let scope):
      .decisions(try decisions(before: before, limit: limit, in: scope))
    case .oldestDecisions(let scope): .decisions(try oldestDecisions(limit: limit, in: scope))
    case .oneTimeRecords(let kind, let after, let scope):
      .oneTimeRecords(
        try oneTimeRecords(kind, after: after, limit: limit, in: scope)
          .map { PlacedRecord(scope: scope, record: $0) })
    case .expiredRecords(let moment): .oneTimeRecords(try expiredRecords(by: moment, limit: limit))
    case .sessions(let place): .sessions(try sessions(after: place, limit: limit))
    case .tenants(let project, let after):
      .tenants(try tenants(of: project, after: after, limit: limit))
    case .scopes(let content, let after):
      .scopes(try scopes(having: content, after: after, limit: limit))
    }
  }
}

extension SQLTransaction: AccountWriter {
  package func apply(_ writes: [StoreWrite], in scope: Scope) throws {
    do {
      for write in writes { try apply(write, in: scope) }
    } catch let met as UniqueKeyConflict {
      conflict = met
      throw met
    }
  }

  private func apply(_ write: StoreWrite, in scope: Scope) throws {
    switch write {
    case .insert(let accounts): try insert(accounts)
    case .update(let account, let old): try update(account, replacing: old)
    case .delete(let account): try delete(account)
    case .requireUnknown(let keys): try requireUnknown(keys, in: scope)
    case .requireUnmerged(let ids): try requireUnmerged(ids, in: scope)
    case .setAlias(let absorbed, let survivor?):
      try setAlias(absorbed, for: survivor, in: scope)
    case .setAlias(let absorbed, nil): try removeAlias(absorbed, in: scope)
    case .saveMerge(let merge): try save(merge)
    case .endMerges(let account, let end): try endMerges(of: account, at: end, in: scope)
    case .removeMerges(let moment): try removeMerges(endedBefore: moment, in: scope)
    case .saveDecision(let decision): try save(decision)
    case .removeDecision(let id): try removeDecision(id, in: scope)
    case .saveSettings(let settings): try save(settings, for: scope)
    case .saveCheckpoint(let name, let value): try saveCheckpoint(name, value, in: scope)
    case .saveRecord(let record): try save(record, in: scope)
    case .removeRecord(let id): try removeOneTimeRecord(id, in: scope)
    case .removeRecords(let account): try removeOneTimeRecords(of: account, in: scope)
    case .use(let use): try record(use, in: scope)
    case .beginSession(let session): try begin(session, in: scope)
    case .saveSession(let session): try save(session, in: scope)
    case .removeSession(let id): try removeSession(id, in: scope)
    case .removeSessions(let account, let end?):
      try removeSessions(of: account, rememberedUntil: end, in: scope)
    case .removeSessions(let account, nil): try removeSessions(of: account, in: scope)
    case .append(let events): try append(events)
    case .removeEvent(let event): try remove(event)
    case .saveDelivery(let delivery): try save(delivery)
    case .removeDelivery(let sequence): try removeDelivery(sequence)
    case .deleteAccounts: try deleteAccounts(in: scope)
    case .deleteScope: try deleteScope(scope)
    }
  }
}
