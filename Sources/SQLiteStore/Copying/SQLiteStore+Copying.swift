import AuthCore
import Foundation
import GRDB
package import SQLAccounts

extension SQLiteStore {
  /// Gives the rows as one moment saw them, while others go on writing.
  ///
  /// The write-ahead log grows for as long as that takes.
  package func withRows<Result>(_ body: (any RowSource) throws -> Result) throws -> Result {
    do {
      guard let pool = database as? DatabasePool else {
        return try database.read { try body(SQLiteRows(database: $0)) }
      }
      return try pool.makeSnapshot().read { try body(SQLiteRows(database: $0)) }
    } catch {
      throw file.translated(error)
    }
  }

  /// Gives the rows while nobody can write; whoever wants to waits, up to their own patience.
  ///
  /// With `closing` nobody can write afterwards either, unless the closure throws.
  package func withLastRows<Result>(
    closing: Bool, _ body: (any RowSource) throws -> Result
  ) throws -> Result {
    do {
      return try writing { database in
        var result: Result?
        try database.inTransaction(.immediate) {
          result = try body(SQLiteRows(database: database))
          if closing { try database.execute(sql: Closing.closing) }
          return .commit
        }
        guard let result else { throw CancellationError() }
        return result
      }
    } catch {
      throw file.translated(error)
    }
  }

  /// Lets everybody write again to a store that was closed; false where it was not.
  package func reopen() throws -> Bool {
    do {
      return try writing { database in
        var wasClosed = false
        try database.inTransaction(.immediate) {
          wasClosed = try Closing.isClosed(database)
          if wasClosed { try database.execute(sql: Closing.reopening) }
          return .commit
        }
        return wasClosed
      }
    } catch {
      throw file.translated(error)
    }
  }

  /// Uses the connection of GRDB that writes, for a closure with a transaction of its own, if the file is in its place
  /// before and afterwards.
  private func writing<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try database.writeWithoutTransaction { database in
      try file.place.check()
      let result = try body(database)
      try file.place.checkCommit()
      return result
    }
  }

  /// The name of this store among all stores, which its copies have too; made when it is first asked for.
  package func name() throws -> String {
    do {
      return try writing { database in
        var name = try String.fetchOne(database, sql: Self.nameQuery)
        if let name { return name }
        try database.execute(
          sql: """
            INSERT INTO checkpoints (project, tenant, name, value) VALUES ('', '', 'store', ?)
            ON CONFLICT DO NOTHING
            """, arguments: [UUID().uuidString.lowercased()])
        name = try String.fetchOne(database, sql: Self.nameQuery)
        return name ?? ""
      }
    } catch {
      throw file.translated(error)
    }
  }

  /// Beside the checkpoints of projects, none of which has no name.
  private static let nameQuery =
    "SELECT value FROM checkpoints WHERE project = '' AND tenant = '' AND name = 'store'"
}

/// What keeps a store that was moved from being written to: triggers, which every process that has the file open
/// meets, whatever its version.
enum Closing {
  static let message = "this store was moved"

  private static let names = CopiedTable.all.flatMap { table in
    ["INSERT", "UPDATE", "DELETE"].map { (table: table.name, verb: $0) }
  }

  static let closing = names.map { name in
    """
    CREATE TRIGGER IF NOT EXISTS moved_\(name.table)_\(name.verb) BEFORE \(name.verb) ON \(name.table)
    BEGIN SELECT RAISE(ABORT, '\(message)'); END;
    """
  }.joined(separator: "\n")

  static let reopening = names.map { "DROP TRIGGER IF EXISTS moved_\($0.table)_\($0.verb);" }
    .joined(separator: "\n")

  static func isClosed(_ database: Database) throws -> Bool {
    try Int.fetchOne(
      database,
      sql: "SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name = 'moved_accounts_INSERT'")
      != nil
  }
}
