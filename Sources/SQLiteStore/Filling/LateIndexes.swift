import AuthCore
import SQLAccounts

/// The indexes of accounts and identities, and the terms of searches, which are created at the end, or earlier if a
/// query needs them.
///
/// Creating an index of many rows takes less time than updating it for each of them in another order. Meanwhile a
/// hash of each key shows if the key may have occurred before.
final class LateIndexes {
  private let connection: SQLiteConnection
  private let terms: StagedTerms
  /// The statements that create the missing indexes.
  private var statements: [String] = []
  private var keys: Set<Int> = []
  /// True if a closure ended because the indexes are missing.
  private(set) var areWanted = false

  private static let tables = ["accounts", "identities"]

  /// Columns by which rows are found.
  private struct Key {
    /// The name of the key in ``requireNone(of:named:)``.
    let name: String
    let columns: [String]
    /// True if the values are unique, except for NULL.
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

  /// Drops the indexes of empty tables, in the current transaction.
  init(_ connection: SQLiteConnection) throws {
    self.connection = connection
    terms = StagedTerms(connection)
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
    try terms.begin()
  }

  var areMissing: Bool { !statements.isEmpty }

  /// Creates the missing indexes.
  ///
  /// Never called inside a savepoint, whose rollback would drop them.
  func make() throws {
    if areMissing { try terms.end() }
    for statement in statements { try connection.execute(statement) }
    statements = []
    keys = []
    areWanted = false
  }

  /// Throws `MissingIndexes` for a statement that needs the indexes.
  func check(_ statement: SQLStatement) throws {
    guard areMissing else { return }
    let tables = Self.tables + [StagedTerms.table]
    guard tables.allSatisfy({ !statement.sql.contains(" \($0)") }) else { throw want() }
  }

  /// Adds rows whose order matters later; returns false for those of other tables.
  func add(_ rows: PackedRows, to table: BulkTable) throws -> Bool {
    guard areMissing, table.name == StagedTerms.table else { return false }
    try terms.add(rows)
    return true
  }

  /// Requires that no row has one of these keys; throws `MissingIndexes` if one may have it.
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

  /// Records the keys of rows that are added to a table; throws `MissingIndexes` if one may be there already.
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

  /// Returns a hash of some columns of a row; nil if one of them is NULL.
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

/// A request that only indexes can answer.
///
/// They are created, and the closure runs again.
struct MissingIndexes: Error {}
