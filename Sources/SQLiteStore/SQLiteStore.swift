// The embedded store: one SQLite file that several processes may share. Start with `SQLiteStore`; how a
// transaction reads and writes is in Transactions/, what a file looks like in Opening/Schema.swift. Imports
// AuthCore and GRDB, and is the only module that says GRDB.
public import AuthCore
import GRDB

/// Keeps accounts in one SQLite file.
///
/// Several processes may use the file at once: readers never wait, writers wait for each other, at most for the
/// busy timeout. Writes that come together share one commit, so durable writes are cheaper under load.
/// Whatever goes wrong with the file is an `AuthError` of the code `store-unavailable` that names the path.
public final class SQLiteStore: AccountStore {
  /// What a committed write survives.
  public enum Durability: String, Sendable, CaseIterable {
    /// A power cut: every commit waits for the disk.
    case full
    /// The end of the process; a power cut may take the newest commits, and damages nothing.
    case normal
  }

  let database: any DatabaseWriter
  let file: StoreFile
  private let writes: WriteQueue
  private let settings = SettingsCache()

  /// Opens a file, or makes it together with its folder, for its owner alone.
  ///
  /// Throws `store-unavailable`, and then leaves the file as it was, where it is damaged, made by something
  /// else or by a newer version, or locked for longer than `busyTimeout`.
  public convenience init(
    path: String, durability: Durability = .full, busyTimeout: Duration = .seconds(10)
  ) throws {
    let file = StoreFile(path: path, durability: durability, busyTimeout: busyTimeout)
    try self.init(file: file, database: try file.connect())
  }

  /// Opens a store that is gone with the process.
  public static func inMemory() throws -> SQLiteStore {
    let file = StoreFile(path: ":memory:", durability: .normal, busyTimeout: .zero)
    return try SQLiteStore(file: file, database: try file.connectInMemory())
  }

  private init(file: StoreFile, database: any DatabaseWriter) throws {
    self.file = file
    self.database = database
    writes = WriteQueue(database)
  }

  @concurrent
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    return try readHere(body)
  }

  /// Reads on the thread that asks, off every actor.
  ///
  /// A reader waits for nobody, and going to another thread and back would take longer than most reads.
  private func readHere<Result>(_ body: (any AccountReader) throws -> Result) throws -> Result {
    do {
      return try database.read { [file, settings] database in
        try body(SQLiteTransaction(database, file, settings))
      }
    } catch {
      throw file.translated(error)
    }
  }

  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountWriter) throws -> Result
  ) async throws -> Result {
    do {
      return try await writes.perform { [file, settings] database in
        try body(SQLiteTransaction(database, file, settings))
      }
    } catch {
      throw file.translated(error)
    }
  }

  /// Closes the file; not needed where the store just goes out of use.
  ///
  /// Throws `store-unavailable` while something still reads or writes.
  public func close() throws {
    do {
      try database.close()
    } catch {
      throw file.translated(error)
    }
  }
}
