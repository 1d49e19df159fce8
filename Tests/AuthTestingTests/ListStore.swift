import AuthCore
import Synchronization

/// The smallest complete store: it keeps all rows in memory, and each transaction works on a copy of them.
final class ListStore: AccountStore {
  private let rows = Mutex(ListRows())

  func read<Result: Sendable>(
    from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    return try body(ListTransaction(rows.withLock(\.self)))
  }

  func transact<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>
  ) async throws -> Result {
    try Task.checkCancellation()
    return try rows.withLock { rows in
      let transaction = ListTransaction(rows)
      let ending = try body(transaction)
      if let conflict = transaction.conflict { throw conflict }
      try Task.checkCancellation()
      if case .commit = ending { rows = transaction.rows }
      return ending.result
    }
  }
}

/// The key of a row: project, tenant and name, compared byte by byte as in a database.
///
/// `String` treats composed and decomposed letters as equal, but subjects that differ in them are two people.
struct Place: Hashable, Comparable, Sendable {
  let parts: [[UInt8]]

  init(_ scope: Scope, _ names: String...) {
    parts = ([scope.project, scope.tenant ?? ""] + names).map { Array($0.utf8) }
  }

  static func < (a: Place, b: Place) -> Bool {
    a.parts.lexicographicallyPrecedes(b.parts) { $0.lexicographicallyPrecedes($1) }
  }

  var scope: Scope {
    let names = parts.map { String(decoding: $0, as: UTF8.self) }
    return Scope(project: names[0], tenant: names[1].isEmpty ? nil : names[1])
  }

  func isIn(_ scope: Scope) -> Bool { parts.starts(with: Place(scope).parts) }
}

/// The rows of the store.
struct ListRows: Sendable {
  var accounts: [Place: Account] = [:]
  /// The accounts that own an identity, by its current and its former keys.
  var owners: [Place: AccountID] = [:]
  var aliases: [Place: AccountID] = [:]
  var settings: [Place: ProjectSettings] = [:]
  var checkpoints: [Place: String] = [:]
  var records: [Place: OneTimeRecord] = [:]
  var sessions: [Place: SessionRecord] = [:]
  /// The journal of merges, oldest first.
  var merges: [MergeRecord] = []
  /// The decisions of merge policies.
  var decisions: [Place: PolicyDecision] = [:]
  /// The audit log, oldest first.
  var events: [AuditEvent] = []
  var deliveries: [OutboxDelivery] = []
  var sequence: Int64 = 0
}

/// One transaction, which a closure uses on one thread.
final class ListTransaction {
  var rows: ListRows
  /// The conflict of a write, which fails the transaction even if the closure catches the error.
  private(set) var conflict: UniqueKeyConflict?

  init(_ rows: ListRows) {
    self.rows = rows
  }
}

extension ListTransaction: AccountReader {
  func record(_ key: RecordKey, in scope: Scope) -> StoredRecord? {
    switch key {
    case .account(let id): rows.accounts[Place(scope, id.rawValue)].map(StoredRecord.account)
    case .owner(let key):
      rows.owners[Place(scope, key)]
        .flatMap { rows.accounts[Place(scope, $0.rawValue)] }.map(StoredRecord.account)
    case .survivor(let id): rows.aliases[Place(scope, id.rawValue)].map(StoredRecord.uid)
    case .event(let id):
      rows.events.first { Place($0.scope, $0.id) == Place(scope, id) }.map(StoredRecord.event)
    case .merge(let id):
      rows.merges.first { Place($0.scope, $0.id) == Place(scope, id) }.map(StoredRecord.merge)
    case .decision(let id): rows.decisions[Place(scope, id)].map(StoredRecord.decision)
    case .settings: rows.settings[Place(scope)].map(StoredRecord.settings)
    case .checkpoint(let name): rows.checkpoints[Place(scope, name)].map(StoredRecord.checkpoint)
    case .oneTimeRecord(let id): rows.records[Place(scope, id)].map(StoredRecord.oneTimeRecord)
    case .session(let id): rows.sessions[Place(scope, id)].map(StoredRecord.session)
    case .accountCount(let filter): .count(accounts(in: scope).count(where: filter.matches))
    }
  }

