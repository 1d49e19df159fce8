/// Takes events to whoever wants to hear of them, such as the app's own server.
public protocol OutboxSink: Sendable {
  /// Delivers an event, or throws; then it comes again later.
  ///
  /// An event comes at least once. Its ID tells a repetition, and events of one account come in order.
  func deliver(_ event: AuditEvent) async throws
}

extension AuditEvent {
  /// Whether apps hear of it: accounts that come, go, merge or get and lose ways in; no refusals.
  public var concernsApps: Bool {
    guard errorCode == nil else { return false }
    switch action {
    case .signUp, .create, .delete, .takeOver, .link, .assert, .unlink, .merge, .undoMerge, .mend,
      .enroll, .unenroll, .deleteAllAccounts:
      return true
    case .signIn:
      return details["isNewUser"] == true || details["linked"] == true
    default:
      return false
    }
  }

  /// The uid that a merge absorbed, which is the first of its related ones; empty for every other event.
  public var mergedFrom: [AccountID] { action == .merge ? Array(relatedIDs.prefix(1)) : [] }

  /// Whom it is about.
  package var accounts: Set<AccountID> { Set(relatedIDs + [accountID].compactMap(\.self)) }
}
