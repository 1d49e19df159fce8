import AuthCore
import Foundation
package import SQLAccounts

extension SQLiteStore {
  /// Passes the rows of one snapshot, while others go on writing.
  ///
  /// The write-ahead log grows for as long as the closure runs.
  package func withRows<Result>(_ body: (any RowSource) throws -> Result) throws -> Result {
    do {
      return try withSnapshot { try body(SQLiteRows(connection: $0)) }
    } catch {
      throw file.translated(error)
    }
  }

  /// Passes the rows while no other process can write.
  ///
  /// Writers wait up to their own timeout.
  ///
  /// With `closing` the store takes no writes afterwards either, unless the closure throws.
  package func withLastRows<Result>(
    closing: Bool, _ body: (any RowSource) throws -> Result
  ) throws -> Result {
    do {
      return try writing { connection in
        try connection.inTransaction {
          let result = try body(SQLiteRows(connection: connection))
          if closing { try connection.execute(Closing.closing) }
          return result
        }
      }
    } catch {
      throw file.translated(error)
    }
  }

  /// Allows writes again to a store that was closed; returns false if it was not.
  package func reopen() throws -> Bool {
    do {
      return try writing { connection in
        try connection.inTransaction {
          let wasClosed = try connection.hasRows(Closing.query)
          if wasClosed { try connection.execute(Closing.reopening) }
          return wasClosed
        }
      }
    } catch {
      throw file.translated(error)
    }
  }

  /// Runs a transaction of its own, outside of the write queue.
  ///
  /// Checks the file's place before and after it.
  private func writing<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try upkeep.use { connection in
      try file.place.check()
      let result = try body(connection)
      try file.place.checkCommit()
      return result
    }
  }

  /// Returns the name that identifies this store and its copies; the first call makes it.
  package func name() throws -> String {
    do {
      return try writing { connection in
        if let name = try connection.texts(Self.nameQuery).first { return name }
        try connection.run(
          """
          INSERT INTO checkpoints (project, tenant, name, value) VALUES ('', '', 'store', ?)
          ON CONFLICT DO NOTHING
          """, [.string(UUID().uuidString.lowercased())])
        return try connection.texts(Self.nameQuery).first ?? ""
      }
    } catch {
      throw file.translated(error)
    }
  }

  /// It lies beside the checkpoints of projects, because no project has an empty name.
  private static let nameQuery =
    "SELECT value FROM checkpoints WHERE project = '' AND tenant = '' AND name = 'store'"
}

/// Triggers that keep a moved store from being written to.
///
/// They bind every process that has the file open, whatever its version.
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

  /// A query that returns a row if the store is closed.
  static let query =
    "SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name = 'moved_accounts_INSERT'"
}
