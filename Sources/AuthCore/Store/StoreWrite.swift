/// One change that a store makes inside a transaction.
public enum StoreWrite: Hashable, Sendable {
  /// Adds accounts, in any order; the revision of each becomes 1. Conflicts with a uid, an identity or a verified address
  /// that is taken.
  case insert([Account])
  /// Replaces an account; its revision becomes one more than that of the old one. Conflicts also if the store does not hold
  /// the old one.
  case update(Account, replacing: Account)
  /// Removes an account with its identities and second factors.
  case delete(Account)
  /// Conflicts if an account has one of these keys, or if a merge took one of these uids away from its account or gave
  /// others to it.
  case requireUnknown([AccountKey])
  /// Conflicts if a merge took one of these uids away from its account or gave others to it.
  case requireUnmerged([AccountID])
  /// Makes an absorbed uid stand for its survivor, or frees it.
  case setAlias(AccountID, for: AccountID?)

  /// Adds or replaces a journal entry.
  case saveMerge(MergeRecord)
  /// Sets when the journal entries in which an account took part ended, unless they have ended before; without a time they
  /// are removed.
  case endMerges(of: AccountID, at: Timestamp?)
  /// Removes the journal entries that ended at a moment or before.
  case removeMerges(endedBefore: Timestamp)

  /// Replaces the settings. Conflicts if the accounts do not fit them.
  case saveSettings(ProjectSettings)
  /// Keeps a text under a name, or forgets it.
  case saveCheckpoint(String, String?)

  /// Adds or replaces a record of what is open for a while.
  case saveRecord(OneTimeRecord)
  case removeRecord(String)
  /// Removes every one-time record of an account.
  case removeRecords(of: AccountID)
  /// Records a use. Conflicts if a snapshot of the transaction said that there is none, and there is one.
  case use(OneTimeUse)

  /// Adds or replaces a session if its account is there; nothing is written without the account.
  case beginSession(SessionRecord)
  /// Adds or replaces a session, whether its account is there or not.
  case saveSession(SessionRecord)
  case removeSession(String)
  /// Removes an account's sessions, and saves ``SessionRecord/memory(of:until:)`` for each if there is a time.
  case removeSessions(of: AccountID, rememberedUntil: Timestamp?)

  /// Adds events in this order; each gets a sequence that grows with every commit.
  ///
  /// They go into the outbox too if anything takes events from there, which the checkpoint ``OutboxConsumer/checkpoint`` of
  /// the servers' scope says. Conflicts with an ID that is taken.
  case append([AuditEvent])
  /// Removes an event from the audit; its accounts' histories no longer have it.
  case removeEvent(AuditEvent)
  /// Keeps how the delivery of an event goes; leaves alone what was delivered already.
  case saveDelivery(OutboxDelivery)
  /// Takes the event of a sequence out of the outbox because it was delivered; it stays in the audit.
  case removeDelivery(Int64)

  /// Removes every account of the scope, with aliases, sessions and the journal of merges.
  ///
  /// Settings, checkpoints, one-time records, audit and outbox stay.
  case deleteAccounts
  /// Removes the scope with all that is in it, its settings, one-time records and journal of merges too.
  ///
  /// The audit and the outbox stay.
  case deleteScope
}

/// One change by its name.
extension AccountWriter {
  public func insert(_ account: Account) throws {
    try apply([.insert([account])], in: account.scope)
  }

  public func update(_ account: Account, replacing old: Account) throws {
    try apply([.update(account, replacing: old)], in: account.scope)
  }

  public func delete(_ account: Account) throws {
    try apply([.delete(account)], in: account.scope)
  }

  public func setAlias(_ absorbed: AccountID, for survivor: AccountID, in scope: Scope) throws {
    try apply([.setAlias(absorbed, for: survivor)], in: scope)
  }

  public func append(_ event: AuditEvent) throws {
    try apply([.append([event])], in: event.scope)
  }

  public func save(_ settings: ProjectSettings, for scope: Scope) throws {
    try apply([.saveSettings(settings)], in: scope)
  }

  public func saveCheckpoint(_ name: String, _ value: String?, in scope: Scope) throws {
    try apply([.saveCheckpoint(name, value)], in: scope)
  }

  public func save(_ record: OneTimeRecord, in scope: Scope) throws {
    try apply([.saveRecord(record)], in: scope)
  }

  public func removeOneTimeRecord(_ id: String, in scope: Scope) throws {
    try apply([.removeRecord(id)], in: scope)
  }

  public func save(_ session: SessionRecord, in scope: Scope) throws {
    try apply([.saveSession(session)], in: scope)
  }

  public func begin(_ session: SessionRecord, in scope: Scope) throws {
    try apply([.beginSession(session)], in: scope)
  }

  public func removeSession(_ id: String, in scope: Scope) throws {
    try apply([.removeSession(id)], in: scope)
  }

  public func removeSessions(of account: AccountID, in scope: Scope) throws {
    try apply([.removeSessions(of: account, rememberedUntil: nil)], in: scope)
  }

  public func save(_ merge: MergeRecord) throws {
    try apply([.saveMerge(merge)], in: merge.scope)
  }

  public func save(_ delivery: OutboxDelivery) throws {
    try apply([.saveDelivery(delivery)], in: delivery.event.scope)
  }

  public func removeDelivery(_ sequence: Int64) throws {
    try apply([.removeDelivery(sequence)], in: .servers)
  }
}
