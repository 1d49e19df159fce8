/// The continuation of the session that makes a change, committed with the change.
///
/// If the change ends every session, the new one begins at the time of the change. A session that is not recent does
/// not continue after it ends itself.
public struct SessionContinuation: Sendable {
  /// The provider of a session, and the identity whose credential opened it, if one did.
  public struct WayIn: Sendable {
    let provider: ProviderID
    let identity: IdentityKey?

    /// Names a way to sign in.
    public init(_ provider: ProviderID, _ identity: IdentityKey?) {
      self.provider = provider
      self.identity = identity
    }
  }

  /// The second factor that the session has shown.
  var factor: SessionGrant.Factor?
  let claims: JSONValue
  let isUnconditional: Bool
  let wayIn: @Sendable (Account) -> WayIn?

  /// Describes the session that continues.
  ///
  /// - Parameters:
  ///   - factor: the second factor that the session has shown.
  ///   - claims: the claims of the session, which stay.
  ///   - isUnconditional: true to open a new session even if the change ends none.
  ///   - wayIn: returns the session's way to sign in to the changed account; nil to end it.
  public init(
    showing factor: SessionGrant.Factor?, claims: JSONValue = .null, isUnconditional: Bool = true,
    by wayIn: @escaping @Sendable (Account) -> WayIn?
  ) {
    self.factor = factor
    self.claims = claims
    self.isUnconditional = isUnconditional
    self.wayIn = wayIn
  }

  /// Returns the function that allows the session after the decision on the change.
  func allow(
    for caller: Caller, _ settings: ProjectSettings, _ quirks: EmulatorQuirks
  ) -> Verdict.Allow {
    { account, verdict throws(AuthError) in
      guard isUnconditional || verdict.endedSessions, let wayIn = wayIn(account) else { return nil }
      guard case .session(let id, let signedInAt, _, _) = caller.authority, id == account.id else {
        throw AuthError.notAllowed(
          "There is no session to continue.", remedy: "Sign in first.")
      }
      var begun = signedInAt
      if account.hasEnded(caller.mark, begunAt: signedInAt) {
        let wasRecent = verdict.at <= signedInAt.adding(seconds: settings.recentLoginSeconds)
        let next = verdict.changes.nextSessions(of: id)
        let mayGoOn =
          next != nil && next == account.sessionMark && quirks.isRecent(wasRecent)
        guard !quirks.isOver(!mayGoOn) else { throw AuthError.sessionEnded }
        begun = mayGoOn ? account.validSince ?? verdict.at : verdict.at
      }
      return try SessionGrant.allow(
        .renewal, account, provider: wayIn.provider, identity: wayIn.identity, at: begun,
        shown: factor, claims: claims, quirks: quirks)
    }
  }
}
