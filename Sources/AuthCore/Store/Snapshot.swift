/// A way to find accounts.
public enum AccountKey: Hashable, Sendable {
  /// A uid; an absorbed one finds its survivor.
  case uid(AccountID)
  case identity(IdentityKey)
  case email(EmailAddress)
  case phone(PhoneNumber)
}

/// Every account that an operation touches, as one transaction saw them.
///
/// A decision is computed from a snapshot alone. It may be committed only while loading again would give
/// the same snapshot, which also notices accounts that appeared in between.
public struct Snapshot: Hashable, Sendable {
  public let scope: Scope
  public let settings: ProjectSettings
  public var found: [AccountKey: [AccountID]] = [:]
  public var accounts: [AccountID: Account] = [:]
  /// The names of wanted one-time uses that are used up.
  public var used: Set<String> = []
  /// The journal entry that is to be undone.
  public var merge: MergeRecord?
  /// Merges of its survivor that came later and still stand, newest first.
  public var laterMerges: [String] = []

  public init(scope: Scope, settings: ProjectSettings) {
    self.scope = scope
    self.settings = settings
  }

  /// The accounts that a key finds, in order of uid.
  public func accounts(_ key: AccountKey) -> [Account] {
    (found[key] ?? []).compactMap { accounts[$0] }
  }

  /// Becomes what an operation of an update leaves, so that the next one is decided on it.
  mutating func apply(_ changes: ChangeSet) {
    for update in changes.updated { accounts[update.new.id] = update.new }
    for key in found.keys {
      switch key {
      case .uid: continue
      case .identity(let identity): found[key] = holders { $0.owns(identity) }
      case .email(let email): found[key] = holders { email.matches($0.email) }
      case .phone(let number): found[key] = holders { $0.phoneNumber == number }
      }
    }
  }

  private func holders(_ isHolder: (Account) -> Bool) -> [AccountID] {
    accounts.values.filter(isHolder).map(\.id).sorted()
  }

  /// The one account that a uid, or an absorbed uid, stands for.
  public func account(_ id: AccountID) -> Account? {
    accounts[id] ?? accounts(.uid(id)).first
  }
}

extension AccountReader {
  /// Loads what the keys find.
  public func snapshot(
    _ keys: [AccountKey], uses: [OneTimeUse] = [], in scope: Scope
  ) throws -> Snapshot {
    try expect(keys, in: scope)
    var snapshot = Snapshot(scope: scope, settings: try settings(of: scope))
    for use in uses where try isUsed(use, in: scope) {
      snapshot.used.insert(use.name)
    }
    try load(keys, into: &snapshot)
    return snapshot
  }

  /// Loads what further keys find, which the accounts found so far may name.
  func extend(_ snapshot: inout Snapshot, with keys: [AccountKey]) throws {
    let unknown = keys.filter { snapshot.found[$0] == nil }
    if !unknown.isEmpty { try expect(unknown, in: snapshot.scope) }
    try load(unknown, into: &snapshot)
  }

  private func load(_ keys: [AccountKey], into snapshot: inout Snapshot) throws {
    let scope = snapshot.scope
    for key in keys where snapshot.found[key] == nil {
      switch key {
      case .uid(let id): try find(id, &snapshot)
      case .identity(let identity):
        // A key has one owner, which may be there already.
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

  /// Finds the accounts of one key, in order of uid.
  public func accountIDs(_ key: AccountKey, in scope: Scope) throws -> [AccountID] {
    switch key {
    case .uid(let id): try resolve(id, in: scope).map { [$0] } ?? []
    case .identity(let key): try owner(of: key, in: scope).map { [$0] } ?? []
    case .email(let email): try accountIDs(withEmail: email.canonical, in: scope)
    case .phone(let number): try accountIDs(withPhone: number.text, in: scope)
    }
  }

  /// Follows an absorbed uid to the account that stands for it now.
  public func resolve(_ id: AccountID, in scope: Scope) throws -> AccountID? {
    try resolved(id, in: scope)?.id
  }

  /// The account that stands for a uid, or an absorbed uid, now.
  public func resolved(_ id: AccountID, in scope: Scope) throws -> Account? {
    var id = id
    // A merge absorbs an account that exists, so a chain is finite; the bound is for a damaged file.
    for _ in 0..<1000 {
      if let account = try account(id, in: scope) { return account }
      guard let survivor = try survivor(of: id, in: scope) else { return nil }
      id = survivor
    }
    return nil
  }
}
