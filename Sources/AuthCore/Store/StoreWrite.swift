/// A change that a store makes inside a transaction.
public enum StoreWrite: Hashable, Sendable {
  /// Adds accounts in any order; the revision of each becomes 1.
  ///
  /// Conflicts with a uid, an identity or a verified address that is taken.
  case insert([Account])
  /// Replaces an account; its revision becomes that of the old one plus one.
  ///
  /// Also conflicts if the stored account differs from the old one.
  case update(Account, replacing: Account)
  /// Removes an account with its identities and second factors.
  case delete(Account)
  /// Conflicts if an account has one of these keys, or if a merge absorbed one of these uids or led others to it.
  case requireUnknown([AccountKey])
  /// Conflicts if a merge absorbed one of these uids or led others to it.
  case requireUnmerged([AccountID])
  /// Makes an absorbed uid lead to its survivor, or frees it.
  case setAlias(AccountID, for: AccountID?)

  /// Adds or replaces a journal entry.
  case saveMerge(MergeRecord)
  /// Sets the end of an account's journal entries, unless they have ended before; without a time they are removed.
  case endMerges(of: AccountID, at: Timestamp?)
  /// Removes the journal entries that ended by a time.
  case removeMerges(endedBefore: Timestamp)

  /// Adds or replaces a decision of merge policies.
  case saveDecision(PolicyDecision)
  /// Removes a decision of merge policies by the ID of its event.
  case removeDecision(String)

  /// Replaces the settings; conflicts if the accounts do not fit them.
  case saveSettings(ProjectSettings)
  /// Stores a text under a name, or removes it.
  case saveCheckpoint(String, String?)

  /// Adds or replaces a one-time record.
  case saveRecord(OneTimeRecord)
  /// Removes a one-time record.
  case removeRecord(String)
  /// Removes every one-time record of an account.
  case removeRecords(of: AccountID)
  /// Records a use; conflicts if a snapshot of the transaction did not have it, and it is recorded.
  case use(OneTimeUse)

  /// Adds or replaces a session if its account exists; otherwise writes nothing.
  case beginSession(SessionRecord)
  /// Adds or replaces a session, whether or not its account exists.
  case saveSession(SessionRecord)
  /// Removes a session.
  case removeSession(String)
  /// Removes an account's sessions; with a time, saves ``SessionRecord/memory(of:until:)`` for each.
  case removeSessions(of: AccountID, rememberedUntil: Timestamp?)

  /// Adds events in this order; each gets a sequence that grows with every commit.
  ///
  /// They also go into the outbox if it has a consumer, according to the checkpoint ``OutboxConsumer/checkpoint`` of
  /// the servers' scope. Conflicts with an ID that is taken.
  case append([AuditEvent])
  /// Removes an event from the audit and from the histories of its accounts.
  case removeEvent(AuditEvent)
  /// Stores the state of a delivery, unless it was delivered already.
  case saveDelivery(OutboxDelivery)
  /// Removes a delivered event from the outbox by its sequence; it stays in the audit.
  case removeDelivery(Int64)

  /// Removes every account of the scope, with aliases, sessions and merge journal.
  ///
  /// Settings, checkpoints, one-time records, audit, outbox and decisions of merge policies stay.
  case deleteAccounts
  /// Removes the scope with all its content, including settings, one-time records and merge journal.
  ///
  /// Audit, outbox and decisions of merge policies stay.
  case deleteScope
}

/// Functions for single changes by kind.
extension AccountWriter {
  /// Adds an account; see ``StoreWrite/insert(_:)``.
  public func insert(_ account: Account) throws {
    try apply([.insert([account])], in: account.scope)
  }

  /// Replaces an account; see ``StoreWrite/update(_:replacing:)``.
  public func update(_ account: Account, replacing old: Account) throws {
    try apply([.update(account, replacing: old)], in: account.scope)
  }

  /// Removes an account with its identities and second factors.
  public func delete(_ account: Account) throws {
    try apply([.delete(account)], in: account.scope)
  }

  /// Makes an absorbed uid lead to its survivor.
  public func setAlias(_ absorbed: AccountID, for survivor: AccountID, in scope: Scope) throws {
    try apply([.setAlias(absorbed, for: survivor)], in: scope)
  }

  /// Adds an event; see ``StoreWrite/append(_:)``.
  public func append(_ event: AuditEvent) throws {
    try apply([.append([event])], in: event.scope)
  }

  /// Replaces the settings of a scope; conflicts if the accounts do not fit them.
  public func save(_ settings: ProjectSettings, for scope: Scope) throws {
    try apply([.saveSettings(settings)], in: scope)
  }

  /// Stores a text under a name, or removes it.
  public func saveCheckpoint(_ name: String, _ value: String?, in scope: Scope) throws {
    try apply([.saveCheckpoint(name, value)], in: scope)
  }

  /// Adds or replaces a one-time record.
  public func save(_ record: OneTimeRecord, in scope: Scope) throws {
    try apply([.saveRecord(record)], in: scope)
  }

  /// Removes a one-time record.
  public func removeOneTimeRecord(_ id: String, in scope: Scope) throws {
    try apply([.removeRecord(id)], in: scope)
  }

  /// Adds or replaces a session, whether or not its account exists.
  public func save(_ session: SessionRecord, in scope: Scope) throws {
    try apply([.saveSession(session)], in: scope)
  }

  /// Adds or replaces a session if its account exists.
  public func begin(_ session: SessionRecord, in scope: Scope) throws {
    try apply([.beginSession(session)], in: scope)
  }

  /// Removes a session.
  public func removeSession(_ id: String, in scope: Scope) throws {
    try apply([.removeSession(id)], in: scope)
  }

  /// Removes an account's sessions.
  public func removeSessions(of account: AccountID, in scope: Scope) throws {
    try apply([.removeSessions(of: account, rememberedUntil: nil)], in: scope)
  }

  /// Adds or replaces a journal entry.
  public func save(_ merge: MergeRecord) throws {
    try apply([.saveMerge(merge)], in: merge.scope)
  }

  /// Adds or replaces a decision of merge policies.
  public func save(_ decision: PolicyDecision) throws {
    try apply([.saveDecision(decision)], in: decision.scope)
  }

  /// Stores the state of a delivery, unless it was delivered already.
  public func save(_ delivery: OutboxDelivery) throws {
    try apply([.saveDelivery(delivery)], in: delivery.event.scope)
  }

  /// Removes a delivered event from the outbox by its sequence; it stays in the audit.
  public func removeDelivery(_ sequence: Int64) throws {
    try apply([.removeDelivery(sequence)], in: .servers)
  }
}
