/// An ordered list of records, from a starting point.
public enum Listing: Hashable, Sendable {
  /// Accounts in the filter's order, behind the one with a uid; by uid, that account need not exist.
  case accounts(matching: AccountFilter, after: AccountID?, Scope)
  /// The uids of the accounts that a search finds, in its order; see ``TextSearch/found(among:)``.
  case search(TextSearch, Scope)
  /// The providers of the scope's identities, in order, each with its number of accounts.
  case providers(Scope)
  /// The uids of the accounts whose top-level e-mail has this canonical form, in order.
  case uidsByEmail(String, Scope)
  /// The uids of the accounts with this top-level phone number, in order.
  case uidsByPhone(String, Scope)
  /// The absorbed uids that lead to an account in one step, in order.
  case aliases(of: AccountID, Scope)
  /// Keys that more than one account has, in order of key.
  case duplicates(by: DuplicateKey, after: String?, Scope)

  /// Events with a smaller sequence than `before`, newest first.
  case events(matching: EventFilter, before: Int64?, Scope)
  /// Events with a larger sequence than `after`, oldest first.
  case oldestEvents(after: Int64, Scope)
  /// Undelivered events, oldest first, including those that were given up.
  case outbox(after: Int64)
  /// Deliveries of all scopes that are due and were not given up, the longest due first, and then the oldest.
  ///
  /// A new event is due at once.
  case deliveriesDue(by: Timestamp)
  /// Deliveries that were not given up, due or not, in order of sequence.
  case openDeliveries(after: Int64)
  /// Deliveries that were given up, in order of sequence.
  case deadDeliveries(after: Int64)

  /// Merges, newest first, older than the one with the ID `before`: those of one account, or all.
  ///
  /// If there is no such merge, the list begins with the newest one.
  case merges(involving: AccountID?, before: String?, Scope)
  /// Decisions of merge policies with a smaller ID than `before`, the largest ID first.
  ///
  /// IDs are those of events, which grow with time.
  case decisions(before: String?, Scope)
  /// Decisions of merge policies, the smallest ID first.
  case oldestDecisions(Scope)
  /// One-time records of a kind, in order of ID, including expired ones.
  case oneTimeRecords(OneTimeRecord.Kind, after: String?, Scope)
  /// One-time records of all scopes that expired by a time, the earliest first.
  ///
  /// Records that another sweep is removing are skipped. A waiting message stays a day longer, so that its sender can
  /// report it.
  case expiredRecords(by: Timestamp)
  /// Sessions of all scopes, in order of scope and ID.
  case sessions(after: SessionPlace?)
  /// Tenants of a project with stored settings, in order.
  case tenants(of: String, after: String?)
  /// Scopes in order of project and tenant.
  case scopes(having: ScopeContent, after: Scope?)
}

/// A kind of content of a scope.
public enum ScopeContent: Hashable, Sendable, CaseIterable {
  /// Events, even of a deleted scope.
  case events
  /// Ended merges in the journal.
  case endedMerges
  /// Decisions of merge policies, even of a deleted scope.
  case decisions
  /// Values that may be sealed: settings, checkpoints, one-time records, second factors or merges.
  case secrets
}

/// The records of a listing.
public enum StoredPage: Hashable, Sendable {
  case accounts([Account])
  case uids([AccountID])
  case providers([ProviderUse])
  case duplicates([DuplicateGroup])
  case events([AuditEvent])
  case deliveries([OutboxDelivery])
  case merges([MergeRecord])
  case decisions([PolicyDecision])
  case oneTimeRecords([PlacedRecord])
  case sessions([PlacedSession])
  case tenants([String])
  case scopes([Scope])
}

/// A provider that accounts are linked with.
public struct ProviderUse: Hashable, Sendable {
  /// The provider.
  public let provider: ProviderID
  /// The number of accounts with an identity of it, or one that was replaced.
  public let accounts: Int

  /// Makes a provider's use.
  public init(provider: ProviderID, accounts: Int) {
    self.provider = provider
    self.accounts = accounts
  }

  /// Returns the providers of some accounts, for stores without an index.
  public static func all(of accounts: some Sequence<Account>) -> [ProviderUse] {
    var counts: [ProviderID: Int] = [:]
    for account in accounts {
      for provider in Set(account.identities.flatMap(\.keys).map(\.provider)) {
        counts[provider, default: 0] += 1
      }
    }
    return counts.sorted { $0.key < $1.key }.map { ProviderUse(provider: $0, accounts: $1) }
  }
}