  func page(_ listing: Listing, limit: Int) -> StoredPage {
    switch listing {
    case .accounts(let filter, let after, let scope):
      .accounts(filter.page(of: accounts(in: scope), after: after, limit: limit))
    case .search(let search, let scope):
      .uids(search.found(among: accounts(in: scope)).first(limit))
    case .providers(let scope): .providers(ProviderUse.all(of: accounts(in: scope)))
    case .uidsByEmail(let canonical, let scope):
      .uids(accounts(in: scope).filter { $0.email?.canonical == canonical }.map(\.id))
    case .uidsByPhone(let number, let scope):
      .uids(accounts(in: scope).filter { $0.phoneNumber?.text == number }.map(\.id))
    case .aliases(let survivor, let scope):
      .uids(
        rows.aliases
          .filter { $0.isIn(scope) && Place(scope, $1.rawValue) == Place(scope, survivor.rawValue) }
          .keys.sorted().map { AccountID($0.name) })
    case .duplicates(let key, let after, let scope):
      .duplicates(
        duplicates(by: key, in: scope).behind(after.map { Place(scope, $0) }, limit) {
          Place(scope, $0.key)
        })
    case .events(let filter, let before, let scope):
      .events(
        rows.events.reversed().filter {
          Place($0.scope) == Place(scope) && $0.sequence < before ?? .max && filter.matches($0)
        }.first(limit))
    case .oldestEvents(let after, let scope):
      .events(
        rows.events.filter { Place($0.scope) == Place(scope) && $0.sequence > after }
          .first(limit))
    case .outbox(let after):
      .events(rows.deliveries.map(\.event).filter { $0.sequence > after }.first(limit))
    case .deliveriesDue(let now):
      .deliveries(
        rows.deliveries.filter { !$0.isDead && $0.nextAttemptAt <= now }
          .sorted { ($0.nextAttemptAt, $0.event.sequence) < ($1.nextAttemptAt, $1.event.sequence) }
          .first(limit))
    case .openDeliveries(let after):
      .deliveries(rows.deliveries.filter { !$0.isDead && $0.event.sequence > after }.first(limit))
    case .deadDeliveries(let after):
      .deliveries(rows.deliveries.filter { $0.isDead && $0.event.sequence > after }.first(limit))
    case .merges(let account, let before, let scope):
      .merges(merges(of: account, before: before, in: scope).first(limit))
    case .decisions(let before, let scope):
      .decisions(
        decisions(in: scope).reversed()
          .filter { decision in
            before.map { Place(scope, decision.id) < Place(scope, $0) } ?? true
          }.first(limit))
    case .oldestDecisions(let scope): .decisions(decisions(in: scope).first(limit))
    case .oneTimeRecords(let kind, let after, let scope):
      .oneTimeRecords(
        rows.records.filter { $0.isIn(scope) && $1.kind == kind }.inOrder
          .behind(after.map { Place(scope, $0) }, limit) { $0.key }
          .map { PlacedRecord(scope: scope, record: $0.value) })
    case .expiredRecords(let moment):
      .oneTimeRecords(
        rows.records.filter { $1.expiresAt.adding(seconds: $1.grace) <= moment }
          .sorted { $0.value.expiresAt < $1.value.expiresAt }.first(limit)
          .map { PlacedRecord(scope: $0.key.scope, record: $0.value) })
    case .sessions(let after):
      .sessions(
        rows.sessions.inOrder
          .behind(after.map { Place($0.scope, $0.id) }, limit) { $0.key }
          .map { place, session in
            PlacedSession(
              scope: place.scope, session: session,
              hasAccount: rows.accounts[Place(place.scope, session.account.rawValue)] != nil)
          })
    case .tenants(let project, let after):
      .tenants(
        rows.settings.keys.filter { $0.parts[0] == Array(project.utf8) }.sorted()
          .behind(Place(Scope(project: project, tenant: after)), limit) { $0 }
          .compactMap(\.scope.tenant))
    case .scopes(let content, let after):
      .scopes(
        Set(places(having: content).map { Place($0) }).sorted()
          .behind(after.map { Place($0) }, limit) { $0 }.map(\.scope))
    }
  }

  private func decisions(in scope: Scope) -> [PolicyDecision] {
    rows.decisions.filter { $0.key.isIn(scope) }.inOrder.map(\.value)
  }

  private func accounts(in scope: Scope) -> [Account] {
    rows.accounts.filter { $0.key.isIn(scope) }.inOrder.map(\.value)
  }

  private func duplicates(by key: DuplicateKey, in scope: Scope) -> [DuplicateGroup] {
    let groups = Dictionary(grouping: accounts(in: scope)) { key.value(of: $0) }
    let shared = groups.filter { _, accounts in
      accounts.count > 1 && (key != .verifiedEmail || accounts.contains(where: \.emailVerified))
    }
    return shared.compactMap { key, accounts in
      key.map { DuplicateGroup(key: $0, accounts: accounts.map(\.id)) }
    }.sorted { Place(scope, $0.key) < Place(scope, $1.key) }
  }

