/// Opens stored sessions, each of which is committed with the change that allows it.
///
/// `TokenService` of SessionTokens is an implementation.
public protocol SessionOpening: Sendable {
  /// Returns the session of a grant with the token that renews it; nil if sessions are not stored.
  ///
  /// It is called inside a transaction, perhaps repeatedly, so it must not block or write.
  func open(_ grant: SessionGrant, in scope: Scope, at now: Timestamp) -> OpenedSession?
}

/// A session to be committed.
public struct OpenedSession: Sendable {
  /// The record to store.
  public let record: SessionRecord
  /// The token that renews the session.
  public let refreshToken: Secret<String>

  /// Makes an opened session.
  public init(record: SessionRecord, refreshToken: Secret<String>) {
    self.record = record
    self.refreshToken = refreshToken
  }
}

/// Stores no sessions, as for an admin's console.
struct NoSessions: SessionOpening {
  func open(_ grant: SessionGrant, in scope: Scope, at now: Timestamp) -> OpenedSession? { nil }
}
