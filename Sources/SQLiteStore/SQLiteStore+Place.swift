public import AuthCore

extension SQLiteStore: FileBackedStore {
  /// Throws `store-unavailable` unless the path, and the log beside it, name the open files.
  ///
  /// Does nothing for a store in memory.
  public func checkFile() throws(AuthError) {
    try file.place.check()
  }

  /// Returns a stream of problems with the file's place; nil once the files are back.
  public func fileChanges() -> AsyncStream<AuthError?> {
    file.place.changes()
  }
}
