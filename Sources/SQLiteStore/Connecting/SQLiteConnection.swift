import AuthCore
import CSQLite3
import SQLAccounts

/// A connection to a file, with its prepared statements, used by one thread at a time.
final class SQLiteConnection {
  let handle: OpaquePointer
  private var statements: [StatementKey: SQLiteStatement] = [:]
  /// True if the transaction adds many accounts.
  var addsMany = false
  /// The number of commits in a row that added many accounts.
  var largeCommits = 0

  /// The maximum number of prepared statements.
  ///
  /// Only searches, whose conditions vary, can reach it.
  private static let mostStatements = 400

  /// Opens an existing file; throws `StoreFailure`, like all functions of the class.
  init(path: String, readOnly: Bool) throws {
    var opened: OpaquePointer?
    let flags =
      (readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | SQLITE_OPEN_NOMUTEX
      | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard let opened, code == SQLITE_OK else {
      defer { sqlite3_close_v2(opened) }
      throw StoreFailure(code: code, message: String(cString: sqlite3_errstr(code)))
    }
    handle = opened
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(handle)
  }

  /// True if the opened path names another file now, judged by the inode alone.
  var fileHasMoved: Bool {
    var hasMoved: Int32 = 0
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK
      && hasMoved != 0
  }

  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  var changedRows: Int { Int(sqlite3_changes(handle)) }

  var lastRowID: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Runs statements without values, and does not keep them.
  func execute(_ sql: String) throws {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Runs a statement to its end and ignores its rows.
  func run(_ sql: String, _ values: [SQLValue] = []) throws {
    let statement = try prepared(sql, values).handle
    defer { sqlite3_reset(statement) }
    var code = SQLITE_ROW
    while code == SQLITE_ROW { code = sqlite3_step(statement) }
    guard code == SQLITE_DONE else { throw failure(code) }
  }

  /// Runs a query to its end, so that its statement is free for the next use.
  func each(_ query: SQLStatement, _ body: (any SQLRow) throws -> Void) throws {
    let statement = try prepared(query.sql, query.values).handle
    defer { sqlite3_reset(statement) }
    let row = SQLiteRow(statement: statement)
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw failure(code) }
      try body(row)
    }
  }

  /// Reads the first column of a query's rows as text.
  func texts(_ sql: String) throws -> [String] {
    var texts: [String] = []
    try each(SQLStatement(sql, [])) { texts.append(try $0.string(0)) }
    return texts
  }

  /// Returns true if a query has rows.
  func hasRows(_ sql: String) throws -> Bool {
    var hasRows = false
    try each(SQLStatement(sql, [])) { _ in hasRows = true }
    return hasRows
  }

  /// Runs a statement with the values of each row.
  ///
  /// The closure learns for each row if there was a result, whose columns are not read.
  func run(
    _ sql: String, _ rows: PackedRows, _ body: (_ row: Int, _ hasAnswer: Bool) throws -> Void
  ) throws {
    let statement = try prepared(sql)
    defer { statement.unbind() }
    try rows.read { reader in
      for row in 0..<reader.count {
        try check(statement.bind(row, of: reader))
        try body(row, try step(statement))
      }
    }
  }

  /// Adds events, their rows by account, and their rows in the outbox.
  func append(_ events: PackedEvents) throws {
    let account = try prepared(EventStatements.account)
    let delivery = try prepared(EventStatements.delivery)
    defer { account.unbind() }
    try events.accounts.read { accounts in
      try run(EventStatements.event, events.rows) { row, _ in
        guard changedRows == 1 else { throw UniqueKeyConflict(key: "event") }
        let sequence = lastRowID
        try check(account.bind(row, of: accounts))
        try check(account.bind(sequence, at: accounts.width + 1))
        _ = try step(account)
        try check(delivery.bind(sequence, at: 1))
        _ = try step(delivery)
      }
    }
  }

  /// Runs a statement to its first row; returns true if there was one.
  private func step(_ statement: SQLiteStatement) throws -> Bool {
    let code = sqlite3_step(statement.handle)
    defer { sqlite3_reset(statement.handle) }
    guard code == SQLITE_ROW || code == SQLITE_DONE else { throw failure(code) }
    return code == SQLITE_ROW
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw failure(code) }
  }

  private func prepared(_ sql: String, _ values: [SQLValue]) throws -> SQLiteStatement {
    let statement = try prepared(sql)
    try check(statement.bind(values))
    return statement
  }

  private func prepared(_ sql: String) throws -> SQLiteStatement {
    try statements[StatementKey(sql: sql)] ?? prepare(sql)
  }

  private func prepare(_ sql: String) throws -> SQLiteStatement {
    if statements.count >= Self.mostStatements { statements = [:] }
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard let prepared, code == SQLITE_OK else { throw failure(code) }
    let statement = SQLiteStatement(prepared)
    statements[StatementKey(sql: sql)] = statement
    return statement
  }

  private func failure(_ code: Int32) -> StoreFailure {
    // The extended code may have more detail.
    let extended = sqlite3_extended_errcode(handle)
    return StoreFailure(
      code: extended & 0xFF == code & 0xFF ? extended : code,
      message: String(cString: sqlite3_errmsg(handle)))
  }
}

/// The statements that add an event.
enum EventStatements {
  static let event = """
    INSERT INTO events (\(EventRow.columns)) VALUES (\(places)) ON CONFLICT DO NOTHING
    """
  /// Adds an event's row for an account.
  static let account =
    "INSERT INTO event_accounts (project, tenant, uid, sequence) VALUES (?, ?, ?, ?)"
  static let delivery = "INSERT INTO outbox (sequence) SELECT ? WHERE \(OutboxSQL.hasConsumer)"

  private static let places = Array(
    repeating: "?", count: EventRow.columns.split(separator: ",").count
  ).joined(separator: ", ")
}

/// A statement's text as a key that hashes the length alone, because texts are long and their lengths mostly differ.
private struct StatementKey: Hashable {
  let sql: String

  func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
}

/// The current row of a statement.
///
/// Each column is fetched once. An unprotected `sqlite3_value` is safe to read because no other thread uses the
/// connection.
private struct SQLiteRow: SQLRow {
  let statement: OpaquePointer

  func text(_ index: Int) throws -> String? {
    let value = sqlite3_column_value(statement, Int32(index))
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: return nil
    case SQLITE_TEXT: return String(decoding: Self.text(value), as: UTF8.self)
    case SQLITE_BLOB: return String(decoding: Self.blob(value), as: UTF8.self)
    default: throw DamagedRow(column: index)
    }
  }

  func has(_ index: Int, _ text: String) -> Bool {
    let value = sqlite3_column_value(statement, Int32(index))
    return switch sqlite3_value_type(value) {
    case SQLITE_TEXT: text.hasBytes(Self.text(value))
    case SQLITE_BLOB: text.hasBytes(Self.blob(value))
    default: false
    }
  }

  private static func text(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
    let start = UnsafeRawPointer(sqlite3_value_text(value))
    return UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
  }

  /// Returns the BLOB of a text with NUL.
  ///
  /// An empty one has no address.
  private static func blob(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
    let start = sqlite3_value_blob(value)
    return UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
  }

  func optionalInteger(_ index: Int) throws -> Int64? {
    let value = sqlite3_column_value(statement, Int32(index))
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: return nil
    case SQLITE_INTEGER: return sqlite3_value_int64(value)
    default: throw DamagedRow(column: index)
    }
  }
}
