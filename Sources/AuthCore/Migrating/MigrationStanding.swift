/// The answer of the store to the question whether the old system may be asked for the password of an address.
enum MigrationStanding: Hashable, Sendable {
  /// No account has the address.
  case unknown
  /// An import left the password of this account with the old system.
  case awaiting(AccountID)
  /// An account has the address with a password of its own or with other ways in, or an account left it.
  case closed
}

extension Identity {
  /// True for a password that an import left with the old system.
  public var isElsewhere: Bool { key.provider == .password && secret == nil && origin == .imported }
}

extension Snapshot {
  /// Decides whether the old system may be asked.
  ///
  /// An account that has the address in any other way is closed, so that a word of the old system never leads into an
  /// account of another person. An address that an account left is closed too: a deleted account stays deleted.
  func migrationStanding(of email: EmailAddress, at now: Timestamp) -> MigrationStanding {
    if let owner = accounts(.identity(.password(email))).first {
      let isElsewhere = owner.identity(.password(email))?.isElsewhere ?? false
      return isElsewhere ? .awaiting(owner.id) : .closed
    }
    let others = accounts(.email(email)) + accounts(.identity(.emailLink(email)))
    let isLeft = used.contains(OneTimeUse.left(email, at: now).name)
    return others.isEmpty && !isLeft ? .unknown : .closed
  }
}

extension SnapshotQuery {
  /// Makes the query for ``Snapshot/migrationStanding(of:at:)``.
  static func migration(
    of email: EmailAddress, in scope: Scope, at now: Timestamp
  ) -> SnapshotQuery {
    SnapshotQuery(email.ownershipKeys, uses: [.left(email, at: now)], in: scope)
  }
}
