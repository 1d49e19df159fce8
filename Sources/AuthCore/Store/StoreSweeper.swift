/// Finds and removes what nobody needs any more, inside one transaction of a sweep.
///
/// Not to be kept beyond it.
public protocol StoreSweeper: AccountReader {
  /// Removes records of all scopes whose time was over at a moment, the oldest first; returns their number.
  ///
  /// A waiting message stays for a day longer, so that its sender can report it. Records that another sweep is removing
  /// are passed over.
  func removeOneTimeRecords(expiredBefore moment: Timestamp, limit: Int) throws -> Int
  /// The end of the record that expires first, or expired first; nil if there are none.
  func firstEndOfOneTimeRecords() throws -> Timestamp?
  /// A page of the sessions of all scopes, in order of scope and ID, beginning behind `after`.
  func sessions(after place: SessionPlace?, limit: Int) throws -> [PlacedSession]
  func removeSession(_ id: String, in scope: Scope) throws
  /// The first scope with events behind another one, in order of project and tenant; also one that was deleted.
  func scopeOfEvents(after scope: Scope?) throws -> Scope?
  /// Events of a scope with a larger sequence than `after`, oldest first.
  func oldestEvents(after sequence: Int64, limit: Int, in scope: Scope) throws -> [AuditEvent]
  /// Removes an event from the audit; its accounts' histories no longer have it.
  func remove(_ event: AuditEvent) throws
  func removeDelivery(_ sequence: Int64) throws
  /// Removes the journal entries that ended at a moment or before.
  func removeMerges(endedBefore moment: Timestamp, in scope: Scope) throws
}

/// Where a session lies among those of all scopes.
public struct SessionPlace: Hashable, Sendable {
  public let scope: Scope
  public let id: String

  public init(scope: Scope, id: String) {
    self.scope = scope
    self.id = id
  }
}

/// A session with its scope.
public struct PlacedSession: Hashable, Sendable {
  public let scope: Scope
  public let session: SessionRecord
  /// Whether its account is there under its uid.
  public let hasAccount: Bool

  public init(scope: Scope, session: SessionRecord, hasAccount: Bool) {
    self.scope = scope
    self.session = session
    self.hasAccount = hasAccount
  }

  var place: SessionPlace { SessionPlace(scope: scope, id: session.id) }
}
