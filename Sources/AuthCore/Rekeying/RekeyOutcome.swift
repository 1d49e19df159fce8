/// An identity that stays as it is because its new key is not free.
public struct RekeyConflict: Hashable, Sendable {
  /// The cause of a conflict.
  public enum Cause: Hashable, Sendable {
    /// Another account owns the new key.
    case ownedBy(AccountID)
    /// Several old subjects map to the same new one.
    case sharedSubject
    /// The new key was itself replaced by a rekey that is still open.
    case replaced
  }

  /// The account of the identity.
  public let account: AccountID
  /// The identity's present key.
  public let key: IdentityKey
  /// The new key that is not free.
  public let newKey: IdentityKey
  /// The cause of the conflict.
  public let cause: Cause
}

/// The outcome of a rekey for some accounts.
public struct RekeyOutcome: Hashable, Sendable {
  /// The number of identities that get their new key.
  public internal(set) var rekeyed = 0
  /// The number of those whose account had already linked the new key.
  public internal(set) var joined = 0
  /// The number of identities that have their new key already, by this rekey or because it equals the old one.
  public internal(set) var already = 0
  /// The identities without a new subject.
  public internal(set) var unmapped: [IdentityKey] = []
  /// The identities in conflict.
  public internal(set) var conflicts: [RekeyConflict] = []
  /// The old and new keys by account, as the audit records them.
  var changes: [Change] = []

  /// The number of identities that were examined.
  public var found: Int { rekeyed + already + unmapped.count + conflicts.count }

  /// An identity with its new key.
  struct Change: Hashable, Sendable, CustomStringConvertible {
    let account: AccountID
    let old: IdentityKey
    let new: IdentityKey

    var description: String { "\(account): \(old) -> \(new)" }
  }
}
