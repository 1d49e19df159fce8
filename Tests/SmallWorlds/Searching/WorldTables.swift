import AuthCore

/// Reads and writes the rows of one scope; used by one task.
///
/// Lists are short, so they are searched from the front.
class WorldTables: AccountWriter {
  var rows = WorldRows()

  /// Begins a transaction that writes.
  func begin() {}

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

  func delete(_ account: Account) { rows.accounts.removeAll { $0.id == account.id } }

  func setAlias(_ absorbed: AccountID, for survivor: AccountID, in scope: Scope) {
    rows.aliases[absorbed] = survivor
  }

  func removeAlias(_ absorbed: AccountID, in scope: Scope) { rows.aliases[absorbed] = nil }

  func account(_ id: AccountID, in scope: Scope) -> Account? { rows.account(id) }

  func owner(of key: IdentityKey, in scope: Scope) -> AccountID? { rows.account(owning: key)?.id }

  func account(owning key: IdentityKey, in scope: Scope) -> Account? { rows.account(owning: key) }

  func save(_ merge: MergeRecord) throws {
    if let place = rows.merges.firstIndex(where: { $0.id == merge.id }) {
      rows.merges[place] = merge
    } else {
      rows.merges.append(merge)
    }
  }

  func endMerges(of account: AccountID, at end: Timestamp?, in scope: Scope) {
    rows.merges = rows.merges.compactMap { merge in
      guard merge.survivor == account || merge.absorbed == account else { return merge }
      guard let end else { return nil }
      var merge = merge
      merge.endedAt = merge.endedAt ?? end
      return merge
    }
  }

  func removeOneTimeRecords(of account: AccountID, in scope: Scope) {
    rows.oneTimeRecords = rows.oneTimeRecords.filter { $1.account != account }
  }
}

/// Looking up.
extension WorldTables {
  func survivor(of absorbed: AccountID, in scope: Scope) -> AccountID? { rows.aliases[absorbed] }

  func aliases(of survivor: AccountID, in scope: Scope) -> [AccountID] {
    rows.aliases.isEmpty ? [] : rows.aliases.filter { $1 == survivor }.keys.sorted()
  }

  func accountIDs(withEmail canonical: String, in scope: Scope) -> [AccountID] {
    rows.accounts.lazy.filter { $0.email?.canonical == canonical }.map(\.id)
  }

  func accountIDs(withPhone number: String, in scope: Scope) -> [AccountID] {
    rows.accounts.lazy.filter { $0.phoneNumber?.text == number }.map(\.id)
  }

  func accounts(
    matching filter: AccountFilter, after: AccountID?, limit: Int, in scope: Scope
  ) -> [Account] {
    let found = rows.accounts.filter { account in
      after.map { $0 < account.id } ?? true && filter.matches(account)
    }
    return Array(found.prefix(max(0, limit)))
  }

  func accountCount(in scope: Scope) -> Int { rows.accounts.count }

  func merge(_ id: String, in scope: Scope) -> MergeRecord? { rows.merges.first { $0.id == id } }

  func merges(
    involving account: AccountID?, before: String?, limit: Int, in scope: Scope
  ) -> [MergeRecord] {
    let end = before.flatMap { id in rows.merges.firstIndex { $0.id == id } } ?? rows.merges.count
    let found = rows.merges[..<end].reversed().filter { merge in
      account.map { merge.survivor == $0 || merge.absorbed == $0 } ?? true
    }
    return Array(found.prefix(max(0, limit)))
  }

  func settings(of scope: Scope) -> ProjectSettings { rows.settings }

  func checkpoint(_ name: String, in scope: Scope) -> String? { rows.checkpoints[name] }

  func oneTimeRecord(_ id: String, in scope: Scope) -> OneTimeRecord? { rows.oneTimeRecords[id] }

  func oneTimeRecords(
    _ kind: OneTimeRecord.Kind, after: String?, limit: Int, in scope: Scope
  ) -> [OneTimeRecord] {
    let found = rows.oneTimeRecords.values.filter { record in
      record.kind == kind && after.map { $0 < record.id } ?? true
    }
    return Array(found.sorted { $0.id < $1.id }.prefix(max(0, limit)))
  }

  func exists(_ scope: Scope) -> Bool { true }
}

/// Writing what is no account's.
extension WorldTables {
  func append(_ event: AuditEvent) { rows.eventCount += 1 }

  func removeMerges(endedBefore moment: Timestamp, in scope: Scope) {
    guard !rows.merges.isEmpty else { return }
    rows.merges.removeAll { $0.endedAt.map { $0 <= moment } ?? false }
  }

  func save(_ settings: ProjectSettings, for scope: Scope) throws {
    var changed = rows
    changed.settings = settings
    changed.accounts = []
    for account in rows.accounts { try changed.add(account) }
    rows = changed
  }

  func saveCheckpoint(_ name: String, _ value: String?, in scope: Scope) {
    rows.checkpoints[name] = value
  }

  func save(_ record: OneTimeRecord, in scope: Scope) { rows.oneTimeRecords[record.id] = record }

  func removeOneTimeRecord(_ id: String, in scope: Scope) { rows.oneTimeRecords[id] = nil }
}

/// Parts that a small world lacks: sessions that are kept, other scopes, an audit that is read, an outbox.
extension WorldTables {
  func duplicates(
    by key: DuplicateKey, after: String?, limit: Int, in scope: Scope
  ) -> [DuplicateGroup] { [] }

  func event(_ id: String, in scope: Scope) -> AuditEvent? { nil }
  func events(
    about accounts: [AccountID]?, before: Int64?, limit: Int, in scope: Scope
  ) -> [AuditEvent] { [] }
  func outbox(after sequence: Int64, limit: Int) -> [AuditEvent] { [] }
  func deliveries(dueBy now: Timestamp, limit: Int) -> [OutboxDelivery] { [] }
  func openDeliveries(after sequence: Int64, limit: Int) -> [OutboxDelivery] { [] }
  func deadDeliveries(after sequence: Int64, limit: Int) -> [OutboxDelivery] { [] }
  func scopesOfEndedMerges() -> [Scope] { [] }
  func session(_ id: String, in scope: Scope) -> SessionRecord? { nil }
  func tenants(of project: String, after: String?, limit: Int) -> [String] { [] }
  func save(_ delivery: OutboxDelivery) {}
  func removeDelivery(_ sequence: Int64) {}
  func begin(_ session: SessionRecord, in scope: Scope) {}
  func save(_ session: SessionRecord, in scope: Scope) {}
  func removeSession(_ id: String, in scope: Scope) {}
  func removeSessions(of account: AccountID, in scope: Scope) {}
  func removeSessions(of account: AccountID, rememberedUntil end: Timestamp, in scope: Scope) {}
  func deleteScope(_ scope: Scope) { rows = WorldRows() }
  func deleteAccounts(in scope: Scope) { rows.accounts = [] }
}
