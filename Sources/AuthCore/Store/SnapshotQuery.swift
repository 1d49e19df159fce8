/// A query for everything that an operation needs.
public struct SnapshotQuery: Hashable, Sendable {
  /// A key that a found account names.
  public enum Following: Hashable, Sendable {
    /// The address of an account.
    case address(of: AccountID)
    /// The password and e-mail link for the address of an account.
    case waysIn(byAddressOf: AccountID)
    /// The addresses of all accounts that were found.
    case addresses
  }

  /// The maximum number of a provider's accounts that are counted.
  public static let mostCounted = 1000

  /// The project or tenant.
  public let scope: Scope
  /// The keys that find accounts.
  public var keys: [AccountKey]
  /// The one-time uses to look up.
  public var uses: [OneTimeUse]
  /// The keys that the found accounts name.
  public var following: [Following]
  /// The merge whose journal entry is needed, with the accounts of every key that an undo restores.
  public var undoing: String?
  /// The split or the move whose journal entry is needed, with the accounts of every key that an undo restores.
  public var returning: String?
  /// The deleted account that is needed, with the accounts of every key that it had.
  public var restoring: AccountID?
  /// The uids that a new account may get; if no account has one, the deletion that keeps it is needed.
  public var newUIDs: [AccountID] = []
  /// The provider whose linked accounts are counted.
  public var linkedWith: ProviderID?
  /// True if a conflict of the accounts may be put to a policy, which sees their earlier merges.
  ///
  /// They are read only if the scope has a policy and more than one account was found.
  public var mayConflict = false

  /// Makes a query.
  public init(
    _ keys: [AccountKey] = [], uses: [OneTimeUse] = [], following: [Following] = [],
    in scope: Scope
  ) {
    self.keys = keys
    self.uses = uses
    self.following = following
    self.scope = scope
  }

  /// Returns the same query with further keys.
  func and(_ more: [AccountKey]) -> SnapshotQuery {
    var query = self
    query.keys += more
    return query
  }
}

extension Snapshot {
  /// Returns the keys that the found accounts name.
  fileprivate func keys(_ following: SnapshotQuery.Following) -> [AccountKey] {
    switch following {
    case .address(let id): (account(id)?.email).map { [.email($0)] } ?? []
    case .waysIn(let id):
      (account(id)?.email).map { [.identity(.password($0)), .identity(.emailLink($0))] } ?? []
    case .addresses:
      accounts.values.compactMap(\.email).sorted { $0.text < $1.text }.map(AccountKey.email)
    }
  }
}

extension AccountReader {
  /// Loads a query record by record, for a store without a faster way.
  public func snapshot(_ query: SnapshotQuery) throws -> Snapshot {
    try loaded(query)
  }

  /// Loads a query record by record.
  ///
  /// A store may pass `isUsed` if it has a faster lookup of uses. It gets keys by `ask` before they are looked up one
  /// by one, so that it can prefetch them all.
  package func loaded(
    _ query: SnapshotQuery, isUsed: ((OneTimeUse) throws -> Bool)? = nil,
    ask: ([AccountKey]) throws -> Void = { _ in }
  ) throws -> Snapshot {
    let scope = query.scope
    let entry = try query.undoing.flatMap { try merge($0, in: scope) }
    let transfer = try query.returning.flatMap { try self.transfer($0, in: scope) }
    let restored = try query.restoring.flatMap { try deletion(keeping: $0, in: scope) }
    let keys =
      query.keys + (entry.map(\.undoneKeys) ?? []) + (restored.map(\.restoredKeys) ?? [])
      + (transfer.map(\.returningKeys) ?? [])
    try ask(keys)
    var snapshot = Snapshot(scope: scope, settings: try settings(of: scope))
    for use in query.uses
    where try isUsed?(use) ?? (oneTimeRecord(use.recordID, in: scope) != nil) {
      snapshot.used.insert(use.name)
    }
    try load(keys, into: &snapshot)
    if !query.following.isEmpty {
      let next = query.following.flatMap(snapshot.keys).filter { snapshot.found[$0] == nil }
      if !next.isEmpty { try ask(next) }
      try load(next, into: &snapshot)
    }
    if let id = query.restoring { snapshot.deletions[id] = restored }
    let newUIDs = query.newUIDs + (entry.map { [$0.survivor, $0.absorbed] } ?? [])
    for id in newUIDs where snapshot.accounts(.uid(id)).isEmpty {
      snapshot.deletions[id] = try deletion(keeping: id, in: scope)
    }
    if let entry {
      snapshot.merge = entry
      snapshot.laterMerges = try merges(since: entry, in: scope)
        .filter { $0.undoneBy == nil }.map(\.id)
    }
    if let transfer {
      snapshot.transfer = transfer
      snapshot.laterMerges = try laterMerges(than: transfer)
    }
    if query.mayConflict, snapshot.accounts.count > 1, snapshot.settings.hasMergePolicy {
      for id in snapshot.accounts.keys.sorted() {
        snapshot.absorbed[id] = try absorbed(by: id, in: scope)
      }
    }
    if let provider = query.linkedWith {
      var filter = AccountFilter()
      filter.providerID = provider
      snapshot.linkedAccounts = try accounts(
        matching: filter, after: nil, limit: SnapshotQuery.mostCounted, in: scope
      ).count
    }
    return snapshot
  }

