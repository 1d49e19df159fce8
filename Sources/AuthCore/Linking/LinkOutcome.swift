/// The outcome of a decided request on one snapshot: the changes to commit, or the refusal.
///
/// Nothing is loaded or written, so that tests can run the rules on every small snapshot.
package struct LinkOutcome: Sendable {
  package struct Change: Sendable {
    /// The account before; nil for a new one.
    package let old: Account?
    /// The account after; nil for an absorbed one.
    package let new: Account?
  }

  package let error: AuthError?
  /// The changed accounts; empty for a refusal.
  package let changes: [Change]
  package let merge: MergeRecord?
  /// The session that the change gives; nil if none.
  package let session: SessionGrant?
  package let trace: Trace
}

extension AccountGraph {
  /// Returns the outcome of a decision about a request.
  package func outcome(
    of request: LinkRequest, decided decision: Decision, _ trace: Trace,
    shown: SecondFactorProof?, by caller: Caller, newID: AccountID, at now: Timestamp,
    _ snapshot: Snapshot
  ) throws -> LinkOutcome {
    let context = OperationContext(
      snapshot: snapshot, moment: Moment(now: now, eventID: "outcome"), caller: caller)
    let identity = try request.shownIdentity(asserting: IdentityProfile())
    var verdict = plan(
      decision, trace, of: request, identity, newID: newID, giving: request.session(after: shown),
      on: context)
    let refusal = verdict.error
    try judge(&verdict, on: context)
    verdict.explain(refusedByRules: refusal, by: caller)
    verdict.beginSession(NoSessions(), at: now)
    return LinkOutcome(verdict)
  }
}

extension LinkRequest {
  /// Returns the session that the request asks for; a link gives one if it waited for a second factor.
  fileprivate func session(after shown: SecondFactorProof?) -> CredentialSession? {
    if let shown { return CredentialSession(.secondFactor, showing: shown.factor) }
    return switch self {
    case .signIn: CredentialSession(.signIn)
    case .signUp: CredentialSession(.signUp)
    case .link, .assert, .unlink: nil
    }
  }
}

extension LinkOutcome {
  fileprivate init(_ verdict: Verdict) {
    let changes = verdict.error == nil ? verdict.changes : ChangeSet()
    error = verdict.error
    self.changes =
      changes.inserted.map { Change(old: nil, new: $0) }
      + changes.updated.map { Change(old: $0.old, new: $0.new) }
      + changes.deleted.map { Change(old: $0, new: nil) }
    merge = changes.merge
    session = try? verdict.session?.get()
    trace = verdict.trace
  }
}
