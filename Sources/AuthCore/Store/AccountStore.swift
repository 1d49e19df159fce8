/// Keeps accounts, identities, the audit and the merge journal.
///
/// What every store promises is data: `StoreCheck.all` of AuthTesting. In short: one closure is one
/// transaction; writers never run at the same time; a closure that throws leaves nothing behind; an
/// identity, or one that was replaced, has one owner in its scope, and so has a verified e-mail where the scope's settings say so.
public protocol AccountStore: Sendable {
  /// Runs a closure on one consistent state, beside writers and other readers.
  ///
  /// The closure may run more than once, each time from the start: only its last run counts.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result

  /// Runs a closure on one consistent state that need not come from where writers write.
  ///
  /// The state is never older than the moment of the call, so whoever wrote before sees it. For lookups and
  /// lists; stores without copies of their own just read. The closure may run more than once here too.
  func lookUp<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result

  /// The settings of a scope as they are now; the defaults where none were stored.
  ///
  /// Every sign-in asks for them before anything else.
  func settings(of scope: Scope) async throws -> ProjectSettings

  /// Runs a closure in a transaction of its own and commits what it wrote, durably, or nothing.
  ///
  /// The closure may run more than once, each time from the start: only its last run counts.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountWriter) throws -> Result
  ) async throws -> Result

  /// Runs a closure that removes what nobody needs any more, in a transaction of its own.
  ///
  /// No other transaction waits for it or has to be run again because of it. Each of its statements sees what was committed
  /// before that statement. The closure may run more than once here too.
  func sweep<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreSweeper) throws -> Result
  ) async throws -> Result
}

extension AccountStore {
  public func lookUp<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    try await read(body)
  }

  public func settings(of scope: Scope) async throws -> ProjectSettings {
    try await read { try $0.settings(of: scope) }
  }
}

/// Thrown by a writer when a row of another account is in the way of a unique key.
///
/// The pipeline takes it for a lost race and loads again.
public struct UniqueKeyConflict: Error, Hashable {
  public let key: String

  public init(key: String) {
    self.key = key
  }
}

/// Looks things up inside one transaction.
///
/// Not to be kept beyond it.
public protocol AccountReader {
  func account(_ id: AccountID, in scope: Scope) throws -> Account?
  /// The account that an absorbed uid stands for; one step, not the whole chain.
  func survivor(of absorbed: AccountID, in scope: Scope) throws -> AccountID?
  /// The uids that stand for an account, in alphabetical order; one step.
  func aliases(of survivor: AccountID, in scope: Scope) throws -> [AccountID]
  /// The account that has an identity with this key, or one that replaced it.
  func owner(of key: IdentityKey, in scope: Scope) throws -> AccountID?
  /// The account of ``owner(of:in:)``.
  func account(owning key: IdentityKey, in scope: Scope) throws -> Account?
  /// Tells which accounts a snapshot asks for next, so that a store that is far away can be asked once.
  func expect(_ keys: [AccountKey], in scope: Scope) throws
  /// Tells which keys snapshots ask for next that most likely find no account.
  func expectNew(_ keys: [AccountKey], in scope: Scope) throws
  /// Accounts whose top-level e-mail has this canonical form, in order of uid.
  func accountIDs(withEmail canonical: String, in scope: Scope) throws -> [AccountID]
  /// Accounts with this top-level phone number, in order of uid.
  func accountIDs(withPhone number: String, in scope: Scope) throws -> [AccountID]
  /// A page of accounts in order of uid, beginning behind `after`.
  func accounts(
    matching filter: AccountFilter, after: AccountID?, limit: Int, in scope: Scope
  ) throws -> [Account]
  func accountCount(in scope: Scope) throws -> Int
  /// A page of keys that more than one account has, in order of key, beginning behind `after`.
  func duplicates(
    by key: DuplicateKey, after: String?, limit: Int, in scope: Scope
  ) throws -> [DuplicateGroup]

