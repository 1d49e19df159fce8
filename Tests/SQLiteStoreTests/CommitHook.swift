import CSQLite3

@testable import SQLiteStore

/// A hook that runs a closure once in the middle of a commit, after all checks before it.
final class CommitHook {
  private var work: (() -> Void)?

  init(_ work: @escaping () -> Void) {
    self.work = work
  }

  /// Sets the hook for the connection's next commit.
  ///
  /// The hook has to live until it is removed.
  func set(on connection: SQLiteConnection) {
    sqlite3_commit_hook(
      connection.handle,
      { context in
        guard let context else { return 0 }
        let hook = Unmanaged<CommitHook>.fromOpaque(context).takeUnretainedValue()
        hook.work?()
        hook.work = nil
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func remove(from connection: SQLiteConnection) {
    sqlite3_commit_hook(connection.handle, nil, nil)
  }
}
