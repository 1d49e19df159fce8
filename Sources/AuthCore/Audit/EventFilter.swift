/// The conditions of a search for events, all of which must hold.
public struct EventFilter: Hashable, Sendable {
  /// The accounts of which one is involved; nil for all events.
  public var accounts: [AccountID]?
  /// The operation.
  public var action: Action?
  /// The caller's name, such as `admin:ada`.
  public var actor: String?
  /// The code of a refusal.
  public var errorCode: String?
  /// The ID of the request, or of the console's session with all its statements.
  public var requestID: String?
  /// The earliest time.
  public var since: Timestamp?
  /// The time before which the event was.
  public var until: Timestamp?

  /// Makes a filter that every event matches, or those about some accounts.
  public init(accounts: [AccountID]? = nil) {
    self.accounts = accounts
  }

  /// Tells whether an event meets every condition.
  public func matches(_ event: AuditEvent) -> Bool {
    (accounts.map { $0.contains(where: event.involves) } ?? true)
      && (action == nil || event.action == action)
      && (actor.map(event.actor.isExactly) ?? true)
      && (errorCode.map { event.errorCode?.isExactly($0) == true } ?? true)
      && (since.map { event.at >= $0 } ?? true) && (until.map { event.at < $0 } ?? true)
      && matchesRequest(of: event)
  }

  /// Tells whether an event is of the request, which a store may leave to this function.
  package func matchesRequest(of event: AuditEvent) -> Bool {
    guard let requestID else { return true }
    guard let found = event.requestID else { return false }
    return found.isExactly(requestID) || Self.statement(found, isOf: requestID)
  }

  /// Tells whether a request is a statement of a session on a server, whose number follows the session's ID.
  private static func statement(_ request: String, isOf session: String) -> Bool {
    guard session.hasPrefix("console-"), request.hasPrefix("\(session)-") else { return false }
    let number = request.utf8.dropFirst(session.utf8.count + 1)
    return !number.isEmpty && number.allSatisfy { (0x30...0x39).contains($0) }
  }
}

extension AuditEvent {
  /// Tells whether the event is about an account, or one of the others involved is it.
  fileprivate func involves(_ account: AccountID) -> Bool {
    accountID == account || relatedIDs.contains(account)
  }
}
