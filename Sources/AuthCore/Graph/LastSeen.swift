import Synchronization

/// The settings and accounts that a graph saw last.
///
/// They are guesses that save a read. A decision that uses one verifies it in its transaction.
final class LastSeen: Sendable {
  private struct AccountName: Hashable {
    let scope: Scope
    let id: AccountID
  }

  private struct State {
    var settings = RecentValues<Scope, ProjectSettings>(bound: 256)
    var accounts = RecentValues<AccountName, Account>(bound: 1024)
  }

  private let state = Mutex(State())
  /// The time that the old system of passwords takes.
  let migrationPace = MigrationPace()

  func settings(of scope: Scope) -> ProjectSettings? {
    state.withLock { $0.settings[scope] }
  }

  func account(_ id: AccountID, in scope: Scope) -> Account? {
    state.withLock { $0.accounts[AccountName(scope: scope, id: id)] }
  }

  func note(_ settings: ProjectSettings, of scope: Scope) {
    state.withLock { $0.settings[scope] = settings }
  }

  /// Notes what a committed change left.
  func note(_ verdict: Verdict, of scope: Scope) {
    if let settings = verdict.changes.settings { note(settings, of: scope) }
    guard let account = verdict.written else { return }
    state.withLock { $0.accounts[AccountName(scope: account.scope, id: account.id)] = account }
  }

  /// Forgets the settings of a scope, or everything.
  func forget(_ scope: Scope? = nil) {
    state.withLock { state in
      if let scope { state.settings[scope] = nil } else { state = State() }
    }
  }
}

/// The age of the settings with which a credential is verified.
package enum SettingsAge: Hashable, Sendable {
  /// The present settings, read from the store.
  case current
  /// The settings as last seen, for a decision that compares them and verifies again if they changed.
  case lastSeen
}

/// The most recently used values: at least `bound` and at most twice as many.
private struct RecentValues<Key: Hashable, Value> {
  let bound: Int
  private var young: [Key: Value] = [:]
  private var old: [Key: Value] = [:]

  init(bound: Int) {
    self.bound = bound
  }

  subscript(key: Key) -> Value? {
    mutating get {
      if let value = young[key] { return value }
      guard let value = old[key] else { return nil }
      self[key] = value
      return value
    }
    set {
      old[key] = nil
      young[key] = newValue
      if young.count > bound { (old, young) = (young, [:]) }
    }
  }
}