  func event(_ id: String, in scope: Scope) throws -> AuditEvent?
  /// Events with a smaller sequence than `before`, newest first; about these accounts, or all of them.
  func events(
    about accounts: [AccountID]?, before: Int64?, limit: Int, in scope: Scope
  ) throws -> [AuditEvent]
  /// Events that nobody has delivered yet, oldest first; also those that were given up.
  func outbox(after sequence: Int64, limit: Int) throws -> [AuditEvent]
  /// Events of all scopes whose delivery is due, the longest due first and then the oldest.
  ///
  /// Those that were given up are left out. A new event is due at once.
  func deliveries(dueBy now: Timestamp, limit: Int) throws -> [OutboxDelivery]
  /// Events whose delivery was not given up, due or not, in order of sequence.
  func openDeliveries(after sequence: Int64, limit: Int) throws -> [OutboxDelivery]
  /// Events whose delivery was given up, oldest first.
  func deadDeliveries(after sequence: Int64, limit: Int) throws -> [OutboxDelivery]

  func merge(_ id: String, in scope: Scope) throws -> MergeRecord?
  /// Merges newest first, older than the one with the ID `before`; those in which the account took part, or all of them.
  ///
  /// Without a merge of that ID they begin with the newest one.
  func merges(
    involving account: AccountID?, before: String?, limit: Int, in scope: Scope
  ) throws -> [MergeRecord]

  /// The scopes whose journals have entries that ended.
  func scopesOfEndedMerges() throws -> [Scope]

  /// The settings of a scope; the defaults where none were stored.
  func settings(of scope: Scope) throws -> ProjectSettings
  func checkpoint(_ name: String, in scope: Scope) throws -> String?
  /// A record of what is open for a while; also one whose time is over, until it was removed.
  func oneTimeRecord(_ id: String, in scope: Scope) throws -> OneTimeRecord?
  /// Whether a use is recorded, which a writer may only have assumed; see ``AccountWriter/expectUnused()``.
  func isUsed(_ use: OneTimeUse, in scope: Scope) throws -> Bool
  /// A page of the records of a kind, in order of ID, beginning behind `after`; also those whose time is over.
  func oneTimeRecords(
    _ kind: OneTimeRecord.Kind, after: String?, limit: Int, in scope: Scope
  ) throws -> [OneTimeRecord]
  /// The session of a refresh token's digest.
  func session(_ id: String, in scope: Scope) throws -> SessionRecord?
  /// Scopes of a project whose settings were stored and that are tenants, in order of their IDs, beginning
  /// behind `after`.
  func tenants(of project: String, after: String?, limit: Int) throws -> [String]
  /// Whether settings were ever stored for a scope.
  func exists(_ scope: Scope) throws -> Bool
  /// The scopes that may keep something sealed: those with settings, checkpoints, one-time records, second factors or
  /// merges, in order; none from a reader that cannot list them.
  func scopesWithSecrets() throws -> [Scope]
}

extension AccountReader {
  public func account(owning key: IdentityKey, in scope: Scope) throws -> Account? {
    try owner(of: key, in: scope).flatMap { try account($0, in: scope) }
  }

  public func scopesWithSecrets() throws -> [Scope] { [] }

  public func expect(_ keys: [AccountKey], in scope: Scope) throws {}

  public func expectNew(_ keys: [AccountKey], in scope: Scope) throws {}

  public func isUsed(_ use: OneTimeUse, in scope: Scope) throws -> Bool {
    try oneTimeRecord(use.recordID, in: scope) != nil
  }
}

