import AuthCore
import Foundation
import NIOConcurrencyHelpers

/// A comparison of a store's open files with those at its path, by device and inode.
///
/// SQLite keeps using a file that was moved or removed, and its log. Writes are then confirmed, but end up in a file
/// that cannot be found.
final class StorePlace: Sendable {
  /// The identity of a file, whatever its name.
  private struct FileID: Hashable {
    let device: UInt64
    let inode: UInt64

    /// Returns nil if there is no file at the path.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt64(truncatingIfNeeded: status.st_dev)
      inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  /// The opened files: the store's own, its log, and the log's index.
  private struct OpenFiles {
    let log: String
    let index: String
    let ids: [FileID?]
  }

  private struct State {
    var isGone = false
    var watchers: [Int: AsyncStream<AuthError?>.Continuation] = [:]
    var nextWatcher = 0
  }

  private let path: String
  private let absolutePath: String
  private let opened = NIOLockedValueBox<OpenFiles?>(nil)
  private let state = NIOLockedValueBox(State())

  init(path: String, absolutePath: String) {
    self.path = path
    self.absolutePath = absolutePath
  }

  /// Remembers the files at the path, which have just been opened.
  ///
  /// SQLite puts the log beside the file itself, not beside a symbolic link to it.
  func remember() {
    let file = URL(filePath: absolutePath).resolvingSymlinksInPath().path
    let (log, index) = (file + "-wal", file + "-shm")
    opened.withLockedValue {
      $0 = OpenFiles(
        log: log, index: index, ids: [FileID(absolutePath), FileID(log), FileID(index)])
    }
  }

  /// Throws unless the path, and the log beside it, name the open files.
  func check() throws(AuthError) {
    guard let difference else { return back() }
    let refusal = AuthError(
      .storeUnavailable, difference,
      remedy:
        "Nothing was written. Put the file back together with its -wal and -shm; or end this process, take what is "
        + "left of the three away, and start again with another file.", cause: StoreFileGone())
    announce(refusal)
    throw refusal
  }

  /// Throws unless the last commit is in the file at the path.
  func checkCommit() throws(AuthError) {
    do throws(AuthError) { try check() } catch {
      throw AuthError(
        .storeUnavailable,
        "The file of the store \(path) was moved during a write, so whether the change was made is not known.",
        remedy: "Look for the change before you try again.")
    }
  }

  /// Returns a stream of the problems noticed from now on; nil once the files are back.
  func changes() -> AsyncStream<AuthError?> {
    AsyncStream { continuation in
      let number = state.withLockedValue { state in
        state.nextWatcher += 1
        state.watchers[state.nextWatcher] = continuation
        return state.nextWatcher
      }
      continuation.onTermination = { [weak self] _ in
        self?.state.withLockedValue { $0.watchers[number] = nil }
      }
    }
  }

  /// The difference from the opened files; nil if there is none, and for a store without a file.
  private var difference: String? {
    guard let opened = opened.withLockedValue(\.self) else { return nil }
    let file = FileID(absolutePath)
    guard file == opened.ids[0] else {
      return file == nil
        ? "The file of the store \(path) was moved or removed."
        : "The file of the store \(path) was replaced by another one."
    }
    for (name, id) in [(opened.log, opened.ids[1]), (opened.index, opened.ids[2])]
    where FileID(name) != id {
      return "The log \(name) of the store \(path) was moved, removed or replaced."
    }
    return nil
  }

  private func announce(_ refusal: AuthError) {
    let watchers = state.withLockedValue { state in
      defer { state.isGone = true }
      return state.isGone ? [] : Array(state.watchers.values)
    }
    for watcher in watchers { watcher.yield(refusal) }
  }

  private func back() {
    let watchers = state.withLockedValue { state in
      defer { state.isGone = false }
      return state.isGone ? Array(state.watchers.values) : []
    }
    for watcher in watchers { watcher.yield(nil) }
  }
}
