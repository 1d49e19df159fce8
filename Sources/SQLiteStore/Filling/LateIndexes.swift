import AuthCore
import SQLAccounts

/// The indexes of accounts and identities, which are not there until everything is, or somebody looks for something.
///
/// To make an index of many rows takes less time than to keep it while they are added, whose keys are in another order
/// than the rows. Meanwhile a hash of each key tells whether it may have come before.
final class LateIndexes {
  private let connection: SQLiteConnection
  /// What makes those that are missing.
  private var statements: [String] = []
  private var keys: Set<Int> = []
  /// Whether a closure ended for want of them.
  private(set) var areWanted = false

  private static let tables = ["accounts", "identities"]

  /// Columns by which rows are found.
  private struct Key {
    /// What ``requireNone(of:named:)`` calls it.
    let name: String
    let columns: [String]
    /// Whether no two rows have the same of them, but for NULL.
    let isUnique: Bool
  }

  private static let keys = [
    "accounts": [
      Key(name: "email", columns: ["project", "tenant", "email_canonical"], isUnique: false),
      Key(name: "verified", columns: ["project", "tenant", "verified_email"], isUnique: true),
    ],
    "identities": [
      Key(
        name: "identity", columns: ["project", "tenant", "provider", "subject", "issuer"],
        isUnique: true)
    ],
  ]

  /// Takes away the indexes of tables that are empty, in the transaction that has begun.
  init(_ connection: SQLiteConnection) throws {
    self.connection = connection
    var names: [String] = []
    for table in Self.tables {
      let query = SQLStatement(
        """
        SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL
        ORDER BY name
        """, [.string(table)])
      try connection.each(query) { row in
        names.append(try row.string(0))
        statements.append(try row.string(1))
      }
    }
    for name in names { try connection.execute("DROP INDEX \(name)") }
  }

  var areMissing: Bool { !statements.isEmpty }

  /// Makes them, where they are missing; outside of savepoints, which would take them back.
  func make() throws {
    for statement in statements { try connection.execute(statement) }
    statements = []
    keys = []
    areWanted = false
  }

  /// Throws `MissingIndexes` for a statement that cannot do without them.
  func check(_ statement: SQLStatement) throws {
    guard areMissing else { return }
    for table in Self.tables where statement.sql.contains(" \(table)") { throw want() }
  }

  /// Requires that no row has one of these keys; throws `MissingIndexes` where one may have.
  func requireNone(of values: PackedRows, named name: String) throws {
    guard name == "email" else { throw want() }
    try values.read { reader in
      for row in 0..<reader.count {
        if let hash = hash(name, row, Array(0..<reader.width), of: reader), keys.contains(hash) {
          throw want()
        }
      }
    }
  }

  /// Notes the keys of rows that are added to a table; throws `MissingIndexes` where one may be there.
  func note(_ rows: PackedRows, of table: BulkTable) throws {
    try rows.read { reader in
      for key in Self.keys[table.name] ?? [] {
        let places = key.columns.compactMap { name in
          table.columns.firstIndex { $0.name == name }
        }
        for row in 0..<reader.count {
          guard let hash = hash(key.name, row, places, of: reader) else { continue }
          if !keys.insert(hash).inserted, key.isUnique { throw want() }
        }
      }
    }
  }

  private func want() -> MissingIndexes {
    areWanted = true
    return MissingIndexes()
  }

  /// A hash of some columns of a row; nil where one of them is NULL.
  private func hash(
    _ name: String, _ row: Int, _ columns: [Int], of rows: PackedRows.Reader
  ) -> Int? {
    var hasher = Hasher()
    hasher.combine(name)
    for column in columns {
      switch rows[row, column] {
      case .null: return nil
      case .integer(let number): hasher.combine(number)
      case .text(let text), .textWithNUL(let text):
        hasher.combine(text.count)
        hasher.combine(bytes: rows.bytes(text))
      }
    }
    return hasher.finalize()
  }
}

/// Thrown for what only indexes can tell; then they are made, and it is asked again.
struct MissingIndexes: Error {}
