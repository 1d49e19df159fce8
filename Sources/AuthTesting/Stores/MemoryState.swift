import AuthCore

/// The content of a memory store.
struct MemoryState: Sendable {
  var scopes: [ScopeKey: MemoryScope] = [:]
  let log = EventLog()
  /// The number of events of the log that this state sees.
  var eventCount = 0
  /// The sequence numbers of events that a sweep removed.
  var removed: Set<Int64> = []
  /// The sequence numbers of events that were delivered, or that had no consumer.
  var delivered: Set<Int64> = []
  /// The state of attempted deliveries, by sequence number.
  var deliveries: [Int64: OutboxDelivery] = [:]

  /// A scope as the key of its rows.
  ///
  /// No tenant and the empty one are the same.
  struct ScopeKey: Hashable, Sendable {
    let project: ExactText
    let tenant: ExactText

    init(_ scope: Scope) {
      project = ExactText(scope.project)
      tenant = ExactText(scope.tenant ?? "")
    }
  }

  subscript(scope: Scope) -> MemoryScope {
    _read { yield scopes[ScopeKey(scope), default: MemoryScope()] }
    _modify { yield &scopes[ScopeKey(scope), default: MemoryScope()] }
  }
}

/// The rows of one scope.
struct MemoryScope: Sendable {
  struct OwnedKey: Hashable, Sendable {
    let provider: ExactText
    let issuer: ExactText
    let subject: ExactText

    init(_ key: IdentityKey) {
      provider = ExactText(key.provider.rawValue)
      issuer = ExactText(key.issuer)
      subject = ExactText(key.subject)
    }
  }

  private(set) var accounts: [ExactText: Account] = [:]
  private(set) var owners: [OwnedKey: AccountID] = [:]
  private(set) var emails: [ExactText: Set<ExactText>] = [:]
  private(set) var phones: [ExactText: Set<ExactText>] = [:]
  private(set) var settings = ProjectSettings()
  /// True if settings were ever stored.
  private(set) var hasSettings = false
  private(set) var aliases: [ExactText: AccountID] = [:]
  /// The inverse of ``aliases``.
  private(set) var absorbed: [ExactText: Set<ExactText>] = [:]
  private(set) var merges: [MergeRecord] = []
  private(set) var mergePlaces: [ExactText: Int] = [:]
  private(set) var mergesOfAccount: [ExactText: [Int]] = [:]
  var checkpoints: [ExactText: String] = [:]
  var oneTimeRecords: [ExactText: OneTimeRecord] = [:]
  var sessions: [ExactText: SessionRecord] = [:]
  var decisions: [ExactText: PolicyDecision] = [:]

  func account(_ id: AccountID) -> Account? { accounts[ExactText(id.rawValue)] }

  func account(owning key: IdentityKey) -> Account? {
    owners[OwnedKey(key)].flatMap { account($0) }
  }

  /// Adds an account; throws `UniqueKeyConflict` and changes nothing if a key is taken.
  mutating func add(_ account: Account) throws {
    guard self.account(account.id) == nil else {
      throw UniqueKeyConflict(key: "uid \(account.id)")
    }
    var own: Set<OwnedKey> = []
    for owned in account.identities.flatMap(\.keys) {
      let key = OwnedKey(owned)
      guard owners[key] == nil, own.insert(key).inserted else {
        throw UniqueKeyConflict(key: "identity \(owned)")
      }
    }
    if settings.oneAccountPerEmail, account.emailVerified, let email = account.email,
      isVerified(email)
    {
      throw UniqueKeyConflict(key: "verified e-mail \(email.canonical)")
    }
    let id = ExactText(account.id.rawValue)
    accounts[id] = account
    for key in own { owners[key] = account.id }
    if let email = account.email { emails[ExactText(email.canonical), default: []].insert(id) }
    if let phone = account.phoneNumber { phones[ExactText(phone.text), default: []].insert(id) }
  }

  /// Removes an account if it exists.
  mutating func remove(_ id: AccountID) {
    let key = ExactText(id.rawValue)
    guard let old = accounts.removeValue(forKey: key) else { return }
    for owned in old.identities.flatMap(\.keys) { owners[OwnedKey(owned)] = nil }
    if let email = old.email { emails[ExactText(email.canonical)]?.remove(key) }
    if let phone = old.phoneNumber { phones[ExactText(phone.text)]?.remove(key) }
  }

  /// Sets an alias, or removes it if there is no survivor.
  mutating func setAlias(_ alias: AccountID, for survivor: AccountID?) {
    let key = ExactText(alias.rawValue)
    if let old = aliases[key] { absorbed[ExactText(old.rawValue)]?.remove(key) }
    aliases[key] = survivor
    if let survivor { absorbed[ExactText(survivor.rawValue), default: []].insert(key) }
  }

  /// Adds or replaces a journal entry.
  mutating func save(_ merge: MergeRecord) {
    let id = ExactText(merge.id)
    if let place = mergePlaces[id] {
      merges[place] = merge
      return
    }
    mergePlaces[id] = merges.count
    for account in [merge.survivor, merge.absorbed] {
      mergesOfAccount[ExactText(account.rawValue), default: []].append(merges.count)
    }
    merges.append(merge)
  }

  /// Replaces journal entries, or removes those for which the closure returns nil.
  mutating func changeMerges(_ change: (MergeRecord) -> MergeRecord?) {
    let changed = merges.compactMap(change)
    (merges, mergePlaces, mergesOfAccount) = ([], [:], [:])
    for merge in changed { save(merge) }
  }

  /// Replaces the settings; throws `UniqueKeyConflict` and changes nothing if two accounts share a verified address.
  mutating func change(_ new: ProjectSettings) throws {
    if new.oneAccountPerEmail && !settings.oneAccountPerEmail {
      for (email, ids) in emails.sorted(by: { $0.key < $1.key })
      where ids.count(where: { accounts[$0]?.emailVerified == true }) > 1 {
        throw UniqueKeyConflict(key: "verified e-mail \(email.text)")
      }
    }
    settings = new
    hasSettings = true
  }

  /// The scope without its accounts.
  var withoutAccounts: MemoryScope {
    var empty = MemoryScope()
    empty.settings = settings
    empty.hasSettings = hasSettings
    empty.checkpoints = checkpoints
    empty.oneTimeRecords = oneTimeRecords
    empty.decisions = decisions
    return empty
  }

  /// The scope after its deletion, which keeps the log of decisions.
  var deleted: MemoryScope {
    var empty = MemoryScope()
    empty.decisions = decisions
    return empty
  }

  private func isVerified(_ email: EmailAddress) -> Bool {
    emails[ExactText(email.canonical)]?.contains { accounts[$0]?.emailVerified == true } ?? false
  }
}
