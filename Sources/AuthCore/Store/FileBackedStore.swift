/// A store in a file that may be moved, removed or replaced while it is open.
///
/// While its path names another file or none, it refuses writes, which would be lost with the open file.
public protocol FileBackedStore: AccountStore {
  /// Compares the open file with the one at its path.
  ///
  /// Throws `store-unavailable`, with ``StoreFileGone`` as its cause, if they differ. It takes microseconds.
  func checkFile() throws

  /// Returns the changes from now on: the refusal when the file is gone, and nil when it is back.
  func fileChanges() -> AsyncStream<AuthError?>
}

/// The cause of a refusal because the store's path names another file than the open one.
///
/// The store reports each change once, so a refused request need not be logged again.
public struct StoreFileGone: Error, Hashable, Sendable {
  /// Makes the cause.
  public init() {}
}
