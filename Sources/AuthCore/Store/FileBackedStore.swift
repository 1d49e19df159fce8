/// A store in a file, which may be moved, removed or replaced while it is open.
///
/// While its path names another file, or none, it takes no writes: they would be lost with the file that it has open.
public protocol FileBackedStore: AccountStore {
  /// Compares the open file with the one that the path names.
  ///
  /// Throws `store-unavailable`, with ``StoreFileGone`` as its cause, if they differ. Costs a few microseconds.
  func checkFile() throws

  /// Changes from now on: the refusal once the file is gone, and nil once it is back.
  func fileChanges() -> AsyncStream<AuthError?>
}

/// The cause of a refusal by a store whose path names another file than the open one.
///
/// The store announces each change once, so that a refused request need not be logged again.
public struct StoreFileGone: Error, Hashable, Sendable {
  public init() {}
}