  private func load(_ keys: [AccountKey], into snapshot: inout Snapshot) throws {
    let scope = snapshot.scope
    for key in keys where snapshot.found[key] == nil {
      switch key {
      case .uid(let id): try find(id, &snapshot)
      case .identity(let identity):
        // A key has one owner, which may be loaded already.
        let known = snapshot.accounts.values.first { $0.owns(identity) }
        let account = try known ?? account(owning: identity, in: scope)
        snapshot.found[key] = account.map { [$0.id] } ?? []
        if let account { snapshot.accounts[account.id] = account }
      case .email, .phone:
        let ids = try accountIDs(key, in: scope)
        snapshot.found[key] = ids
        for id in ids where snapshot.accounts[id] == nil {
          snapshot.accounts[id] = try account(id, in: scope)
        }
      }
    }
  }

  private func find(_ id: AccountID, _ snapshot: inout Snapshot) throws {
    guard let account = try snapshot.accounts[id] ?? resolved(id, in: snapshot.scope) else {
      snapshot.found[.uid(id)] = []
      return
    }
    snapshot.found[.uid(id)] = [account.id]
    snapshot.accounts[account.id] = account
  }

  /// Returns the merges of a record's survivor after it, newest first.
  private func merges(since record: MergeRecord, in scope: Scope) throws -> [MergeRecord] {
    var limit = 16
    while true {
      let newest = try merges(involving: record.survivor, before: nil, limit: limit, in: scope)
      if let place = newest.firstIndex(where: { $0.id == record.id }) {
        return Array(newest[..<place])
      }
      guard newest.count == limit else { return newest }
      limit *= 8
    }
  }

  /// Returns the uids of the accounts of one key, in order.
  public func accountIDs(_ key: AccountKey, in scope: Scope) throws -> [AccountID] {
    switch key {
    case .uid(let id): try resolve(id, in: scope).map { [$0] } ?? []
    case .identity(let key): try owner(of: key, in: scope).map { [$0] } ?? []
    case .email(let email): try accountIDs(withEmail: email.canonical, in: scope)
    case .phone(let number): try accountIDs(withPhone: number.text, in: scope)
    }
  }

  /// Returns the uid of the account that a uid, even an absorbed one, leads to.
  public func resolve(_ id: AccountID, in scope: Scope) throws -> AccountID? {
    try resolved(id, in: scope)?.id
  }

  /// Returns the account that a uid, even an absorbed one, leads to.
  public func resolved(_ id: AccountID, in scope: Scope) throws -> Account? {
    var id = id
    // A merge absorbs an existing account, so a chain is finite; the bound guards against a damaged file.
    for _ in 0..<1000 {
      if let account = try account(id, in: scope) { return account }
      guard let survivor = try survivor(of: id, in: scope) else { return nil }
      id = survivor
    }
    return nil
  }
}

extension MergeRecord {
  /// The keys that an undo restores.
  fileprivate var undoneKeys: [AccountKey] {
    let before = [survivorBefore, absorbedBefore]
    return [.uid(survivor), .uid(absorbed)]
      + before.flatMap(\.identities).flatMap(\.keys).map(AccountKey.identity)
      + before.compactMap(\.email).flatMap { [.email($0), .identity(.password($0))] }
      + before.compactMap(\.phoneNumber).map(AccountKey.phone)
  }
}
