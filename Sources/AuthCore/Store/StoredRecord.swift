/// The key of one record of a scope.
public enum RecordKey: Hashable, Sendable {
  case account(AccountID)
  /// The account that has an identity with this key, or one that replaced it.
  case owner(IdentityKey)
  /// The uid for which an absorbed one stands; one step, not the whole chain.
  case survivor(AccountID)
  case event(String)
  case merge(String)
  /// The settings, if any were ever stored.
  case settings
  /// The text that is kept under a name.
  case checkpoint(String)
  /// A record of what is open for a while; also one whose time is over, until it was removed.
  case oneTimeRecord(String)
  /// The session of a refresh token's digest.
  case session(String)
  /// The number of accounts.
  case accountCount
}

/// A record that a store found.
public enum StoredRecord: Hashable, Sendable {
  case account(Account)
  case uid(AccountID)
  case event(AuditEvent)
  case merge(MergeRecord)
  case settings(ProjectSettings)
  case checkpoint(String)
  case oneTimeRecord(OneTimeRecord)
  case session(SessionRecord)
  case count(Int)
}

/// Records by their kind.
extension AccountReader {
  public func account(_ id: AccountID, in scope: Scope) throws -> Account? {
    guard case .account(let account) = try record(.account(id), in: scope) else { return nil }
    return account
  }

  /// The account that has an identity with this key, or one that replaced it.
  public func account(owning key: IdentityKey, in scope: Scope) throws -> Account? {
    guard case .account(let account) = try record(.owner(key), in: scope) else { return nil }
    return account
  }

  /// The uid of ``account(owning:in:)``.
  public func owner(of key: IdentityKey, in scope: Scope) throws -> AccountID? {
    try account(owning: key, in: scope)?.id
  }

  /// The account that an absorbed uid stands for; one step, not the whole chain.
  public func survivor(of absorbed: AccountID, in scope: Scope) throws -> AccountID? {
    guard case .uid(let id) = try record(.survivor(absorbed), in: scope) else { return nil }
    return id
  }

  public func event(_ id: String, in scope: Scope) throws -> AuditEvent? {
    guard case .event(let event) = try record(.event(id), in: scope) else { return nil }
    return event
  }

  public func merge(_ id: String, in scope: Scope) throws -> MergeRecord? {
    guard case .merge(let merge) = try record(.merge(id), in: scope) else { return nil }
    return merge
  }

  /// The settings of a scope; the defaults if none were stored.
  public func settings(of scope: Scope) throws -> ProjectSettings {
    guard case .settings(let settings) = try record(.settings, in: scope) else {
      return ProjectSettings()
    }
    return settings
  }

  /// Tells if settings were ever stored for a scope.
  public func exists(_ scope: Scope) throws -> Bool {
    try record(.settings, in: scope) != nil
  }

  public func checkpoint(_ name: String, in scope: Scope) throws -> String? {
    guard case .checkpoint(let text) = try record(.checkpoint(name), in: scope) else { return nil }
    return text
  }

  public func oneTimeRecord(_ id: String, in scope: Scope) throws -> OneTimeRecord? {
    guard case .oneTimeRecord(let found) = try record(.oneTimeRecord(id), in: scope) else {
      return nil
    }
    return found
  }

  public func session(_ id: String, in scope: Scope) throws -> SessionRecord? {
    guard case .session(let session) = try record(.session(id), in: scope) else { return nil }
    return session
  }

  public func accountCount(in scope: Scope) throws -> Int {
    guard case .count(let count) = try record(.accountCount, in: scope) else { return 0 }
    return count
  }
}