/// Changes things inside one transaction.
///
/// Not to be kept beyond it.
public protocol AccountWriter: AccountReader {
  /// Tells that whatever is in a change's way from now on is to undo the whole transaction, so that a store that is far
  /// away can be told of all changes at once: a ``UniqueKeyConflict`` may then come when the transaction commits.
  ///
  /// Nobody may catch one inside the transaction any more.
  func expectNoConflict()
  /// Lets the writer assume that what is asked about was not used yet, and find out when the use is recorded.
  ///
  /// To look for a record that is not there would be in the way of everybody who adds one. What is decided on an
  /// assumption may only be committed if ``record(_:in:)`` has recorded each of ``assumedUnused``.
  func expectUnused()
  /// The IDs of the records of uses that the writer assumed not to be there.
  var assumedUnused: Set<String> { get }
  /// Records a use. Throws ``UniqueKeyConflict``, at the latest when the transaction commits, if it was assumed to be
  /// the first and is not.
  func record(_ use: OneTimeUse, in scope: Scope) throws
  /// Adds an account; its revision becomes 1. Throws ``UniqueKeyConflict``.
  func insert(_ account: Account) throws
  /// Adds accounts of one scope, in any order; for after ``expectNoConflict()``.
  ///
  /// Throws ``UniqueKeyConflict`` like ``insert(_:)-(Account)``, at the latest when the transaction commits.
  func insert(_ accounts: [Account]) throws
  /// Requires that nobody has any of these keys; for after ``expectNoConflict()``.
  ///
  /// Throws ``UniqueKeyConflict``, at the latest when the transaction commits, where an account has one of them, or
  /// where a merge took a uid away from its account or gave others to it.
  func requireUnknown(_ keys: [AccountKey], in scope: Scope) throws
  /// Requires that no merge took one of these uids away from its account or gave others to it; for accounts that are
  /// about to be added, after ``expectNoConflict()``.
  ///
  /// Throws ``UniqueKeyConflict`` otherwise, at the latest when the transaction commits.
  func requireUnmerged(_ ids: [AccountID], in scope: Scope) throws
  /// Replaces an account; its revision becomes one more than `old`'s. Throws ``UniqueKeyConflict``,
  /// also where `old` is not what the store holds.
  func update(_ account: Account, replacing old: Account) throws
  /// Removes an account with its identities and second factors.
  func delete(_ account: Account) throws
  func setAlias(_ absorbed: AccountID, for survivor: AccountID, in scope: Scope) throws
  func removeAlias(_ absorbed: AccountID, in scope: Scope) throws
  /// Adds an event; it gets a sequence that grows with every commit.
  ///
  /// It goes into the outbox too if anything takes events from there, which a checkpoint of the servers' scope says.
  /// Throws ``UniqueKeyConflict`` where its ID is taken, at the latest when the transaction commits.
  func append(_ event: AuditEvent) throws
  /// Adds an event for each element, in this order, as ``append(_:)-(AuditEvent)`` does; for after
  /// ``expectNoConflict()``.
  ///
  /// The events may be made on another thread, one after the other.
  func appendEvents<Element: Sendable>(
    for elements: [Element], _ event: @escaping @Sendable (Element) -> AuditEvent) throws
  /// Keeps how the delivery of an event goes; leaves alone what was delivered already.
  func save(_ delivery: OutboxDelivery) throws
  /// Takes an event out of the outbox because it was delivered; it stays in the audit.
  func removeDelivery(_ sequence: Int64) throws
  /// Adds or replaces a journal entry.
  func save(_ merge: MergeRecord) throws
  /// Sets when the journal entries in which an account took part ended, unless they have ended before; without a time they
  /// are removed.
  func endMerges(of account: AccountID, at end: Timestamp?, in scope: Scope) throws
  /// Removes the journal entries that ended at a moment or before.
  func removeMerges(endedBefore moment: Timestamp, in scope: Scope) throws
  /// Replaces the settings. Throws ``UniqueKeyConflict`` where the accounts do not fit them.
  func save(_ settings: ProjectSettings, for scope: Scope) throws
  /// Keeps a text under a name, or forgets it.
  func saveCheckpoint(_ name: String, _ value: String?, in scope: Scope) throws
  /// Adds or replaces a record of what is open for a while.
  func save(_ record: OneTimeRecord, in scope: Scope) throws
  func removeOneTimeRecord(_ id: String, in scope: Scope) throws
  /// Removes every record of an account.
  func removeOneTimeRecords(of account: AccountID, in scope: Scope) throws
  /// Adds or replaces a session if its account is there; without the account nothing is written.
  func begin(_ session: SessionRecord, in scope: Scope) throws
  /// Adds or replaces a session, whether its account is there or not.
  func save(_ session: SessionRecord, in scope: Scope) throws
  func removeSession(_ id: String, in scope: Scope) throws
  func removeSessions(of account: AccountID, in scope: Scope) throws
  /// Removes an account's sessions, and saves ``SessionRecord/memory(of:until:)`` for each.
  func removeSessions(
    of account: AccountID, rememberedUntil end: Timestamp, in scope: Scope) throws
  /// Removes a scope with all that is in it, its settings, one-time records and journal of merges too.
  ///
  /// The audit and the outbox stay.
  func deleteScope(_ scope: Scope) throws
  /// Removes every account of a scope, with aliases, sessions and the journal of merges.
  ///
  /// Settings, checkpoints, one-time records, audit and outbox stay.
  func deleteAccounts(in scope: Scope) throws
}

