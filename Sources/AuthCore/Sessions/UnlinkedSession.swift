/// A session that unlinked the identity with which it began, and continues.
///
/// Clients of Firebase keep their tokens when they unlink. So the account names the session that acted, by the
/// millisecond of its sign-in; every other session of the identity is over. Part of the account's details; void once the
/// account's sessions are ended.
public struct UnlinkedSession: Hashable, Sendable, Codable {
  /// The keys of the identity, its own first.
  public var keys: [IdentityKey]
  /// The time of the session's sign-in, in the milliseconds that its tokens name.
  public var signedInAt: Timestamp

  /// Names a session.
  public init(keys: [IdentityKey], signedInAt: Timestamp) {
    self.keys = keys
    self.signedInAt = signedInAt
  }

  /// The number of sessions that an account names; the oldest is forgotten, and so is over.
  static let maximum = 4
}

extension UnlinkedSession: FieldRecord {
  package static var blank: UnlinkedSession {
    UnlinkedSession(keys: [], signedInAt: Timestamp(milliseconds: 0))
  }
  package static let fields: FieldList<UnlinkedSession> = [
    Field("keys", \.keys), Field("signedInAt", \.signedInAt),
  ]
}

extension Account {
  /// Returns the key of the unlinked identity with which a session began that continues; nil if it does not.
  ///
  /// No session outlives the account's last way in, except for an account that the app names.
  public func keptKey(
    ofSessionBegunAt time: Timestamp, where names: (IdentityKey) -> Bool
  ) -> IdentityKey? {
    guard !identities.isEmpty || isNamedByApp else { return nil }
    return details.keptSessions.lazy.filter { $0.signedInAt == time }.flatMap(\.keys)
      .first(where: names)
  }

  /// Returns the account without the sessions that it kept for identities that it loses now, except the caller's.
  ///
  /// Only a session's own removal of the identity keeps it. A change that ends all sessions, or moves the address, ends
  /// it too.
  fileprivate func keepingSession(
    of caller: Caller, since old: Account, isOwnRemoval: Bool
  ) -> Account {
    guard sessionMark == old.sessionMark else { return self }
    let lost = old.identities.filter { !keeps($0) }
    guard !lost.isEmpty else { return self }
    var account = self
    account.details.keptSessions.removeAll {
      $0.keys.contains { key in lost.contains { $0.owns(key) } }
    }
    guard isOwnRemoval, email == old.email,
      case .session(id, let signedInAt, _, let key?) = caller.authority,
      old.keepsSession(of: key, begunAt: signedInAt),
      let identity = lost.first(where: { $0.owns(key) })
    else { return account }
    let others = account.details.keptSessions.suffix(UnlinkedSession.maximum - 1)
    account.details.keptSessions =
      others + [UnlinkedSession(keys: identity.keys, signedInAt: signedInAt)]
    return account
  }
}

extension Verdict {
  /// Keeps the session that removes its own identity, and no longer those whose identity is removed by others.
  mutating func keepSession(of caller: Caller, on snapshot: Snapshot) {
    guard !action.restoresEarlierState else { return }
    for index in changes.updated.indices {
      let update = changes.updated[index]
      let new = update.new.keepingSession(
        of: caller, since: update.old, isOwnRemoval: [.unlink, .update].contains(action))
      guard new != update.new else { continue }
      changes.updated[index] = ChangeSet.Update(old: update.old, new: new)
      if account?.id == new.id { account = new }
      replaceRow(new, from: snapshot)
    }
  }
}
