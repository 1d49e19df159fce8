/// A request of a person who is signed in to two accounts: "this identity is mine, bring it here".
public struct OwnMove: Sendable, Hashable {
  /// The session of the account that gets the identity.
  public var target: ProvenSession
  /// The session of the account that has it.
  public var source: ProvenSession

  /// Makes a request.
  public init(from source: ProvenSession, to target: ProvenSession) {
    self.source = source
    self.target = target
  }
}

/// The result of a person's own move.
public struct OwnMoveResult: Sendable, Hashable {
  /// The account that has the identity now.
  public let account: Account
  /// The identities that went, also those that belong to the same address.
  public let moved: [IdentityKey]
  /// The receipt; its ID is that of the move, which an admin can undo.
  public let receipt: Receipt
}
