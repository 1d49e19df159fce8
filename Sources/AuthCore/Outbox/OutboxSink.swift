/// A receiver of events, such as the app's own server.
public protocol OutboxSink: Sendable {
  /// Delivers an event, or throws to have it delivered again later.
  ///
  /// An event arrives at least once, and its ID identifies a repetition. Events of one account arrive in order.
  func deliver(_ event: AuditEvent) async throws
}

extension AuditEvent {
  /// True for events that apps receive: accounts created, deleted, restored, merged or split, and identities added,
  /// moved or removed, and what a vendor reported about an account; no refusals.
  public var concernsApps: Bool {
    guard errorCode == nil else { return false }
    switch action {
    case .signUp, .create, .delete, .restore, .takeOver, .link, .assert, .unlink, .merge,
      .undoMerge, .split, .move, .undoSplit, .undoMove, .mend, .enroll, .unenroll,
      .deleteAllAccounts:
      return true
    case .signIn:
      return details["isNewUser"] == true || details["linked"] == true
    case .providerEvent:
      return accountID != nil
    default:
      return false
    }
  }

  /// The uid that a merge absorbed, the first of its related ones; empty for every other event.
  public var mergedFrom: [AccountID] { action == .merge ? Array(relatedIDs.prefix(1)) : [] }

  /// The accounts that the event is about.
  package var accounts: Set<AccountID> { Set(relatedIDs + [accountID].compactMap(\.self)) }
}
