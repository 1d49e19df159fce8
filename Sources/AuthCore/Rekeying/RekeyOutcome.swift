/// An identity that stays as it is because its new key is not free.
public struct RekeyConflict: Hashable, Sendable {
  /// What is in the way.
  public enum Cause: Hashable, Sendable {
    /// Another account owns the new key.
    case ownedBy(AccountID)
    /// Several old subjects were given this new one, and only one can be right.
    case sharedSubject
    /// The new key was itself replaced by a rekey that is not over.
    case replaced
  }

  public let account: AccountID
  public let key: IdentityKey
  public let newKey: IdentityKey
  public let cause: Cause
}

/// What a rekey does, or would do, to some accounts.
public struct RekeyOutcome: Hashable, Sendable {
  /// Identities that get their new key.
  public internal(set) var rekeyed = 0
  /// Those among them whose account had linked the new key itself.
  public internal(set) var joined = 0
  /// Identities that have their new key already, by this rekey or because it is the old one.
  public internal(set) var already = 0
  /// Identities without a new subject.
  public internal(set) var unmapped: [IdentityKey] = []
  public internal(set) var conflicts: [RekeyConflict] = []
  /// Old and new key by account, as the audit keeps them.
  var changes: [Change] = []

  /// Identities that were looked at.
  public var found: Int { rekeyed + already + unmapped.count + conflicts.count }

  /// One identity with its new key.
  struct Change: Hashable, Sendable, CustomStringConvertible {
    let account: AccountID
    let old: IdentityKey
    let new: IdentityKey

    var description: String { "\(account): \(old) -> \(new)" }
  }
}
