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
  /// The number of accounts that are linked with the query's provider, counted up to ``SnapshotQuery/mostCounted``.
  public var linkedAccounts = 0

  public init(scope: Scope, settings: ProjectSettings) {
    self.scope = scope
    self.settings = settings
  }

  /// The accounts that a key finds, in order of uid.
  public func accounts(_ key: AccountKey) -> [Account] {
    (found[key] ?? []).compactMap { accounts[$0] }
  }

  /// The snapshot that a question for some of its keys alone would have given.
  func part(_ keys: [AccountKey]) -> Snapshot {
    var part = Snapshot(scope: scope, settings: settings)
    for key in keys {
      part.found[key] = found[key]
      for account in accounts(key) { part.accounts[account.id] = account }
    }
    return part
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
