import AuthCore
import Synchronization

/// A store that counts what is asked of it, and whose writes fail at a chosen point: at the first, second, … row that a
/// transaction writes, or at its commit.
final class FaultyStore: AccountStore {
  struct InjectedFault: Error {}

  /// What was asked of a store.
  struct Work: Hashable, Sendable {
    var reads = 0
    var writes = 0
    /// The rows that were written, and the commits.
    var rows = 0
  }

  private let store: any AccountStore
  private let countdown = Mutex<Int?>(nil)
  private let counted = Mutex(Work())

  init(_ store: any AccountStore) {
    self.store = store
  }

  /// Gives what was asked since it was asked for last.
  func takeWork() -> Work {
    counted.withLock { work in
      defer { work = Work() }
      return work
    }
  }

  /// Lets so many rows be written, and fails at the next one; nil fails nothing.
  func failAfter(_ writes: Int?) {
    countdown.withLock { $0 = writes }
  }

  /// Whether the chosen point was never reached.
  var isArmed: Bool { countdown.withLock { $0 != nil } }

  /// Counts one row, and throws where it is the chosen one; afterwards the store works again.
  func count() throws {
    counted.withLock { $0.rows += 1 }
    let fails = countdown.withLock { left -> Bool in
      guard let now = left else { return false }
      left = now == 0 ? nil : now - 1
      return now == 0
    }
    if fails { throw InjectedFault() }
  }

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    counted.withLock { $0.reads += 1 }
    return try await store.read(body)
  }

  func write<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountWriter) throws -> Result
  ) async throws -> Result {
    counted.withLock { $0.writes += 1 }
    return try await store.write { [self] writer in
      let result = try body(FaultyWriter(writer, self))
      // The commit is a point of its own.
      try count()
      return result
    }
  }

  func sweep<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreSweeper) throws -> Result
  ) async throws -> Result {
    try await store.sweep(body)
  }
}

/// Forwards everything, and counts what writes.
private struct FaultyWriter: AccountWriter {
  private let writer: any AccountWriter
  private let store: FaultyStore

  init(_ writer: any AccountWriter, _ store: FaultyStore) {
    self.writer = writer
    self.store = store
  }

  private func counted<Result>(_ body: (any AccountWriter) throws -> Result) throws -> Result {
    try store.count()
    return try body(writer)
  }

  func expectNoConflict() { writer.expectNoConflict() }

  func insert(_ account: Account) throws { try counted { try $0.insert(account) } }
  func update(_ account: Account, replacing old: Account) throws {
    try counted { try $0.update(account, replacing: old) }
  }
  func delete(_ account: Account) throws { try counted { try $0.delete(account) } }
  func setAlias(_ absorbed: AccountID, for survivor: AccountID, in scope: Scope) throws {
    try counted { try $0.setAlias(absorbed, for: survivor, in: scope) }
  }
  func removeAlias(_ absorbed: AccountID, in scope: Scope) throws {
    try counted { try $0.removeAlias(absorbed, in: scope) }
  }
  func append(_ event: AuditEvent) throws { try counted { try $0.append(event) } }
  func save(_ delivery: OutboxDelivery) throws { try counted { try $0.save(delivery) } }
  func removeDelivery(_ sequence: Int64) throws { try counted { try $0.removeDelivery(sequence) } }
  func save(_ merge: MergeRecord) throws { try counted { try $0.save(merge) } }
  func save(_ settings: ProjectSettings, for scope: Scope) throws {
    try counted { try $0.save(settings, for: scope) }
  }
  func saveCheckpoint(_ name: String, _ value: String?, in scope: Scope) throws {
    try counted { try $0.saveCheckpoint(name, value, in: scope) }
  }
  func save(_ record: OneTimeRecord, in scope: Scope) throws {
    try counted { try $0.save(record, in: scope) }
  }
  func removeOneTimeRecord(_ id: String, in scope: Scope) throws {
    try counted { try $0.removeOneTimeRecord(id, in: scope) }
  }
  func removeOneTimeRecords(of account: AccountID, in scope: Scope) throws {
    try counted { try $0.removeOneTimeRecords(of: account, in: scope) }
  }
  func begin(_ session: SessionRecord, in scope: Scope) throws {
    try counted { try $0.begin(session, in: scope) }
  }
  func save(_ session: SessionRecord, in scope: Scope) throws {
    try counted { try $0.save(session, in: scope) }
  }
  func removeSession(_ id: String, in scope: Scope) throws {
    try counted { try $0.removeSession(id, in: scope) }
  }
  func removeSessions(of account: AccountID, in scope: Scope) throws {
    try counted { try $0.removeSessions(of: account, in: scope) }
  }
  func removeSessions(
    of account: AccountID, rememberedUntil end: Timestamp, in scope: Scope
  ) throws {
    try counted { try $0.removeSessions(of: account, rememberedUntil: end, in: scope) }
  }
  func endMerges(of account: AccountID, at end: Timestamp?, in scope: Scope) throws {
    try counted { try $0.endMerges(of: account, at: end, in: scope) }
  }
  func removeMerges(endedBefore moment: Timestamp, in scope: Scope) throws {
    try counted { try $0.removeMerges(endedBefore: moment, in: scope) }
  }
  func scopesOfEndedMerges() throws -> [Scope] { try writer.scopesOfEndedMerges() }
  func deleteScope(_ scope: Scope) throws { try counted { try $0.deleteScope(scope) } }
  func deleteAccounts(in scope: Scope) throws { try counted { try $0.deleteAccounts(in: scope) } }

