import AuthCore
import SQLAccounts

/// The tables, and the migrations of older files.
enum Schema {
  /// A step from an older file to a newer one.
  ///
  /// A released migration never changes; a later change is a further migration.
  struct Migration: Sendable {
    let name: String
    let sql: String
    /// Fills what the statements made, with what they cannot compute.
    var fill: (@Sendable (SQLiteConnection) throws -> Void)?
  }

  static let migrations = [
    Migration(name: "1-accounts", sql: accounts),
    Migration(name: "2-audit", sql: audit),
    Migration(name: "3-one-time-records", sql: oneTimeRecords),
    Migration(name: "4-predecessors", sql: predecessors),
    Migration(name: "5-sessions", sql: sessions),
    Migration(name: "6-ownership", sql: ownership),
    Migration(name: "7-sweeping", sql: sweeping),
    Migration(name: "8-generation", sql: generation),
    Migration(name: "9-searching", sql: searching, fill: fillSearching),
    Migration(name: "10-policy-decisions", sql: policyDecisions),
  ]

  /// The application ID in the header of a store's file: "AuGr".
  static let applicationID: Int64 = 0x4175_4772

  /// Refuses a file made by another application or by a newer version.
  static func checkOwnership(_ connection: SQLiteConnection, file: StoreFile) throws {
    // One statement, so that both are of one snapshot: another process may be creating the same file.
    let query =
      "SELECT application_id, (SELECT count(*) FROM sqlite_master) FROM pragma_application_id"
    var (id, tables): (Int64, Int64) = (0, 0)
    try connection.each(SQLStatement(query, [])) { row in
      (id, tables) = (try row.integer(0), try row.integer(1))
    }
    guard id == applicationID else {
      guard id == 0 && tables == 0 else {
        throw file.unavailable(
          "The database \(file.path) belongs to another application.",
          "Choose another path; the file was left as it is.")
      }
      return
    }
    let known = migrations.map(\.name)
    if let unknown = try applied(connection).first(where: { !known.contains($0) }) {
      throw file.unavailable(
        "The store \(file.path) was made by a newer version (\(unknown)).",
        "Update AuthGraph, or choose another path; the file was left as it is.")
    }
  }

  /// Brings the file up to date, in one transaction.
  ///
  /// A file that is up to date takes one query.
  static func migrate(
    _ connection: SQLiteConnection, through migrations: some Collection<Migration> = migrations
  ) throws {
    guard try applied(connection) != migrations.map(\.name) else { return }
    // What is sorted may be larger than memory.
    try connection.execute("PRAGMA temp_store = FILE")
    defer { try? connection.execute("PRAGMA temp_store = MEMORY") }
    try connection.inTransaction {
      // Asked again under the lock, because another process may be opening the same new file.
      let applied = try applied(connection)
      if applied.isEmpty { try connection.execute(bookkeeping) }
      for migration in migrations where !applied.contains(migration.name) {
        try connection.execute(migration.sql)
        try migration.fill?(connection)
        try connection.run(
          "INSERT INTO migrations (name) VALUES (?)", [.string(migration.name)])
      }
    }
  }

  /// Returns the names of the applied migrations, in order.
  static func applied(_ connection: SQLiteConnection) throws -> [String] {
    let table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'"
    guard try connection.hasRows(table) else { return [] }
    return try connection.texts("SELECT name FROM migrations ORDER BY number")
  }

  private static let bookkeeping = """
    PRAGMA application_id = \(applicationID);
    CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    """
}
