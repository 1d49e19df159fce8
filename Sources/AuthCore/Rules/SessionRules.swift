/// Which sessions of an account go on.
extension Account {
  /// Whether a session that an identity's credential made goes on: the account still has the identity, and has had it since
  /// before the session began.
  ///
  /// An identity that was unlinked and linked again is a new one to its old sessions. A key that was replaced leads to the
  /// identity that replaced it.
  public func keepsSession(of key: IdentityKey, begunAt time: Timestamp) -> Bool {
    identity(reachedBy: key).map { $0.linkedAt <= time } ?? false
  }

  /// When a session begins that is made at a moment: not before what it has to outlast, whatever the clock says.
  ///
  /// A clock that was set back, or another server's that is behind, would otherwise make sessions that are over at once.
  func beginning(of key: IdentityKey?, at now: Timestamp) -> Timestamp {
    let linkedAt = key.flatMap { identity(reachedBy: $0)?.linkedAt }
    return [now, validSince, linkedAt].compactMap(\.self).max() ?? now
  }

  /// Ends every session that exists now, also those that began ahead of the clock.
  mutating func cutSessions(at now: Timestamp) {
    validSince =
      validSince.map { before in
        before > now ? Timestamp(milliseconds: before.milliseconds + 1) : now
      } ?? now
  }
}
