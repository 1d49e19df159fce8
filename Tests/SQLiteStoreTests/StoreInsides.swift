import Foundation
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
    try Data().write(to: URL(filePath: path))
    let connection = try SQLiteConnection(path: path, readOnly: false)
    try connection.execute("PRAGMA foreign_keys = ON")
    try Schema.migrate(connection, through: Schema.migrations.prefix(migrations))
  }

  /// Runs SQL on a file beside the store.
  static func execute(_ sql: String, inFile path: String) throws {
    let connection = try SQLiteConnection(path: path, readOnly: false)
    try connection.execute("PRAGMA foreign_keys = ON")
    try connection.inTransaction { try connection.execute(sql) }
  }

  /// The first column of a query on a file, which is text.
  static func texts(_ query: String, inFile path: String) throws -> [String] {
    try SQLiteConnection(path: path, readOnly: false).texts(query)
  }
}
