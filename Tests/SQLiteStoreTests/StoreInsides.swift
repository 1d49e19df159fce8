import Foundation
import GRDB

@testable import SQLiteStore

/// Looks behind the store's surface.
extension SQLiteStore {
  static var migrationNames: [String] { Schema.migrations.map(\.name) }

  func pragma(_ name: String) async throws -> String? {
    try await database.writeWithoutTransaction { database in
      try String.fetchOne(database, sql: "PRAGMA \(name)")
    }
  }

  func execute(_ sql: String) async throws {
    try await database.writeWithoutTransaction { try $0.execute(sql: sql) }
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
