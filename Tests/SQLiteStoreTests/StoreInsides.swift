import Foundation
import SQLAccounts

@testable import SQLiteStore

/// Access to the store's internals.
extension SQLiteStore {
  static var migrationNames: [String] { Schema.migrations.map(\.name) }

  /// Returns a setting of the connection that writes.
  func pragma(_ name: String) throws -> String? { try value("PRAGMA \(name)") }

  /// Returns the only value of a query, on the connection that writes.
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

  /// Makes a file of an earlier version, with fewer migrations.
  static func makeFile(path: String, migrations: Int) throws {
    try Data().write(to: URL(filePath: path))
    let connection = try SQLiteConnection(path: path, readOnly: false)
    try connection.execute("PRAGMA foreign_keys = ON")
    try Schema.migrate(connection, through: Schema.migrations.prefix(migrations))
  }

  /// Runs SQL directly on a file.
  static func execute(_ sql: String, inFile path: String) throws {
    let connection = try SQLiteConnection(path: path, readOnly: false)
    try connection.execute("PRAGMA foreign_keys = ON")
    try connection.inTransaction { try connection.execute(sql) }
  }

  /// Returns the first column of a query on a file, as text.
  static func texts(_ query: String, inFile path: String) throws -> [String] {
    try SQLiteConnection(path: path, readOnly: false).texts(query)
  }
}
