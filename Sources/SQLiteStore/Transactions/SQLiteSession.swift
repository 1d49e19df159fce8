import AuthCore
import SQLAccounts

/// A SQLite transaction.
final class SQLiteSession: SQLSession {
  private let connection: SQLiteConnection
  private let file: StoreFile
  /// The indexes that are created last, if a store is being filled.
  private let lateIndexes: LateIndexes?

  init(
    _ connection: SQLiteConnection, _ file: StoreFile, lateIndexes: LateIndexes? = nil
  ) {
    self.connection = connection
    self.file = file
    self.lateIndexes = lateIndexes
  }

  let dialect = SQLDialect.sqlite

  func each(_ query: SQLStatement, _ body: (any SQLRow) throws -> Void) throws {
    try translating {
      try lateIndexes?.check(query)
      try connection.each(query, body)
    }
  }

  func run(_ statement: SQLStatement) throws -> Int {
    try translating {
      try lateIndexes?.check(statement)
      return try add(statement)
    }
  }

  /// Runs a statement that needs no index.
  private func add(_ statement: SQLStatement) throws -> Int {
    try connection.run(statement.sql, statement.values)
    return connection.changedRows
  }

  func runLater(_ statement: SQLStatement) throws {
    _ = try run(statement)
  }

  func run(_ changes: [SQLChange]) throws {
    for change in changes { try change.check(try run(change.statement)) }
  }

  func requireNone(_ query: String, for values: PackedRows, conflict: String) throws {
    if let lateIndexes, lateIndexes.areMissing {
      return try lateIndexes.requireNone(of: values, named: conflict)
    }
    try translating {
      try connection.run(query, values) { _, isFound in
        if isFound { throw UniqueKeyConflict(key: conflict) }
      }
    }
  }

  func insert(_ rows: PackedRows, into table: BulkTable) throws {
    let places = Array(repeating: "?", count: table.columns.count).joined(separator: ", ")
    let sql = """
      INSERT INTO \(table.name) (\(table.columnList)) VALUES (\(places)) ON CONFLICT DO NOTHING
      """
    let conflict = UniqueKeyConflict(key: "row of \(table.name)")
    connection.addsMany = true
    if let lateIndexes, lateIndexes.areMissing { try lateIndexes.note(rows, of: table) }
    try translating {
      if try lateIndexes?.add(rows, to: table) == true { return }
      try connection.run(sql, rows) { _, _ in
        if connection.changedRows != 1 { throw conflict }
      }
    }
  }

  func append(_ event: EventRow) throws {
    let inserted = SQLChange(
      EventStatements.event, event.values, conflict: event.conflict)
    try translating {
      try inserted.check(try add(inserted.statement))
      let sequence = SQLValue.integer(connection.lastRowID)
      for account in event.accounts {
        try connection.run(
          EventStatements.account, event.scope + [.string(account), sequence])
      }
      try connection.run(EventStatements.delivery, [sequence])
    }
  }

  func append(_ events: PackedEvents) throws {
    try translating { try connection.append(events) }
  }

  func expect(_ queries: [SQLStatement]) {}

  func announce(_ change: StoreChange) {}

  func unreadable(_ cause: any Error) -> AuthError {
    file.unavailable(
      "The store \(file.path) holds a row that cannot be read.",
      "Check it with store.check, and restore a backup if it finds damage.", cause: cause)
  }

  private func translating<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch {
      throw file.translated(error)
    }
  }
}

extension SQLDialect {
  static let sqlite = SQLDialect(
    eventOfDelivery: "events.sequence = outbox.sequence",
    indexedBy: { "INDEXED BY \($0)" },
    // The plus turns a column into an expression, for which SQLite uses no index.
    unindexed: { "+\($0)" })
}

extension SQLiteConnection {
  /// Runs a closure in a transaction, which is rolled back if it throws.
  func inTransaction<Result>(
    _ beginning: String = "BEGIN IMMEDIATE", _ body: () throws -> Result
  ) throws -> Result {
    try run(beginning)
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      if isInTransaction { try? run("ROLLBACK") }
      throw error
    }
  }

  /// Runs a closure in a savepoint, which is rolled back if the closure throws or asks for it.
  func inSavepoint<Result>(_ body: () throws -> Ending<Result>) throws -> Ending<Result> {
    try run("SAVEPOINT part")
    do {
      let ending = try body()
      if case .takeBack = ending { try run("ROLLBACK TO SAVEPOINT part") }
      try run("RELEASE SAVEPOINT part")
      return ending
    } catch {
      // A full disk makes SQLite roll back the whole transaction, and the savepoint with it.
      if isInTransaction {
        try run("ROLLBACK TO SAVEPOINT part")
        try run("RELEASE SAVEPOINT part")
      }
      throw error
    }
  }
}
