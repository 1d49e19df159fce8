/// The key of one record of a scope.
public enum RecordKey: Hashable, Sendable {
  /// The account with exactly this uid.
  case account(AccountID)
  /// The account that has an identity with this key, or one that replaced it.
  case owner(IdentityKey)
  /// The uid that an absorbed one leads to, in one step.
  case survivor(AccountID)
  /// The event with this ID.
  case event(String)
  /// The merge with this ID.
  case merge(String)
  /// The decision of merge policies about a conflict, by the ID of its event.
  case decision(String)
  /// The settings; no record if none were stored.
  case settings
  /// The text that is stored under a name.
  case checkpoint(String)
  /// A one-time record, even an expired one until it is removed.
  case oneTimeRecord(String)
  /// The session of a refresh token's digest.
  case session(String)
  /// The number of accounts that match.
  case accountCount(AccountFilter)
}

/// A record that a store found.
public enum StoredRecord: Hashable, Sendable {
  case account(Account)
  case uid(AccountID)
  case event(AuditEvent)
  case merge(MergeRecord)
  case decision(PolicyDecision)
  case settings(ProjectSettings)
  case checkpoint(String)
  case oneTimeRecord(OneTimeRecord)
  case session(SessionRecord)
  case count(Int)
}

/// Functions for the records by kind.
extension AccountReader {
  /// Returns the account with exactly this uid.
  public func account(_ id: AccountID, in scope: Scope) throws -> Account? {
    guard case .account(let account) = try record(.account(id), in: scope) else { return nil }
    return account
  }

  /// Returns the account that has an identity with this key, or one that replaced it.
  public func account(owning key: IdentityKey, in scope: Scope) throws -> Account? {
    guard case .account(let account) = try record(.owner(key), in: scope) else { return nil }
    return account
  }

  /// Returns the uid of ``account(owning:in:)``.
  public func owner(of key: IdentityKey, in scope: Scope) throws -> AccountID? {
    try account(owning: key, in: scope)?.id
  }

  /// Returns the uid that an absorbed one leads to, in one step.
  public func survivor(of absorbed: AccountID, in scope: Scope) throws -> AccountID? {
    guard case .uid(let id) = try record(.survivor(absorbed), in: scope) else { return nil }
    return id
  }

  /// Returns the event with this ID.
  public func event(_ id: String, in scope: Scope) throws -> AuditEvent? {
    guard case .event(let event) = try record(.event(id), in: scope) else { return nil }
    return event
  }

  /// Returns the merge with this ID.
  public func merge(_ id: String, in scope: Scope) throws -> MergeRecord? {
    guard case .merge(let merge) = try record(.merge(id), in: scope) else { return nil }
    return merge
  }

  /// Returns the decision of merge policies that the event with this ID records.
  public func decision(_ id: String, in scope: Scope) throws -> PolicyDecision? {
    guard case .decision(let decision) = try record(.decision(id), in: scope) else { return nil }
    return decision
  }

  /// Returns the settings of a scope; the defaults if none were stored.
  public func settings(of scope: Scope) throws -> ProjectSettings {
    guard case .settings(let settings) = try record(.settings, in: scope) else {
      return ProjectSettings()
    }
    return settings
  }

  /// Tells whether settings were ever stored for a scope.
  public func exists(_ scope: Scope) throws -> Bool {
    try record(.settings, in: scope) != nil
  }

  /// Returns the text that is stored under a name.
  public func checkpoint(_ name: String, in scope: Scope) throws -> String? {
    guard case .checkpoint(let text) = try record(.checkpoint(name), in: scope) else { return nil }
    return text
  }

  /// Returns a one-time record, even an expired one until it is removed.
  public func oneTimeRecord(_ id: String, in scope: Scope) throws -> OneTimeRecord? {
    guard case .oneTimeRecord(let found) = try record(.oneTimeRecord(id), in: scope) else {
      return nil
    }
    return found
  }

  /// Returns the session of a refresh token's digest.
  public func session(_ id: String, in scope: Scope) throws -> SessionRecord? {
    guard case .session(let session) = try record(.session(id), in: scope) else { return nil }
    return session
  }

  /// Returns the number of accounts in a scope, or of those that match.
  public func accountCount(
    matching filter: AccountFilter = AccountFilter(), in scope: Scope
  ) throws -> Int {
    guard case .count(let count) = try record(.accountCount(filter), in: scope) else { return 0 }
    return count
  }
}
