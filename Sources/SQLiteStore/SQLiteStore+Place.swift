public import AuthCore

extension SQLiteStore: FileBackedStore {
  /// Throws `store-unavailable` unless the path, and the log beside it, name the open files; nothing for a store in memory.
  public func checkFile() throws(AuthError) {
    try file.place.check()
  }

  public func fileChanges() -> AsyncStream<AuthError?> {
    file.place.changes()
  }
}
