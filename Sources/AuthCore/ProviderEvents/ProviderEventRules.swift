/// The rules that decide what a vendor's event changes.
///
/// Google asks that sessions end and sign-ins stop, Apple that a revoked identity goes. An event never removes the last
/// way in, never undoes a newer sign-in, and never changes whether an account may sign in by its other identities.
enum ProviderEventRules {
  /// The consequence of an event for the account that owns the identity.
  enum Effect: String, Sendable {
    /// The app is told, and nothing changes.
    case told
    /// The event is older than what is known.
    case outdated
    case sessionsEnded = "sessions-ended"
    case suspended, enabled, unlinked
  }
}

extension RuleEvaluation {
  /// Decides on an event, and returns its effect and the account after it.
  mutating func decide(
    _ event: ProviderEvent, about identity: Identity, of account: Account, _ ways: WaysIn
  ) -> (effect: ProviderEventRules.Effect, account: Account) {
    let at = min(event.at ?? now, now)
    if identity.linkedAt > at {
      trace.note("newer link", ["linked at": identity.linkedAt.text], "the event is older")
      return (.outdated, account)
    }
    let known = account.mark(of: identity)
    let isOutdated = known.map { $0.at > at } ?? false
    var mark = known ?? VendorMark(key: identity.key, at: at)
    mark.at = max(mark.at, at)
    if isOutdated { trace.note("newer event", ["event at": known?.at.text], "it counts") }
    switch event.kind {
    case .emailDisabled, .emailEnabled, .emailChanged, .credentialChanged:
      return (.told, account)
    case .accountEnabled:
      guard !isOutdated else { return (.outdated, account) }
      mark.suspendedBy = nil
      return (.enabled, account.with(mark, on: identity))
    case .sessionEnded, .accountDisabled, .consentRevoked, .identityDeleted: break
    }
    mark.sessionsEndedAt = account.endOfSessions(at: now)
    trace.note("sessions", ["identity": identity.key.description], "those that it began end")
    // A sign-in after the event shows that the vendor lets the person in again.
    let isNewer = identity.lastSignInAt.map { $0 > at } ?? false
    guard event.kind != .sessionEnded, !isOutdated, !isNewer else {
      if isNewer {
        trace.note("newer sign-in", ["at": identity.lastSignInAt?.text], "the identity stays")
      }
      return (.sessionsEnded, account.with(mark, on: identity))
    }
    if event.kind != .accountDisabled {
      let after = account.unlinking([identity.key])
      let permission = WaysIn.Permission(followsSetting: false)
      if ways.remain(from: [account], to: after, by: permission, &trace) {
        return (.unlinked, after)
      }
    }
    mark.suspendedBy = event.kind
    return (.suspended, account.with(mark, on: identity))
  }

  /// Refuses a credential from before the latest event that its vendor reported.
  mutating func refuseStopped(_ request: LinkRequest) -> Decision? {
    guard snapshot.hasMarks, let identity = request.identity, let key = identity.key else {
      return nil
    }
    let adopted = snapshot.adoption(by: identity)
    guard let owner = owner(of: key) ?? adopted?.account,
      let mark = owner.mark(reachedBy: adopted?.former ?? key), mark.stops(identity)
    else { return nil }
    trace.note(
      "vendor's event",
      [
        "identity": key.description, "at": mark.at.text, "suspended by": mark.suspendedBy?.rawValue,
      ], "the credential is from before it")
    return .refuse(.identitySuspended)
  }
}

extension Account {
  fileprivate func with(_ mark: VendorMark, on identity: Identity) -> Account {
    var account = self
    account.set(mark, on: identity)
    return account
  }

  /// Returns a time after the beginning of every present session.
  fileprivate func endOfSessions(at now: Timestamp) -> Timestamp {
    guard let newest = newestSession(at: now) else { return now }
    return max(now, Timestamp(milliseconds: newest.milliseconds + 1))
  }
}

extension AuthError {
  static let identitySuspended = AuthError(
    .identitySuspended, "The provider ended this sign-in after the credential was issued.",
    remedy: "Sign in at the provider again, or with another identity of the account.",
    step: .decision)
}
