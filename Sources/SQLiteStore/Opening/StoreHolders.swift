import AuthCore
import Foundation

extension SQLiteStore {
  /// Opens a store that this process has not opened yet, unless other processes have different files open as this
  /// store.
  ///
  /// Their file was moved, removed or replaced then. Opening the current one would use their log, or make a second
  /// one, and damage both. Throws `store-unavailable`, like any other opening.
  package convenience init(firstOpening path: String) throws {
    try Self.checkHolders(of: path)
    try self.init(path: path)
  }

  /// Opens a store for reading that this process has not opened yet, under the same condition.
  ///
  /// A store of an older version can be backed up if `ofAnyVersion` is set, and nothing else.
  package convenience init(firstReading path: String, ofAnyVersion: Bool = false) throws {
    try Self.checkHolders(of: path)
    try self.init(reading: path, ofAnyVersion: ofAnyVersion)
  }

  private static func checkHolders(of path: String) throws {
    guard StoreHolders.haveTheFiles(at: path) else {
      throw AuthError(
        .storeUnavailable,
        "The file of the store \(path), or its log, was moved, removed or replaced while another process has it open.",
        field: "store",
        remedy: "Put the files back, -wal and -shm with them, or end that process first.",
        cause: StoreFileGone())
    }
  }
}

/// The processes that have a store open, according to SQLite's locks.
private enum StoreHolders {
  /// The microseconds between two looks: a process that opens or closes the store has only some of its locks for a
  /// moment.
  private static let pause: UInt32 = 10_000
  private static let looks = 100

  /// Returns true if every other process that has the store open has the files at its path open.
  ///
  /// The check opens and closes files, which releases this process's own locks on them.
  static func haveTheFiles(at path: String) -> Bool {
    let file = URL(filePath: path).resolvingSymlinksInPath().path
    for look in 0..<looks {
      if look > 0 { usleep(pause) }
      // SQLite locks the shared bytes of the file for as long as it is in WAL mode, and a byte of the log's index for
      // as long as a connection uses it (UNIX_SHM_DMS).
      let isOpen = isLocked(file, from: 0x4000_0002, count: 510)
      let isLogOpen = isLocked("\(file)-shm", from: 128, count: 1)
      let isLogThere = access("\(file)-wal", F_OK) == 0
      if isOpen == isLogOpen, !isLogOpen || isLogThere { return true }
    }
    return false
  }

  /// Returns true if another process has a lock on some bytes of a file; false if there is no file.
  private static func isLocked(_ path: String, from start: Int, count: Int) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(start)
    lock.l_len = off_t(count)
    guard fcntl(descriptor, F_GETLK, &lock) == 0 else { return false }
    return lock.l_type != Int16(F_UNLCK)
  }
}
