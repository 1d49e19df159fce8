// The embedded store: one SQLite file that several processes may share. Start with `SQLiteStore`; how a
// transaction reads and writes is in Transactions/, how an empty store is filled in Filling/, what a file looks like in
// Opening/Schema.swift. All of it goes to SQLite directly, in Connecting/. Imports AuthCore, SQLAccounts and CSQLite3, and
// is the only module that says SQLite's C.
public import AuthCore
import Foundation
import SQLAccounts

/// Keeps accounts in one SQLite file.
///
/// Several processes may use the file at once: readers never wait, writers wait for each other, at most for the
/// busy timeout. Writes that come together share one commit, so durable writes are cheaper under load.
/// Whatever goes wrong with the file is an `AuthError` of the code `store-unavailable` that names the path. The file is
/// mapped into memory, so a page that the disk cannot give, or a file that something else cuts short while it is used,
/// ends the process instead; by that end nothing is lost that was committed. Never copy a backup over a file that a
/// process has open. A file that is moved, removed or replaced under an open store takes no writes until it is back, and
/// a write is confirmed only if it is in the file that the path names. What is mapped counts in a process's resident size,
/// and is the system's to take back.
public final class SQLiteStore: AccountStore {
  /// What a committed write survives.
  public enum Durability: String, Sendable, CaseIterable {
    /// A power cut: every commit waits for the disk.
    case full
    /// The end of the process; a power cut may take the newest commits, and damages nothing.
    case normal
  }

  /// How much of the file a connection keeps in memory.
  public static let cacheKiB = 32_768
  /// How much of the file a connection may map into memory, where nothing of it is copied or kept a second time.
  public static let mappedBytes = 2 << 30

  /// For what is seldom done: upkeep and copying.
  let upkeep: SharedConnection
  let file: StoreFile
  let writes: WriteQueue
  private let readers: Readers?
  /// The connection that writes, which readers of a store in memory use too.
  let writer: SharedConnection
  let settings = SettingsCache()
  let health = SQLiteHealth()

  /// False for a store in memory.
  var hasFile: Bool { readers != nil }

  /// Opens a file, or makes it together with its folder, for its owner alone.
  ///
  /// Throws `store-unavailable`, and then leaves the file as it was, where it is damaged, made by something
  /// else or by a newer version, or locked for longer than `busyTimeout`.
  public convenience init(
    path: String, durability: Durability = .full, busyTimeout: Duration = .seconds(10)
  ) throws {
    let file = StoreFile(path: path, durability: durability, busyTimeout: busyTimeout)
    let upkeep = SharedConnection(try file.connect())
    do {
      let writer = SharedConnection(try file.openConnection(readOnly: false))
      // One for each thread that can read, so that none has to be opened.
      let threads = max(4, ProcessInfo.processInfo.activeProcessorCount + 1)
      self.init(
        file, upkeep: upkeep, writer: writer, readers: Readers(file, mostIdle: threads))
    } catch {
      throw file.translated(error)
    }
  }

  /// Opens a store that is gone with the process.
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

  @concurrent
  public func settings(of scope: Scope) async throws -> ProjectSettings {
    guard let readers else { return try await read { try $0.settings(of: scope) } }
    try Task.checkCancellation()
    do {
      // They are one row; if somebody changes it between its revision and its text, these are the newer settings.
      return try readers.glance { connection in
        try SQLTransaction(SQLiteSession(connection, file), settings).settings(of: scope)
      }
    } catch {
      throw file.translated(error)
    }
  }

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

  /// Closes the file; not needed where the store just goes out of use.
  ///
  /// Throws `store-unavailable` while something still reads or writes. What fills the store has a connection of its own,
  /// and goes on.
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