extension AccountWriter {
  public func expectNoConflict() {}

  public func expectUnused() {}

  public var assumedUnused: Set<String> { [] }

  public func record(_ use: OneTimeUse, in scope: Scope) throws {
    try save(use.record, in: scope)
  }

  public func insert(_ accounts: [Account]) throws {
    for account in accounts { try insert(account) }
  }

  public func requireUnknown(_ keys: [AccountKey], in scope: Scope) throws {
    for key in keys where try isKnown(key, in: scope) { throw UniqueKeyConflict(key: "\(key)") }
  }

  private func isKnown(_ key: AccountKey, in scope: Scope) throws -> Bool {
    guard case .uid(let id) = key else { return try !accountIDs(key, in: scope).isEmpty }
    return try account(id, in: scope) != nil || isMerged(id, in: scope)
  }

  public func requireUnmerged(_ ids: [AccountID], in scope: Scope) throws {
    for id in ids where try isMerged(id, in: scope) { throw UniqueKeyConflict(key: "\(id)") }
  }

  private func isMerged(_ id: AccountID, in scope: Scope) throws -> Bool {
    try survivor(of: id, in: scope) != nil || !aliases(of: id, in: scope).isEmpty
  }

  public func appendEvents<Element: Sendable>(
    for elements: [Element], _ event: @escaping @Sendable (Element) -> AuditEvent
  ) throws {
    for element in elements { try append(event(element)) }
  }

  /// Adds events in this order, each as ``append(_:)-(AuditEvent)`` does; for after ``expectNoConflict()``.
  package func append(_ events: [AuditEvent]) throws {
    try appendEvents(for: events) { $0 }
  }
}

/// Which accounts a search wants; all conditions together.
///
/// An identity is found by its provider and subject, and by those that it replaced.
public struct AccountFilter: Hashable, Sendable {
  public var email: EmailAddress?
  public var phoneNumber: PhoneNumber?
  public var providerID: ProviderID?
  public var subject: String?
  public var displayName: String?
  public var disabled: Bool?

  public init() {}

  /// Whether an account meets every condition.
  public func matches(_ account: Account) -> Bool {
    let hasIdentity = account.identities.lazy.flatMap(\.keys).contains { key in
      (providerID == nil || key.provider == providerID)
        && (subject == nil || key.subject == subject)
    }
    return (email == nil || email?.matches(account.email) == true)
      && (phoneNumber == nil || account.phoneNumber == phoneNumber)
      && (providerID == nil && subject == nil || hasIdentity)
      && (displayName == nil || account.displayName == displayName)
      && (disabled == nil || account.disabled == disabled)
  }
}

/// What two accounts may have in common.
public enum DuplicateKey: String, Sendable, CaseIterable {
  /// The canonical top-level e-mail.
  case email
  /// The canonical top-level e-mail where at least one of the accounts has it verified.
  case verifiedEmail
  case phone
}

/// Accounts that have a key in common.
public struct DuplicateGroup: Hashable, Sendable {
  public let key: String
  public let accounts: [AccountID]

  public init(key: String, accounts: [AccountID]) {
    self.key = key
    self.accounts = accounts
  }
}
