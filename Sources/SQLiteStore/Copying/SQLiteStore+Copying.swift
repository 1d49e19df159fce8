import AuthCore
import Foundation
package import SQLAccounts

extension SQLiteStore {
  /// Gives the rows as one moment saw them, while others go on writing.
  ///
  /// The write-ahead log grows for as long as that takes.
  package func withRows<Result>(_ body: (any RowSource) throws -> Result) throws -> Result {
    do {
      return try withSnapshot { try body(SQLiteRows(connection: $0)) }
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

  /// Lets everybody write again to a store that was closed; false where it was not.
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

  /// Writes beside what requests write, in a transaction of the closure's own, if the file is in its place before and
  /// afterwards.
  private func writing<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try upkeep.use { connection in
      try file.place.check()
      let result = try body(connection)
      try file.place.checkCommit()
      return result
    }
  }

  /// The name of this store among all stores, which its copies have too; made when it is first asked for.
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

  /// Gives a row if the store is closed.
  static let query =
    "SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name = 'moved_accounts_INSERT'"
}
