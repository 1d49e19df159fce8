/// A store that can tell whether it accepts changes at present.
public protocol WriteChecking: AccountStore {
  /// Throws ``StoreOutage`` if no change can be written at present.
  ///
  /// The answer comes within two seconds. A commit within the last second is sufficient. Otherwise a probe is written
  /// and rolled back, at most once a second for all callers.
  func checkWriting() async throws(StoreOutage)
}

/// The error of a store that accepts no changes at present.
public struct StoreOutage: Error, Sendable {
  /// The reason, as a server's `/ready` spells it.
  public struct Reason: Hashable, Sendable, CustomStringConvertible {
    /// The reason as text.
    public let description: String
    private init(_ description: String) { self.description = description }

    /// The path names another file than the open one, or none.
    public static let fileGone = Reason("store-file-gone")
    /// The file, its disk or the database server refuses changes.
    public static let readOnly = Reason("store-read-only")
    /// The disk is full.
    public static let full = Reason("store-full")
    /// The database server has no free connection.
    public static let noConnection = Reason("store-no-connection")
    /// A pooler gives each transaction another connection.
    public static let pooler = Reason("store-pooler")
    /// The store was migrated to another one.
    public static let moved = Reason("store-moved")
    /// The database server cannot be reached, or does not answer.
    public static let unreachable = Reason("store-unreachable")
    /// Any other failure.
    public static let failed = Reason("store-failed")
  }

  /// The reason of the outage.
  public let reason: Reason
  /// The error of the failed change.
  public let error: any Error

  /// Makes an outage.
  public init(_ reason: Reason, _ error: any Error) {
    self.reason = reason
    self.error = error
  }
}
