// The embedded store: one SQLite file that several processes may share. Start with `SQLiteStore`. Transactions/ holds
// the reads and writes of a transaction, Filling/ the filling of an empty store, Opening/Schema.swift the tables, and
// Connecting/ the calls of SQLite. Imports AuthCore, SQLAccounts and CSQLite3, and is the only module that uses
// SQLite's C API.
public import AuthCore
import Foundation
import SQLAccounts

/// A store in one SQLite file.
///
/// Several processes may use the file at once. Readers never wait; writers wait for each other, up to the busy
/// timeout. Simultaneous writes share one commit (group commit), so durable writes are cheaper under load. Every
/// problem with the file is an `AuthError` with the code `store-unavailable` that names the path.
///
/// The file is mapped into memory. If the disk cannot read a page, or another program truncates the file, the process
/// ends, and no commit is lost. Mapped pages count towards resident memory; the kernel can reclaim them.
///
/// Never copy a backup over a file that a process has open. If the file is moved, removed or replaced under an open
/// store, the store takes no writes until it is back. A write is confirmed only if it is in the file at the path.
public final class SQLiteStore: AccountStore {
  /// The events that a committed write survives.
  public enum Durability: String, Sendable, CaseIterable {
    /// A power cut: every commit waits for the disk.
    case full
    /// The end of the process. A power cut may lose the newest commits, but damages nothing.
    case normal
  }

  /// The size of a connection's page cache, in KiB.
  public static let cacheKiB = 32_768
  /// The maximum number of bytes of the file that a connection maps into memory, which saves copies of pages.
  public static let mappedBytes = 2 << 30

  /// The connection for rare work: upkeep and copying.
  let upkeep: SharedConnection
  let file: StoreFile
  let writes: WriteQueue
  private let readers: Readers?
  /// The connection that writes.
  ///
  /// In a store in memory it also reads.
  let writer: SharedConnection
  let settings = SettingsCache()
  let health = SQLiteHealth()

  /// False for a store in memory.
  var hasFile: Bool { readers != nil }

  /// Opens a file, or creates it and its folder, readable by their owner alone.
  ///
  /// Throws `store-unavailable` if the file is damaged, made by another application or by a newer version, or locked
  /// for longer than `busyTimeout`. In these cases the file is unchanged.
  public convenience init(
    path: String, durability: Durability = .full, busyTimeout: Duration = .seconds(10)
  ) throws {
    let file = StoreFile(path: path, durability: durability, busyTimeout: busyTimeout)
    let upkeep = SharedConnection(try file.connect())
    do {
      let writer = SharedConnection(try file.openConnection(readOnly: false))
      // One connection for each thread that can read, so that a read rarely opens another.
      let threads = max(4, ProcessInfo.processInfo.activeProcessorCount + 1)
      self.init(
        file, upkeep: upkeep, writer: writer, readers: Readers(file, mostIdle: threads))
    } catch {
      throw file.translated(error)
    }
  }

  /// Opens an existing file, which others may be using, and never writes to it.
  ///
  /// Throws `store-unavailable` if there is no file, or if an older version made it, because its tables would have to
  /// be changed.
  public convenience init(reading path: String) throws {
    try self.init(reading: path, ofAnyVersion: false)
  }

  /// Opens an existing file for reading; one of an older version can be backed up, and nothing else.
  convenience init(reading path: String, ofAnyVersion: Bool) throws {
    let file = StoreFile(path: path, durability: .full, busyTimeout: .seconds(10))
    do {
      let upkeep = SharedConnection(try file.connectForReading(ofAnyVersion: ofAnyVersion))
      let writer = SharedConnection(try file.openConnection(readOnly: true))
      self.init(file, upkeep: upkeep, writer: writer, readers: Readers(file, mostIdle: 2))
    } catch {
      throw file.translated(error)
    }
  }

  /// Opens a store in memory, which ends with the process.
  public static func inMemory() throws -> SQLiteStore {
    let file = StoreFile(path: ":memory:", durability: .normal, busyTimeout: .zero)
    let connection = SharedConnection(try file.connectInMemory())
    return SQLiteStore(file, upkeep: connection, writer: connection, readers: nil)
  }

  private init(
    _ file: StoreFile, upkeep: SharedConnection, writer: SharedConnection, readers: Readers?
  ) {
    self.file = file
    self.upkeep = upkeep
    self.writer = writer
    self.readers = readers
    writes = WriteQueue(writer, file)
  }

  /// Reads one snapshot of the store.
  @concurrent
  public func read<Result: Sendable>(
    from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    do {
      let read = { [file, settings] (connection: SQLiteConnection) in
        try body(SQLTransaction(SQLiteSession(connection, file), settings))
      }
      guard let readers else { return try writer.use(read) }
      return try readers.read(read)
    } catch {
      throw file.translated(error)
    }
  }

  /// Returns the settings of a scope.
  @concurrent
  public func settings(of scope: Scope) async throws -> ProjectSettings {
    guard let readers else { return try await read { try $0.settings(of: scope) } }
    try Task.checkCancellation()
    do {
      // The settings are one row. If the row changes between the reads of its revision and its text, the newer
      // settings are returned.
      return try readers.glance { connection in
        try SQLTransaction(SQLiteSession(connection, file), settings).settings(of: scope)
      }
    } catch {
      throw file.translated(error)
    }
  }

  /// Runs a transaction, which may share its commit with others.
  @concurrent
  public func transact<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>
  ) async throws -> Result {
    do {
      let ending = try await writes.perform { [file, settings] connection in
        try SQLTransaction(SQLiteSession(connection, file), settings).run(body)
      }
      if purpose == .change, case .commit = ending { health.writes.succeeded() }
      return ending.result
    } catch {
      let error = file.translated(error)
      if purpose == .change { health.note(error) }
      throw error
    }
  }

  /// Closes the file.
  ///
  /// A store that is released closes its file by itself.
  ///
  /// Throws `store-unavailable` while a read or a write is under way. A filling transaction has a connection of its
  /// own and continues.
  public func close() throws {
    do {
      try writes.close()
      try readers?.close()
      upkeep.close()
    } catch {
      throw file.translated(error)
    }
  }
}
