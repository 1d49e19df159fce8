import Foundation
import GRDB
import SQLAccounts

@testable import SQLiteStore

/// Looks behind the store's surface.
extension SQLiteStore {
  static var migrationNames: [String] { Schema.migrations.map(\.name) }

  /// A setting of the connection that writes.
  func pragma(_ name: String) throws -> String? { try value("PRAGMA \(name)") }

  /// The only value of a query, on the connection that writes.
  func value(_ query: String) throws -> String? {
    try writer.use { connection in
      var value: String?
      try connection.each(SQLStatement(query, [])) { row in
        value = try (try? row.optionalInteger(0)).map { $0.map(String.init) } ?? row.text(0)
      }
      return value
    }
  }

  /// Runs SQL on the connection that writes.
  func execute(_ sql: String) throws {
    try writer.use { try $0.execute(sql) }
  }

  /// Makes a file as a version made it that had fewer migrations.
  static func makeFile(path: String, migrations: Int) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { database in
      try Schema.migrate(database, through: Schema.migrations.prefix(migrations))
    }
    try queue.close()
  }
}
