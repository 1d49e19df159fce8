/// Opens the sessions that are kept, so that each is committed with the change that allows it.
///
/// `TokenService` of SessionTokens is one.
public protocol SessionOpening: Sendable {
  /// The session of a grant, with the token that renews it; nil if sessions are not kept.
  ///
  /// It is called inside a transaction, perhaps more than once: it waits for nothing and writes nothing.
  func open(_ grant: SessionGrant, in scope: Scope, at now: Timestamp) -> OpenedSession?
}

/// A session that is about to be committed.
public struct OpenedSession: Sendable {
  public let record: SessionRecord
  public let refreshToken: Secret<String>

  public init(record: SessionRecord, refreshToken: Secret<String>) {
    self.record = record
    self.refreshToken = refreshToken
  }
}

/// Keeps no sessions, as an admin's console does.
struct NoSessions: SessionOpening {
  func open(_ grant: SessionGrant, in scope: Scope, at now: Timestamp) -> OpenedSession? { nil }
}