/// A one-time record with its scope.
public struct PlacedRecord: Hashable, Sendable {
  /// The project or tenant.
  public let scope: Scope
  /// The record.
  public let record: OneTimeRecord

  /// Makes a record's place.
  public init(scope: Scope, record: OneTimeRecord) {
    self.scope = scope
    self.record = record
  }
}

/// The place of a session among those of all scopes.
public struct SessionPlace: Hashable, Sendable {
  /// The project or tenant.
  public let scope: Scope
  /// The session's ID.
  public let id: String

  /// Makes a place.
  public init(scope: Scope, id: String) {
    self.scope = scope
    self.id = id
  }
}

/// A session with its scope.
public struct PlacedSession: Hashable, Sendable {
  /// The project or tenant.
  public let scope: Scope
  /// The session.
  public let session: SessionRecord
  /// True if its account exists under its own uid.
  public let hasAccount: Bool

  /// Makes a session's place.
  public init(scope: Scope, session: SessionRecord, hasAccount: Bool) {
    self.scope = scope
    self.session = session
    self.hasAccount = hasAccount
  }

  var place: SessionPlace { SessionPlace(scope: scope, id: session.id) }
}

/// Functions for the listings by kind.
extension AccountReader {
  /// Returns a page of accounts in the filter's order.
  public func accounts(
    matching filter: AccountFilter, after: AccountID?, limit: Int, in scope: Scope
  ) throws -> [Account] {
    let listing = Listing.accounts(matching: filter, after: after, scope)
    guard case .accounts(let accounts) = try page(listing, limit: limit) else { return [] }
    return accounts
  }

  /// Returns the uids of the accounts that a search finds, in its order.
  public func accountIDs(
    found search: TextSearch, limit: Int, in scope: Scope
  ) throws -> [AccountID] {
    guard case .uids(let ids) = try page(.search(search, scope), limit: limit) else { return [] }
    return ids
  }

  /// Returns the providers of the scope's identities, in order, each with its number of accounts.
  public func providers(in scope: Scope) throws -> [ProviderUse] {
    guard case .providers(let found) = try page(.providers(scope), limit: .max) else { return [] }
    return found
  }

  /// Returns the uids of the accounts with this canonical top-level e-mail, in order.
  public func accountIDs(withEmail canonical: String, in scope: Scope) throws -> [AccountID] {
    try uids(.uidsByEmail(canonical, scope))
  }

  /// Returns the uids of the accounts with this top-level phone number, in order.
  public func accountIDs(withPhone number: String, in scope: Scope) throws -> [AccountID] {
    try uids(.uidsByPhone(number, scope))
  }

  /// Returns the absorbed uids that lead to an account in one step, in order.
  public func aliases(of survivor: AccountID, in scope: Scope) throws -> [AccountID] {
    try uids(.aliases(of: survivor, scope))
  }

  private func uids(_ listing: Listing) throws -> [AccountID] {
    guard case .uids(let ids) = try page(listing, limit: .max) else { return [] }
    return ids
  }

  /// Returns a page of keys that more than one account has.
  public func duplicates(
    by key: DuplicateKey, after: String?, limit: Int, in scope: Scope
  ) throws -> [DuplicateGroup] {
    let listing = Listing.duplicates(by: key, after: after, scope)
    guard case .duplicates(let groups) = try page(listing, limit: limit) else { return [] }
    return groups
  }

  /// Returns events, newest first, before a sequence; about these accounts, or all of them.
  public func events(
    about accounts: [AccountID]?, before: Int64?, limit: Int, in scope: Scope
  ) throws -> [AuditEvent] {
    try events(matching: EventFilter(accounts: accounts), before: before, limit: limit, in: scope)
  }

  /// Returns events, newest first, before a sequence.
  public func events(
    matching filter: EventFilter, before: Int64?, limit: Int, in scope: Scope
  ) throws -> [AuditEvent] {
    try events(.events(matching: filter, before: before, scope), limit)
  }

