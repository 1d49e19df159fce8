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

  /// Whether there are accounts about which nobody asked.
  private var hasUnasked = false

  private static let tables = ["accounts", "identities"]
  /// The keys that whoever adds accounts asks about, so that what was asked tells what is there.
  private static let asked: Set = ["uid", "email"]

  /// Columns that no two rows of a table have the same of, but for NULL.
  private static let uniqueColumns = [
    "accounts": ["project", "tenant", "verified_email"],
    "identities": ["project", "tenant", "provider", "subject", "issuer"],
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
    // An alias is somebody's uid too.
    for table in Self.tables + ["aliases"] where statement.sql.contains(" \(table)") {
      throw want()
    }
  }

  /// Notes keys that are about to be added; throws `MissingIndexes` where one may be there.
  func note(_ query: String, _ values: [[SQLValue]], named name: String) throws {
    guard !hasUnasked, Self.asked.contains(name), values.allSatisfy({ insert(query, $0) }) else {
      throw want()
    }
  }

  /// Notes that accounts are added about which nobody asked.
  func noteUnasked() { hasUnasked = true }

  /// Notes the keys of rows that are added to a table; throws `MissingIndexes` where one may be there.
  func note(_ rows: [[SQLValue]], of table: BulkTable) throws {
    guard let names = Self.uniqueColumns[table.name] else { return }
    let places = names.compactMap { name in table.columns.firstIndex { $0.name == name } }
    for row in rows {
      let key = places.map { row[$0] }
      guard key.contains(.null) || insert(table.name, key) else { throw want() }
    }
  }

  private func want() -> MissingIndexes {
    areWanted = true
    return MissingIndexes()
  }

  private func insert(_ kind: String, _ key: [SQLValue]) -> Bool {
    var hasher = Hasher()
    hasher.combine(kind)
    hasher.combine(key)
    return keys.insert(hasher.finalize()).inserted
  }
}

/// Thrown for what only indexes can tell; then they are made, and it is asked again.
struct MissingIndexes: Error {}
