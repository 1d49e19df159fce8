import AuthCore

/// Reads and writes the rows of one scope; used by one task.
///
/// Lists are short, so they are searched linearly.
class WorldTables: AccountWriter {
  var rows = WorldRows()

  /// Begins a transaction that writes.
  func begin() {}

  func record(_ key: RecordKey, in scope: Scope) throws -> StoredRecord? {
    switch key {
    case .account(let id): account(id).map(StoredRecord.account)
    case .owner(let key): account(owning: key).map(StoredRecord.account)
    case .survivor(let id): rows.aliases[id].map(StoredRecord.uid)
    case .merge(let id): rows.merges.first { $0.id == id }.map(StoredRecord.merge)
    case .settings: .settings(rows.settings)
    case .checkpoint(let name): rows.checkpoints[name].map(StoredRecord.checkpoint)
    case .oneTimeRecord(let id): rows.oneTimeRecords[id].map(StoredRecord.oneTimeRecord)
    case .accountCount(let filter): .count(rows.accounts.count(where: filter.matches))
    // A small world stores no sessions, and its audit is not read.
    case .session, .event, .decision: nil
    }
  }

  func page(_ listing: Listing, limit: Int) throws -> StoredPage {
    switch listing {
    case .accounts(let filter, let after, _):
      return .accounts(filter.page(of: rows.accounts, after: after, limit: limit))
    case .uidsByEmail(let canonical, _):
      return .uids(rows.accounts.filter { $0.email?.canonical == canonical }.map(\.id))
    case .uidsByPhone(let number, _):
      return .uids(rows.accounts.filter { $0.phoneNumber?.text == number }.map(\.id))
    case .aliases(let survivor, _):
      let found = rows.aliases.isEmpty ? [] : rows.aliases.filter { $1 == survivor }.keys.sorted()
      return .uids(found)
    case .merges(let account, let before, _):
      return .merges(Array(merges(of: account, before: before).prefix(max(0, limit))))
    case .oneTimeRecords(let kind, let after, let scope):
      let found = rows.oneTimeRecords.values.filter { record in
        record.kind == kind && after.map { $0 < record.id } ?? true
      }
      return .oneTimeRecords(
        found.sorted { $0.id < $1.id }.prefix(max(0, limit))
          .map { PlacedRecord(scope: scope, record: $0) })
    default:
      throw AuthError(.operationNotAllowed, "A small world has no such list.")
    }
  }

  private func merges(of account: AccountID?, before: String?) -> [MergeRecord] {
    let end = before.flatMap { id in rows.merges.firstIndex { $0.id == id } } ?? rows.merges.count
    return rows.merges[..<end].reversed().filter { merge in
      account.map { merge.survivor == $0 || merge.absorbed == $0 } ?? true
    }
  }

  func apply(_ writes: [StoreWrite], in scope: Scope) throws {
    for write in writes { try apply(write, in: scope) }
  }

  private func isKnown(_ key: AccountKey, in scope: Scope) throws -> Bool {
    guard case .uid(let id) = key else { return try !accountIDs(key, in: scope).isEmpty }
    return account(id) != nil || isMerged(id)
  }

  private func isMerged(_ id: AccountID) -> Bool {
    rows.aliases[id] != nil || rows.aliases.values.contains(id)
  }

  private func apply(_ write: StoreWrite, in scope: Scope) throws {
    switch write {
    case .insert(let accounts): try accounts.forEach(insert)
    case .update(let account, let old): try update(account, replacing: old)
    case .delete(let account): rows.accounts.removeAll { $0.id == account.id }
    case .requireUnknown(let keys):
      for key in keys where try isKnown(key, in: scope) { throw UniqueKeyConflict(key: "\(key)") }
    case .requireUnmerged(let ids):
      for id in ids where isMerged(id) { throw UniqueKeyConflict(key: "\(id)") }
    case .setAlias(let absorbed, let survivor): setAlias(absorbed, for: survivor)
    case .saveMerge(let merge): try save(merge)
    case .endMerges(let account, let end): endMerges(of: account, at: end)
    case .removeMerges(let moment):
      guard !rows.merges.isEmpty else { return }
      rows.merges.removeAll { $0.endedAt.map { $0 <= moment } ?? false }
    case .saveSettings(let settings): try save(settings)
    case .saveCheckpoint(let name, let value): rows.checkpoints[name] = value
    case .saveRecord(let record): rows.oneTimeRecords[record.id] = record
    case .removeRecord(let id): rows.oneTimeRecords[id] = nil
    case .removeRecords(let account):
      rows.oneTimeRecords = rows.oneTimeRecords.filter { $1.account != account }
    case .use(let use): rows.oneTimeRecords[use.recordID] = use.record
    case .append(let events): rows.eventCount += Int64(events.count)
    // A small world stores no sessions.
    case .beginSession, .saveSession, .removeSession, .removeSessions: break
    // Nor does it read the log of decisions.
    case .saveDecision, .removeDecision: break
    default: throw AuthError(.operationNotAllowed, "A small world has no such change.")
    }
  }

  func insert(_ account: Account) throws {
    var account = account
    account.revision = 1
    try rows.add(account)
  }

  func update(_ account: Account, replacing old: Account) throws {
    guard rows.account(old.id)?.revision == old.revision else {
      throw UniqueKeyConflict(key: "revision \(old.revision) of uid \(old.id)")
    }
    var account = account
    account.revision = old.revision + 1
    rows.accounts.removeAll { $0.id == old.id }
    try rows.add(account)
  }

  func setAlias(_ absorbed: AccountID, for survivor: AccountID?) {
    rows.aliases[absorbed] = survivor
  }

  func account(_ id: AccountID) -> Account? { rows.account(id) }

  func account(owning key: IdentityKey) -> Account? { rows.account(owning: key) }

  func save(_ merge: MergeRecord) throws {
    if let place = rows.merges.firstIndex(where: { $0.id == merge.id }) {
      rows.merges[place] = merge
    } else {
      rows.merges.append(merge)
    }
  }

  private func endMerges(of account: AccountID, at end: Timestamp?) {
    rows.merges = rows.merges.compactMap { merge in
      guard merge.survivor == account || merge.absorbed == account else { return merge }
      guard let end else { return nil }
      var merge = merge
      merge.endedAt = merge.endedAt ?? end
      return merge
    }
  }

  private func save(_ settings: ProjectSettings) throws {
    var changed = rows
    changed.settings = settings
    changed.accounts = []
    for account in rows.accounts { try changed.add(account) }
    rows = changed
  }
}
