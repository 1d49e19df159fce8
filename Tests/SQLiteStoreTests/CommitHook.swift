import CSQLite3

@testable import SQLiteStore

/// Runs a closure once in the middle of a commit, after everything that is looked at before it.
final class CommitHook {
  private var work: (() -> Void)?

  init(_ work: @escaping () -> Void) {
    self.work = work
  }

  /// Has the connection's next commit run the closure; the hook has to live until it is removed.
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
