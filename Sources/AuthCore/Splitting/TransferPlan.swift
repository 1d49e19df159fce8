/// The plan of a split or a move of identities, with nothing written: both accounts before and after.
public struct TransferPlan: Hashable, Sendable {
  /// The kind of the change.
  public enum Kind: Hashable, Sendable {
    /// Some identities become a new account.
    case split(SplitRules)
    /// One identity goes to an account that exists.
    case move(IdentityKey)

    var action: Action {
      switch self {
      case .split: .split
      case .move: .move
      }
    }
  }

  /// One field of the two accounts after the change.
  public struct FieldOutcome: Hashable, Sendable {
    /// The field.
    public let field: SplitField
    /// The value that the account has now.
    public let before: String?
    /// The value that it has afterwards.
    public let source: String?
    /// The other account's value afterwards.
    public let target: String?
    /// The reason: `keep`, `move`, `copy`, or `follows its identity`.
    public let rule: String
  }

  /// The kind of the change, with what was asked.
  public let kind: Kind
  /// The account that has the identities now.
  public let source: Account
  /// The account that gets them, as it is now; nil for a split.
  public let target: Account?
  /// The account without the identities.
  public let sourceAfter: Account
  /// The account with the identities.
  public let targetAfter: Account
  /// The identities that go, also those that belong to the address of a named one.
  public let movedIdentities: [IdentityKey]
  /// The fields with their outcomes.
  public let fields: [FieldOutcome]
  /// The accounts whose sessions end; sessions of the moved identities end in any case.
  public let cutSessions: [AccountID]
  /// The uids that have no way to sign in afterwards, so that the commit has to be forced.
  public let shutAccounts: [AccountID]
}

extension TransferPlan {
  /// Notes for an admin to read before the commit.
  public var notes: [String] {
    var notes = shutAccounts.map {
      "\($0) would have no way to sign in: commit with force = true, or choose other identities."
    }
    notes += movedIdentities.filter { !named.contains($0) }.map {
      "\($0) goes too, because it signs in with the same address."
    }
    if let target, source.disabled != target.disabled {
      notes.append(
        "One of the accounts is disabled: \(source.disabled ? source.id : target.id).")
    } else if source.disabled {
      notes.append("\(source.id) is disabled, and so is \(targetAfter.id).")
    }
    if !source.secondFactors.isEmpty, targetAfter.secondFactors.isEmpty {
      notes.append(
        "\(targetAfter.id) has no second factor: the identities go from behind one.")
    }
    return notes
  }

  private var named: [IdentityKey] {
    switch kind {
    case .split(let rules): rules.identities
    case .move(let key): [key]
    }
  }

  /// The accounts that a script is asked about before the change, each with the identities that it loses or gets.
  ///
  /// `before_unlink` is asked about the losing account, and `before_link` about the other one.
  var questions: (unlink: (Account, [Identity]), link: (Account, [Identity])) {
    let lost = source.identities.filter { movedIdentities.contains($0.key) }
    let gained = targetAfter.identities.filter { movedIdentities.contains($0.key) }
    return ((source, lost), (target ?? targetAfter, gained))
  }
}

extension AuthError {
  /// The refusal of a split or a move.
  static func transferRefused(
    _ message: String, field: String? = nil, _ remedy: String
  ) -> AuthError {
    AuthError(.operationNotAllowed, message, field: field, remedy: remedy, step: .decision)
  }
}
