import AuthCore
import GRDB

/// Reads and writes rows inside one transaction; used by one closure on one thread.
final class SQLiteTransaction {
  let database: Database
  let file: StoreFile
  let cache: SettingsCache
  /// The settings that this transaction has read, which nobody else changes before it ends.
  var knownSettings: [Scope: ProjectSettings] = [:]

  init(_ database: Database, _ file: StoreFile, _ cache: SettingsCache) {
    self.database = database
    self.file = file
    self.cache = cache
  }

  /// Runs a query to its end, so that its statement is free again for the next one.
  func rows<Value>(
    _ sql: String, _ values: [DatabaseValue], _ decode: (Row) throws -> Value
  ) throws -> [Value] {
    try translating {
      let cursor = try Row.fetchCursor(try statement(sql, values))
      var result: [Value] = []
      while let row = try cursor.next() { result.append(try decode(row)) }
      return result
    }
  }

  /// Runs a query for its first row.
  func first<Value>(
    _ sql: String, _ values: [DatabaseValue], _ decode: (Row) throws -> Value
  ) throws -> Value? {
    try translating {
      let cursor = try Row.fetchCursor(try statement(sql, values))
      // A row is read from the statement, which is reset when the cursor goes.
      return try withExtendedLifetime(cursor) { try cursor.next().map(decode) }
    }
  }

  /// Changes rows and gives their number; a unique key that is taken becomes a conflict of that name.
  @discardableResult
  func run(
    _ sql: String, _ values: [DatabaseValue], conflict: @autoclosure () throws -> String = "row"
  ) throws -> Int {
    do {
      try statement(sql, values).execute()
      return database.changesCount
    } catch let error as DatabaseError {
      let uniqueness: [ResultCode] = [
        .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID,
      ]
      if uniqueness.contains(error.extendedResultCode) {
        throw UniqueKeyConflict(key: try conflict())
      }
      throw file.translated(error)
    }
  }

  /// Runs several statements that take effect together or not at all.
  func together(_ body: () throws -> Void) throws {
    do {
      try database.inSavepoint {
        try body()
        return .commit
      }
    } catch {
      throw file.translated(error)
    }
  }

  private func statement(_ sql: String, _ values: [DatabaseValue]) throws -> Statement {
    let statement = try database.cachedStatement(sql: sql)
    statement.setUncheckedArguments(StatementArguments(values))
    return statement
  }

  /// Whatever a query fails with that is not SQLite's word is a row that does not say what it should.
  private func translating<Value>(_ query: () throws -> Value) throws -> Value {
    do {
      return try query()
    } catch let error as DatabaseError {
      throw file.translated(error)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw file.unavailable(
        "The store \(file.path) holds a row that cannot be read.",
        "Check it with store.check, and restore a backup where it finds damage.", cause: error)
    }
  }
}
