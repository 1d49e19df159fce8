import AuthCore
import NIOConcurrencyHelpers
import SQLAccounts

/// A store whose reads and writes all belong to one transaction.
///
/// `lock` guards the connection, which makes sharing it safe.
final class FillingStore: AccountStore, @unchecked Sendable {
  private let connection: SQLiteConnection
  private let file: StoreFile
  let indexes: LateIndexes
  private let settings = SettingsCache()
  private let lock = NIOLock()
  private var hasEnded = false

  /// Begins the transaction; throws `operation-not-allowed` if the store has accounts.
  init(_ connection: SQLiteConnection, _ file: StoreFile) throws {
    self.connection = connection
    self.file = file
    try connection.run("BEGIN IMMEDIATE")
    do {
      // An account, or the uid of one that was absorbed.
      let accounts = "SELECT 1 FROM accounts UNION ALL SELECT 1 FROM aliases LIMIT 1"
      guard try !connection.hasRows(accounts) else {
        throw AuthError(
          .operationNotAllowed,
          "The store \(file.path) has or had accounts, and cannot be filled at once.",
          remedy: "Import without --bulk, or into a new store.")
      }
      indexes = try LateIndexes(connection)
    } catch {
      try? connection.run("ROLLBACK")
      throw error
    }
  }

  @concurrent
  func read<Result: Sendable>(
    from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    try perform { .commit(try body($0)) }
  }

  @concurrent
  func transact<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>
  ) async throws -> Result {
    try perform(body)
  }

  /// Runs a closure, and runs it again with indexes if it needs them.
  private func perform<Result>(
    _ body: (any AccountWriter) throws -> Ending<Result>
  ) throws -> Result {
    try Task.checkCancellation()
    do {
      return try lock.withLock {
        // A full disk makes SQLite roll back the whole transaction.
        guard !hasEnded, connection.isInTransaction else { throw StoreFailure.closed }
        do {
          return try attempt(body).result
        } catch  where indexes.areWanted && connection.isInTransaction {
          try indexes.make()
          return try attempt(body).result
        }
      }
    } catch {
      throw file.translated(error)
    }
  }

  private func attempt<Result>(
    _ body: (any AccountWriter) throws -> Ending<Result>
  ) throws -> Ending<Result> {
    try connection.inSavepoint {
      let session = SQLiteSession(connection, file, lateIndexes: indexes)
      let ending = try SQLTransaction(session, settings).run(body)
      // The closure may have swallowed the error.
      if indexes.areWanted { throw MissingIndexes() }
      return ending
    }
  }

  /// Commits everything and moves it from the log into the file.
  func commit() throws {
    try lock.withLock {
      guard connection.isInTransaction else { throw StoreFailure.closed }
      try indexes.make()
      try Task.checkCancellation()
      try file.place.check()
      try connection.run("COMMIT")
      hasEnded = true
      try file.place.checkCommit()
      emptyLog()
    }
  }

  /// Rolls everything back.
  func rollback() {
    lock.withLock {
      hasEnded = true
      if connection.isInTransaction { try? connection.run("ROLLBACK") }
      // It holds the pages that left the cache.
      emptyLog()
    }
  }

  /// Empties the log.
  ///
  /// If another process is in the way, later commits do it; until then the log just keeps its size.
  private func emptyLog() {
    try? connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
