/// A key that finds accounts.
public enum AccountKey: Hashable, Sendable {
  /// A uid; an absorbed one finds its survivor.
  case uid(AccountID)
  /// An identity, or one that was replaced.
  case identity(IdentityKey)
  /// A top-level address, compared in canonical form.
  case email(EmailAddress)
  /// A top-level phone number.
  case phone(PhoneNumber)
}

/// The accounts that an operation needs, as one transaction saw them.
///
/// A decision is computed from a snapshot alone. It may be committed only if loading again would give the same
/// snapshot, which also detects accounts that appeared in between.
public struct Snapshot: Hashable, Sendable {
  /// The project or tenant.
  public let scope: Scope
  /// The settings of the scope.
  public let settings: ProjectSettings
  /// The uids that each key of the query found, in order.
  public var found: [AccountKey: [AccountID]] = [:]
  /// The accounts that were found, by uid.
  public var accounts: [AccountID: Account] = [:]
  /// The names of the query's one-time uses that are recorded.
  public var used: Set<String> = []
  /// The deletions that keep a uid of the query, which no account has.
  public var deletions: [AccountID: KeptDeletion] = [:]
  /// The journal entry to undo.
  public var merge: MergeRecord? {
    get { mergeToUndo }
    set { mergeToUndo = newValue }
  }
  /// The split or the move to undo.
  public var transfer: TransferRecord? {
    get { transferToUndo }
    set { transferToUndo = newValue }
  }
  /// The IDs of later merges into the accounts of the change to undo that still stand, newest first.
  public var laterMerges: [String] = []
  /// The number of accounts that are linked with the query's provider, up to ``SnapshotQuery/mostCounted``.
  public var linkedAccounts = 0
  /// The earlier merges of the accounts, if a policy may be asked about them.
  public var absorbed: [AccountID: [AbsorbedAccount]] = [:]

  @Rare private var mergeToUndo: MergeRecord?
  @Rare private var transferToUndo: TransferRecord?

  /// Makes a snapshot without accounts.
  public init(scope: Scope, settings: ProjectSettings) {
    self.scope = scope
    self.settings = settings
  }

  /// Returns the accounts that a key finds, in order of uid.
  public func accounts(_ key: AccountKey) -> [Account] {
    (found[key] ?? []).compactMap { accounts[$0] }
  }

  /// Returns the snapshot of a query for some of the keys alone.
  func part(_ keys: [AccountKey]) -> Snapshot {
    var part = Snapshot(scope: scope, settings: settings)
    for key in keys {
      part.found[key] = found[key]
      for account in accounts(key) { part.accounts[account.id] = account }
      if case .uid(let id) = key { part.deletions[id] = deletions[id] }
    }
    return part
  }

  /// Applies the changes of an update's operation, so that the next one is decided on the result.
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

  /// Returns the account that a uid, even an absorbed one, leads to.
  public func account(_ id: AccountID) -> Account? {
    accounts[id] ?? accounts(.uid(id)).first
  }
}
