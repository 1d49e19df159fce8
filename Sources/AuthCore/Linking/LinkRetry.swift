/// The mark by which a session's link is recognised if its client sends it again, because the answer was lost.
///
/// A used one-time value is accepted again only for the same account, the same session and the same identity, within
/// ``window``. The repeated link changes nothing.
struct LinkRetry: Sendable, Hashable {
  /// The time in seconds within which a link with used one-time values can be repeated.
  static let window: Int64 = 600

  private let account: AccountID
  private let signedInAt: Timestamp

  /// Names the session that links to an account; nil for every other caller.
  init?(linking account: AccountID?, by caller: Caller) {
    guard case .session(let holder, let signedInAt, _, _) = caller.authority, holder == account
    else { return nil }
    (self.account, self.signedInAt) = (holder, signedInAt)
  }

  /// Returns the mark of a one-time value that this session used.
  func mark(of use: OneTimeUse, at now: Timestamp) -> OneTimeUse {
    OneTimeUse(
      "\(use.name):again:\(account):\(signedInAt.milliseconds)",
      expiresAt: now.adding(seconds: Self.window))
  }
}

extension LinkRequest {
  /// Returns the marks of a session's link, by which the snapshot shows whether it is a repetition.
  func retryMarks(by caller: Caller, at now: Timestamp) -> [OneTimeUse] {
    guard case .link(let identity, let account) = self,
      let retry = LinkRetry(linking: account, by: caller)
    else { return [] }
    return identity.uses.map { retry.mark(of: $0, at: now) }
  }
}

extension RuleEvaluation {
  /// Tells whether a link with used one-time values is one that the same session made just now.
  mutating func isRetried(_ request: LinkRequest) -> Bool {
    guard case .link(let identity, let id) = request, let key = identity.key,
      let retry = LinkRetry(linking: id, by: caller),
      let linked = snapshot.accounts[id]?.identity(key),
      quirks.allowsRelinking(key, onWord: false) == nil,
      now <= linked.linkedAt.adding(seconds: LinkRetry.window)
    else { return false }
    let used = identity.uses.filter { snapshot.used.contains($0.name) }
    guard used.allSatisfy({ snapshot.used.contains(retry.mark(of: $0, at: now).name) }) else {
      return false
    }
    trace.note(
      "one-time use", ["identity": key.description], "repeated by the session that used it")
    return true
  }

  /// Decides the link of an identity that the session's account has: nothing changes.
  ///
  /// A new password for the same address is no repetition.
  mutating func linkedAlready(_ identity: VerifiedIdentity, on account: Account) -> Decision? {
    guard let key = identity.key, account.identity(key) != nil,
      LinkRetry(linking: account.id, by: caller) != nil,
      quirks.allowsRelinking(key, onWord: false) == nil
    else { return nil }
    if case .chosen = identity.secret { return nil }
    trace.note("linked already", ["identity": key.description], "by this account: nothing changes")
    return .linkedAlready(account.id)
  }
}