  private func merges(
    of account: AccountID?, before: String?, in scope: Scope
  ) -> [MergeRecord] {
    let all = rows.merges.filter { Place($0.scope) == Place(scope) }
    let end = all.firstIndex { $0.id == before } ?? all.count
    return all[..<end].reversed().filter { merge in
      account.map { [merge.survivor, merge.absorbed].contains($0) } ?? true
    }
  }

  private func places(having content: ScopeContent) -> [Scope] {
    switch content {
    case .events: rows.events.map(\.scope)
    case .decisions: rows.decisions.keys.map(\.scope)
    case .endedMerges: rows.merges.filter { $0.endedAt != nil }.map(\.scope)
    case .secrets:
      (Array(rows.settings.keys) + rows.checkpoints.keys + rows.records.keys).map(\.scope)
        + rows.merges.map(\.scope)
        + rows.accounts.values.filter { !$0.secondFactors.isEmpty }.map(\.scope)
    }
  }
}

extension ListTransaction: AccountWriter {
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
    case .insert(let accounts): for account in accounts { try insert(account, revision: 1) }
    case .update(let account, let old):
      let stored = rows.accounts[Place(scope, old.id.rawValue)]
      guard stored?.revision == old.revision else {
        throw UniqueKeyConflict(key: "revision \(old.revision) of uid \(old.id)")
      }
      remove(old)
      try insert(account, revision: old.revision + 1)
    case .delete(let account): remove(account)
    case .requireUnknown(let keys):
      for key in keys where try isKnown(key, in: scope) { throw UniqueKeyConflict(key: "\(key)") }
    case .requireUnmerged(let ids):
      for id in ids where try isMerged(id, in: scope) { throw UniqueKeyConflict(key: "\(id)") }
    case .setAlias(let absorbed, let survivor):
      rows.aliases[Place(scope, absorbed.rawValue)] = survivor
    case .saveMerge(let merge):
      let place = rows.merges.firstIndex { Place($0.scope, $0.id) == Place(scope, merge.id) }
      if let place { rows.merges[place] = merge } else { rows.merges.append(merge) }
    case .endMerges(let account, let end):
      rows.merges = rows.merges.compactMap { merge in
        guard Place(merge.scope) == Place(scope),
          [merge.survivor, merge.absorbed].contains(account)
        else { return merge }
        var merge = merge
        merge.endedAt = merge.endedAt ?? end
        return end == nil ? nil : merge
      }
    case .removeMerges(let moment):
      rows.merges.removeAll {
        Place($0.scope) == Place(scope) && $0.endedAt ?? Timestamp(milliseconds: .max) <= moment
      }
    case .saveDecision(let decision): rows.decisions[Place(scope, decision.id)] = decision
    case .removeDecision(let id): rows.decisions[Place(scope, id)] = nil
    case .saveSettings(let settings):
      rows.settings[Place(scope)] = settings
      for account in accounts(in: scope) { try refuseSecondOwner(of: account) }
    case .saveCheckpoint(let name, let value): rows.checkpoints[Place(scope, name)] = value
    case .saveRecord(let record): rows.records[Place(scope, record.id)] = record
    case .removeRecord(let id): rows.records[Place(scope, id)] = nil
    case .removeRecords(let account):
      rows.records = rows.records.filter { !$0.isIn(scope) || $1.account != account }
    case .use(let use): rows.records[Place(scope, use.record.id)] = use.record
    case .beginSession(let session):
      guard rows.accounts[Place(scope, session.account.rawValue)] != nil else { return }
      rows.sessions[Place(scope, session.id)] = session
    case .saveSession(let session): rows.sessions[Place(scope, session.id)] = session
    case .removeSession(let id): rows.sessions[Place(scope, id)] = nil
    case .removeSessions(let account, let end):
      for (place, session) in rows.sessions
      where place.isIn(scope)
        && Place(scope, session.account.rawValue) == Place(scope, account.rawValue)
      {
        rows.sessions[place] = nil
        let memory = end.map { SessionRecord.memory(of: session.id, until: $0) }
        if let memory { rows.records[Place(scope, memory.id)] = memory }
      }
    case .append(let events): for event in events { try append(event) }
    case .removeEvent(let event):
      rows.events.removeAll { $0.sequence == event.sequence }
      rows.deliveries.removeAll { $0.event.sequence == event.sequence }
    case .saveDelivery(let delivery):
      let sequence = delivery.event.sequence
      if let place = rows.deliveries.firstIndex(where: { $0.event.sequence == sequence }) {
        rows.deliveries[place] = delivery
      }
    case .removeDelivery(let sequence):
      rows.deliveries.removeAll { $0.event.sequence == sequence }
    case .deleteAccounts: deleteAccounts(in: scope)
    case .deleteScope:
      deleteAccounts(in: scope)
      rows.settings[Place(scope)] = nil
      rows.checkpoints = rows.checkpoints.filter { !$0.key.isIn(scope) }
      rows.records = rows.records.filter { !$0.key.isIn(scope) }
    }
  }

  private func insert(_ account: Account, revision: Int64) throws {
    var account = account
    account.revision = revision
    let place = Place(account.scope, account.id.rawValue)
    guard rows.accounts[place] == nil else { throw UniqueKeyConflict(key: "uid \(account.id)") }
    for key in account.identities.flatMap(\.keys) {
      let old = rows.owners.updateValue(account.id, forKey: Place(account.scope, key))
      guard old == nil else { throw UniqueKeyConflict(key: "identity \(key)") }
    }
    try refuseSecondOwner(of: account)
    rows.accounts[place] = account
  }

  private func remove(_ account: Account) {
    guard
      let stored = rows.accounts.removeValue(
        forKey: Place(account.scope, account.id.rawValue))
    else { return }
    for key in stored.identities.flatMap(\.keys) { rows.owners[Place(stored.scope, key)] = nil }
  }

  private func refuseSecondOwner(of account: Account) throws {
    let scope = account.scope
    let settings = rows.settings[Place(scope)] ?? ProjectSettings()
    guard settings.oneAccountPerEmail, account.emailVerified, let email = account.email else {
      return
    }
    let others = rows.accounts.filter { place, other in
      other.emailVerified && other.email?.canonical == email.canonical && place.isIn(scope)
        && place != Place(scope, account.id.rawValue)
    }
    guard others.isEmpty else {
      throw UniqueKeyConflict(key: "verified e-mail \(email.canonical)")
    }
  }

  private func isKnown(_ key: AccountKey, in scope: Scope) throws -> Bool {
    guard case .uid(let id) = key else { return try !accountIDs(key, in: scope).isEmpty }
    return try account(id, in: scope) != nil || isMerged(id, in: scope)
  }

  private func isMerged(_ id: AccountID, in scope: Scope) throws -> Bool {
    try survivor(of: id, in: scope) != nil || !aliases(of: id, in: scope).isEmpty
  }

  private func append(_ event: AuditEvent) throws {
    let place = Place(event.scope, event.id)
    guard !rows.events.contains(where: { Place($0.scope, $0.id) == place }) else {
      throw UniqueKeyConflict(key: "event \(event.id)")
    }
    rows.sequence += 1
    var event = event
    event.sequence = rows.sequence
    rows.events.append(event)
    if rows.checkpoints[Place(.servers, OutboxConsumer.checkpoint)] != nil {
      rows.deliveries.append(OutboxDelivery(event: event))
    }
  }

  private func deleteAccounts(in scope: Scope) {
    for account in accounts(in: scope) { remove(account) }
    rows.aliases = rows.aliases.filter { !$0.key.isIn(scope) }
    rows.sessions = rows.sessions.filter { !$0.key.isIn(scope) }
    rows.merges.removeAll { Place($0.scope) == Place(scope) }
  }
}

extension Place {
  init(_ scope: Scope, _ key: IdentityKey) {
    self.init(scope, key.provider.rawValue, key.issuer, key.subject)
  }

  var name: String { String(decoding: parts[2], as: UTF8.self) }
}

extension Dictionary where Key == Place {
  var inOrder: [(key: Place, value: Value)] { sorted { $0.key < $1.key } }
}

extension Array {
  /// Returns up to `limit` elements after a place, or from the beginning.
  func behind(_ place: Place?, _ limit: Int, by own: (Element) -> Place) -> [Element] {
    filter { element in place.map { $0 < own(element) } ?? true }.first(limit)
  }

  func first(_ limit: Int) -> [Element] { Array(prefix(Swift.max(0, limit))) }
}

extension OneTimeRecord {
  /// The seconds for which a sweep keeps an expired record.
  var grace: Int64 { kind == .message ? 86_400 : 0 }
}