  /// Returns events, oldest first, after a sequence.
  public func oldestEvents(
    after sequence: Int64, limit: Int, in scope: Scope
  ) throws -> [AuditEvent] {
    try events(.oldestEvents(after: sequence, scope), limit)
  }

  /// Returns undelivered events, oldest first, after a sequence.
  public func outbox(after sequence: Int64, limit: Int) throws -> [AuditEvent] {
    try events(.outbox(after: sequence), limit)
  }

  private func events(_ listing: Listing, _ limit: Int) throws -> [AuditEvent] {
    guard case .events(let events) = try page(listing, limit: limit) else { return [] }
    return events
  }

  /// Returns the deliveries of all scopes that are due and were not given up.
  public func deliveries(dueBy now: Timestamp, limit: Int) throws -> [OutboxDelivery] {
    try deliveries(.deliveriesDue(by: now), limit)
  }

  /// Returns deliveries that were not given up, due or not, in order of sequence.
  public func openDeliveries(after sequence: Int64, limit: Int) throws -> [OutboxDelivery] {
    try deliveries(.openDeliveries(after: sequence), limit)
  }

  /// Returns deliveries that were given up, in order of sequence.
  public func deadDeliveries(after sequence: Int64, limit: Int) throws -> [OutboxDelivery] {
    try deliveries(.deadDeliveries(after: sequence), limit)
  }

  private func deliveries(_ listing: Listing, _ limit: Int) throws -> [OutboxDelivery] {
    guard case .deliveries(let found) = try page(listing, limit: limit) else { return [] }
    return found
  }

  /// Returns merges, newest first, older than the one with the ID `before`: those of one account, or all.
  public func merges(
    involving account: AccountID?, before: String?, limit: Int, in scope: Scope
  ) throws -> [MergeRecord] {
    let listing = Listing.merges(involving: account, before: before, scope)
    guard case .merges(let merges) = try page(listing, limit: limit) else { return [] }
    return merges
  }

  /// Returns decisions of merge policies with a smaller ID than `before`, newest first.
  public func decisions(
    before: String?, limit: Int, in scope: Scope
  ) throws -> [PolicyDecision] {
    try decisions(.decisions(before: before, scope), limit)
  }

  /// Returns decisions of merge policies, oldest first.
  public func oldestDecisions(limit: Int, in scope: Scope) throws -> [PolicyDecision] {
    try decisions(.oldestDecisions(scope), limit)
  }

  private func decisions(_ listing: Listing, _ limit: Int) throws -> [PolicyDecision] {
    guard case .decisions(let found) = try page(listing, limit: limit) else { return [] }
    return found
  }

  /// Returns one-time records of a kind, in order of ID, including expired ones.
  public func oneTimeRecords(
    _ kind: OneTimeRecord.Kind, after: String?, limit: Int, in scope: Scope
  ) throws -> [OneTimeRecord] {
    try records(.oneTimeRecords(kind, after: after, scope), limit).map(\.record)
  }

  /// Returns one-time records of all scopes that expired by a time; see ``Listing/expiredRecords(by:)``.
  public func expiredRecords(by moment: Timestamp, limit: Int) throws -> [PlacedRecord] {
    try records(.expiredRecords(by: moment), limit)
  }

  private func records(_ listing: Listing, _ limit: Int) throws -> [PlacedRecord] {
    guard case .oneTimeRecords(let records) = try page(listing, limit: limit) else { return [] }
    return records
  }

  /// Returns sessions of all scopes, in order of scope and ID.
  public func sessions(after place: SessionPlace?, limit: Int) throws -> [PlacedSession] {
    guard case .sessions(let found) = try page(.sessions(after: place), limit: limit) else {
      return []
    }
    return found
  }

  /// Returns a page of the tenants of a project, in order.
  public func tenants(of project: String, after: String?, limit: Int) throws -> [String] {
    let listing = Listing.tenants(of: project, after: after)
    guard case .tenants(let tenants) = try page(listing, limit: limit) else { return [] }
    return tenants
  }

  /// Returns the scopes with a kind of content, in order of project and tenant.
  public func scopes(
    having content: ScopeContent, after scope: Scope? = nil, limit: Int = .max
  ) throws -> [Scope] {
    let listing = Listing.scopes(having: content, after: scope)
    guard case .scopes(let scopes) = try page(listing, limit: limit) else { return [] }
    return scopes
  }
}
