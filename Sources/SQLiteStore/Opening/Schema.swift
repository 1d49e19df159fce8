import AuthCore
import GRDB

/// What the tables look like, and how older files become so.
enum Schema {
  /// One step from an older file to a newer one; never changed once released, only followed by another.
  struct Migration: Sendable {
    let name: String
    let sql: String
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
  ]

  /// Marks a file as ours in its header: "AuGr".
  static let applicationID: Int64 = 0x4175_4772

  /// Refuses a file that something else made, or a newer version of this.
  static func checkOwnership(_ database: Database, file: StoreFile) throws {
    // In one statement, so that both are of one moment: another process may be making the same new file.
    let sql =
      "SELECT application_id, (SELECT count(*) FROM sqlite_master) FROM pragma_application_id"
    let row = try Row.fetchOne(database, sql: sql)
    let id: Int64 = row?[0] ?? 0
    let tables: Int = row?[1] ?? 0
    guard id == applicationID else {
      guard id == 0 && tables == 0 else {
        throw file.unavailable(
          "The database \(file.path) belongs to another application.",
          "Choose another path; the file was left as it is.")
      }
      return
    }
    let known = migrations.map(\.name)
    if let unknown = try applied(database).first(where: { !known.contains($0) }) {
      throw file.unavailable(
        "The store \(file.path) was made by a newer version (\(unknown)).",
        "Update AuthGraph, or choose another path; the file was left as it is.")
    }
  }

  /// Brings the file up to date, in one transaction; costs one query where it is.
  static func migrate(
    _ database: Database, through migrations: some Collection<Migration> = migrations
  ) throws {
    guard try applied(database) != migrations.map(\.name) else { return }
    try database.inTransaction(.immediate) {
      // Asked again under the lock: another process may be opening the same new file.
      let applied = try applied(database)
      if applied.isEmpty { try database.execute(sql: bookkeeping) }
      for migration in migrations where !applied.contains(migration.name) {
        try database.execute(sql: migration.sql)
        try database.execute(
          sql: "INSERT INTO migrations (name) VALUES (?)", arguments: [migration.name])
      }
      return .commit
    }
  }

  /// The names of the migrations that a file went through, in order.
  static func applied(_ database: Database) throws -> [String] {
    // Not asked of GRDB, which remembers the answer while another process makes the table.
    let sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'"
    guard try Int.fetchOne(database, sql: sql) != nil else { return [] }
    return try String.fetchAll(database, sql: "SELECT name FROM migrations ORDER BY number")
  }

  private static let bookkeeping = """
    PRAGMA application_id = \(applicationID);
    CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    """
}