  func account(_ id: AccountID, in scope: Scope) throws -> Account? {
    try writer.account(id, in: scope)
  }
  func survivor(of absorbed: AccountID, in scope: Scope) throws -> AccountID? {
    try writer.survivor(of: absorbed, in: scope)
  }
  func aliases(of survivor: AccountID, in scope: Scope) throws -> [AccountID] {
    try writer.aliases(of: survivor, in: scope)
  }
  func owner(of key: IdentityKey, in scope: Scope) throws -> AccountID? {
    try writer.owner(of: key, in: scope)
  }
  func accountIDs(withEmail canonical: String, in scope: Scope) throws -> [AccountID] {
    try writer.accountIDs(withEmail: canonical, in: scope)
  }
  func accountIDs(withPhone number: String, in scope: Scope) throws -> [AccountID] {
    try writer.accountIDs(withPhone: number, in: scope)
  }
  func accounts(
    matching filter: AccountFilter, after: AccountID?, limit: Int, in scope: Scope
  ) throws -> [Account] {
    try writer.accounts(matching: filter, after: after, limit: limit, in: scope)
  }
  func accountCount(in scope: Scope) throws -> Int { try writer.accountCount(in: scope) }
  func duplicates(
    by key: DuplicateKey, after: String?, limit: Int, in scope: Scope
  ) throws -> [DuplicateGroup] {
    try writer.duplicates(by: key, after: after, limit: limit, in: scope)
  }
  func event(_ id: String, in scope: Scope) throws -> AuditEvent? {
    try writer.event(id, in: scope)
  }
  func events(
    about accounts: [AccountID]?, before: Int64?, limit: Int, in scope: Scope
  ) throws -> [AuditEvent] {
    try writer.events(about: accounts, before: before, limit: limit, in: scope)
  }
  func outbox(after sequence: Int64, limit: Int) throws -> [AuditEvent] {
    try writer.outbox(after: sequence, limit: limit)
  }
  func deliveries(dueBy now: Timestamp, limit: Int) throws -> [OutboxDelivery] {
    try writer.deliveries(dueBy: now, limit: limit)
  }
  func openDeliveries(after sequence: Int64, limit: Int) throws -> [OutboxDelivery] {
    try writer.openDeliveries(after: sequence, limit: limit)
  }
  func deadDeliveries(after sequence: Int64, limit: Int) throws -> [OutboxDelivery] {
    try writer.deadDeliveries(after: sequence, limit: limit)
  }
  func merge(_ id: String, in scope: Scope) throws -> MergeRecord? {
    try writer.merge(id, in: scope)
  }
  func merges(
    involving account: AccountID?, before: String?, limit: Int, in scope: Scope
  ) throws -> [MergeRecord] {
    try writer.merges(involving: account, before: before, limit: limit, in: scope)
  }
  func settings(of scope: Scope) throws -> ProjectSettings { try writer.settings(of: scope) }
  func checkpoint(_ name: String, in scope: Scope) throws -> String? {
    try writer.checkpoint(name, in: scope)
  }
  func oneTimeRecord(_ id: String, in scope: Scope) throws -> OneTimeRecord? {
    try writer.oneTimeRecord(id, in: scope)
  }
  func oneTimeRecords(
    _ kind: OneTimeRecord.Kind, after: String?, limit: Int, in scope: Scope
  ) throws -> [OneTimeRecord] {
    try writer.oneTimeRecords(kind, after: after, limit: limit, in: scope)
  }
  func session(_ id: String, in scope: Scope) throws -> SessionRecord? {
    try writer.session(id, in: scope)
  }
  func tenants(of project: String, after: String?, limit: Int) throws -> [String] {
    try writer.tenants(of: project, after: after, limit: limit)
  }
  func exists(_ scope: Scope) throws -> Bool { try writer.exists(scope) }
}
