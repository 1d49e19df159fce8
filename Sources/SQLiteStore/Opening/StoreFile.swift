import AuthCore
import CSQLite3
import Foundation

/// The file of a store: where it is, how it is opened, and what its failures are called.
struct StoreFile: Sendable {
  let path: String
  let durability: SQLiteStore.Durability
  let busyTimeout: Duration
  /// Whether the path still names what was opened.
  let place: StorePlace

  init(path: String, durability: SQLiteStore.Durability, busyTimeout: Duration) {
    self.path = path
    self.durability = durability
    self.busyTimeout = busyTimeout
    place = StorePlace(path: path, absolutePath: URL(filePath: path).path)
  }

  /// Opens the file, makes it a store for concurrent readers and one writer, and brings it up to date.
  ///
  /// SQLite does not wait where two processes switch a new file to a write-ahead log at once, and one of
  /// them is told at once that the other is busy; so this waits in its stead.
  func connect() throws -> SQLiteConnection {
    let deadline = ContinuousClock.now + busyTimeout
    while true {
      do {
        return try connectAtOnce()
      } catch let failure as StoreFailure
        where failure.basicCode == SQLITE_BUSY && ContinuousClock.now < deadline
      {
        Thread.sleep(forTimeInterval: 0.02)
      } catch {
        throw translated(error)
      }
    }
  }

  private func connectAtOnce() throws -> SQLiteConnection {
    try prepare()
    let connection = try connect(to: absolutePath, readOnly: false)
    // Before anything is written to a file that is not ours.
    try Schema.checkOwnership(connection, file: self)
    guard !connection.isReadOnly else {
      throw StoreFailure(code: SQLITE_READONLY, message: "attempt to write a readonly database")
    }
    guard try connection.texts("PRAGMA journal_mode = WAL") == ["wal"] else {
      throw StoreFailure(code: SQLITE_ERROR, message: "it cannot have a write-ahead log")
    }
    try Schema.migrate(connection)
    place.remember()
    return connection
  }

  func connectInMemory() throws -> SQLiteConnection {
    do {
      let connection = try connect(to: ":memory:", readOnly: false)
      try Schema.migrate(connection)
      return connection
    } catch {
      throw translated(error)
    }
  }

  /// Opens another connection to the file, which has its tables already, for what every request does.
  ///
  /// Throws if it is not the file that the store has open.
  func openConnection(readOnly: Bool) throws -> SQLiteConnection {
    try place.check()
    let connection = try connect(to: absolutePath, readOnly: readOnly)
    try connection.execute(
      "PRAGMA mmap_size = \(SQLiteStore.mappedBytes); SELECT 1 FROM sqlite_master LIMIT 1")
    // By now it has opened the log as well.
    try place.check()
    guard !connection.fileHasMoved else {
      throw unavailable(
        "The file of the store \(path) was replaced while it was opened.", "Try again.")
    }
    return connection
  }

  private func connect(to path: String, readOnly: Bool) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, readOnly: readOnly)
    connection.setPatience(busyTimeout)
    try connection.execute(
      """
      PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -\(SQLiteStore.cacheKiB);
      PRAGMA synchronous = \(durability.rawValue.uppercased())
      """)
    return connection
  }

  /// Makes the file where there is none; refuses a folder, and what SQLite would take for an empty file.
  ///
  /// Looks at no file's content: closing a file would take away the locks that this process has on it.
  private func prepare() throws {
    let attributes = try? FileManager.default.attributesOfItem(atPath: resolvedPath)
    if attributes?[.size] as? Int ?? 0 == 0 { try refuseLoneLog() }
    guard let attributes else {
      _ = try makeForOwner()
      return
    }
    guard attributes[.type] as? FileAttributeType != .typeDirectory else {
      throw unavailable(
        "The store \(path) is a folder.", "Name a file, such as \(path)/accounts.sqlite.")
    }
    guard let size = attributes[.size] as? Int, size == 0 || size >= Self.smallestPage else {
      throw unavailable(
        "The file \(path) is not a database.", "Choose another path; the file was left as it is.")
    }
  }

  /// Refuses to make a file beside a log that belongs to another one: SQLite would remove what is in the log, which may
  /// be the newest commits of a file that was moved away.
  private func refuseLoneLog() throws {
    let log = resolvedPath + "-wal"
    let attributes = try? FileManager.default.attributesOfItem(atPath: log)
    guard let size = attributes?[.size] as? Int, size > 0 else { return }
    // Another process that is making the same new file may have made both meanwhile.
    let file = try? FileManager.default.attributesOfItem(atPath: resolvedPath)
    guard file?[.size] as? Int ?? 0 == 0 else { return }
    throw unavailable(
      "The file of the store \(path) is gone, and its log \(log) is still there.",
      "Put the file back beside its log; take the log away as well if neither is needed.")
  }

  private static let smallestPage = 512

  private var resolvedPath: String { URL(filePath: path).resolvingSymlinksInPath().path }

  /// The path as SQLite gets it: a name such as ":memory:" or "" would mean something else to it.
  var absolutePath: String { URL(filePath: path).path }

  /// Makes the folder and an empty file for their owner alone; false where there is a file already.
  func makeForOwner() throws -> Bool {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw unavailable(
        "The folder \(folder) of the store \(path) cannot be made.",
        "Choose a path below a folder that you may write to.")
    }
    // Exclusively: another process may have made the file meanwhile, and filled it.
    let descriptor = open(absolutePath, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST { return false }
      throw unavailable(
        "The store \(path) cannot be made.",
        "Choose a path below a folder that you may write to.")
    }
    close(descriptor)
    return true
  }
}
