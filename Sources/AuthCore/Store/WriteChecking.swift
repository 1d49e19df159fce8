/// A store that can say whether it takes changes now.
public protocol WriteChecking: AccountStore {
  /// Throws ``StoreOutage`` if no change can be written now.
  ///
  /// An answer comes within two seconds. Changes that were committed less than a second ago are answer enough;
  /// otherwise something is written and taken back, at most once a second for all who ask.
  func checkWriting() async throws(StoreOutage)
}

/// A store takes no changes now.
public struct StoreOutage: Error, Sendable {
  /// The reason, in the words of a server's `/ready`.
  public struct Reason: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    private init(_ description: String) { self.description = description }

    /// The path names another file than the open one, or none.
    public static let fileGone = Reason("store-file-gone")
    /// The file, its disk or the database server takes no changes.
    public static let readOnly = Reason("store-read-only")
    /// The disk has no room left.
    public static let full = Reason("store-full")
    /// The database server has no connection free.
    public static let noConnection = Reason("store-no-connection")
    /// A pooler gives each transaction another connection.
    public static let pooler = Reason("store-pooler")
    /// The store was moved to another one.
    public static let moved = Reason("store-moved")
    /// The database server cannot be reached, or does not answer.
    public static let unreachable = Reason("store-unreachable")
    /// Any other failure.
    public static let failed = Reason("store-failed")
  }

  public let reason: Reason
  /// The error of a change.
  public let error: any Error

  public init(_ reason: Reason, _ error: any Error) {
    self.reason = reason
    self.error = error
  }
}
