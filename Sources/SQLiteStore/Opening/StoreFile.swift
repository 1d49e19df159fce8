import AuthCore
import CSQLite3
import Foundation

/// The file of a store: its path, the way it is opened, and the error messages about it.
struct StoreFile: Sendable {
  let path: String
  let durability: SQLiteStore.Durability
  let busyTimeout: Duration
  /// The check that the path still names the opened file.
  let place: StorePlace

  init(path: String, durability: SQLiteStore.Durability, busyTimeout: Duration) {
    self.path = path
    self.durability = durability
    self.busyTimeout = busyTimeout
    place = StorePlace(path: path, absolutePath: URL(filePath: path).path)
  }

  /// Opens the file in WAL mode and brings it up to date.
  ///
  /// SQLite does not wait if two processes switch a new file to a write-ahead log at once: one of them fails as busy
  /// immediately. So this function waits instead.
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
    // Before anything is written to a file of another application.
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

  /// Opens the file for reading alone; throws if it is missing, or not up to date although it has to be.
  func connectForReading(ofAnyVersion: Bool) throws -> SQLiteConnection {
    guard FileManager.default.fileExists(atPath: absolutePath) else {
      throw unavailable(
        "There is no store \(path), and none is made for reading.", "Check the path.")
    }
    let connection = try connect(to: absolutePath, readOnly: true)
    try Schema.checkOwnership(connection, file: self)
    guard try ofAnyVersion || Schema.applied(connection) == Schema.migrations.map(\.name) else {
      throw unavailable(
        "The store \(path) was made by an older version, and its tables have to be changed first.",
        "Open it once without --read-only.")
    }
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

  /// Opens another connection, for requests, to a file that has its tables.
  ///
  /// Throws if the path names another file than the store has open.
  func openConnection(readOnly: Bool) throws -> SQLiteConnection {
    try place.check()
    let connection = try connect(to: absolutePath, readOnly: readOnly)
    try connection.execute(
      "PRAGMA mmap_size = \(SQLiteStore.mappedBytes); SELECT 1 FROM sqlite_master LIMIT 1")
    // By now the connection has opened the log as well.
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

  /// Creates the file if there is none.
  ///
  /// Refuses a folder, and a log without its file.
  ///
  /// It reads no file's content, because closing a file would release the locks that this process has on it.
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

  /// Refuses to create a file beside the log of another one.
  ///
  /// SQLite would delete the log, which may hold the newest commits of a file that was moved away.
  private func refuseLoneLog() throws {
    let log = resolvedPath + "-wal"
    let attributes = try? FileManager.default.attributesOfItem(atPath: log)
    guard let size = attributes?[.size] as? Int, size > 0 else { return }
    // Another process that creates the same file may have made both meanwhile.
    let file = try? FileManager.default.attributesOfItem(atPath: resolvedPath)
    guard file?[.size] as? Int ?? 0 == 0 else { return }
    throw unavailable(
      "The file of the store \(path) is gone, and its log \(log) is still there.",
      "Put the file back beside its log; take the log away as well if neither is needed.")
  }

  private static let smallestPage = 512

  private var resolvedPath: String { URL(filePath: path).resolvingSymlinksInPath().path }

  /// The absolute path, because SQLite gives names such as ":memory:" or "" another meaning.
  var absolutePath: String { URL(filePath: path).path }

  /// Creates the folder and an empty file, readable by their owner alone; returns false if there is a file already.
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
    // Exclusively, because another process may have created and filled the file meanwhile.
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

  /// Waits until the file and its name are on the disk.
  func sync() throws {
    try Self.sync(absolutePath, of: self)
    try syncFolder()
  }

  /// Waits until the names in the file's folder are on the disk.
  func syncFolder() throws {
    try Self.sync(URL(filePath: absolutePath).deletingLastPathComponent().path, of: self)
  }

  private static func sync(_ path: String, of file: StoreFile) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor >= 0, fsync(descriptor) == 0 else {
      throw file.unavailable(
        "The disk of \(file.path) failed to write.", "Check the disk and its free space.")
    }
  }
}
