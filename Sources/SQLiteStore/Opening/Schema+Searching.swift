import SQLAccounts

extension Schema {
  // The texts by which searches find accounts. No foreign key, which would need an index by account: a row is removed
  // with the text that it is made of.
  static let searching = """
    CREATE TABLE search_terms (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      place INTEGER NOT NULL,
      term TEXT NOT NULL,
      uid TEXT NOT NULL,
      PRIMARY KEY (project, tenant, place, term, uid)
    ) WITHOUT ROWID;
    """

  /// Adds the terms of the accounts that are there.
  static let fillSearching: @Sendable (SQLiteConnection) throws -> Void = { connection in
    guard try connection.hasRows("SELECT 1 FROM accounts LIMIT 1") else { return }
    let staged = StagedTerms(connection)
    try staged.begin()
    try SearchTermFilling(
      read: connection.each, write: { try staged.add(PackedRows($0)) }
    ).run()
    try staged.end()
  }
}

/// Rows of `search_terms` that wait in a temporary table until they are sorted.
///
/// Accounts come in another order than their terms. Rows that are written in the order of their table take a third of
/// the time.
struct StagedTerms {
  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  /// The name of the table of the rows.
  static let table = "search_terms"
  private static let columns = "project, tenant, place, term, uid"

  func begin() throws {
    try connection.execute("CREATE TEMP TABLE staged_terms (\(Self.columns))")
  }

  func add(_ rows: PackedRows) throws {
    try connection.run("INSERT INTO temp.staged_terms VALUES (?, ?, ?, ?, ?)", rows) { _, _ in }
  }

  /// Moves the rows into their table.
  func end() throws {
    try connection.execute(
      """
      INSERT OR IGNORE INTO search_terms (\(Self.columns))
      SELECT \(Self.columns) FROM temp.staged_terms ORDER BY \(Self.columns);
      DROP TABLE temp.staged_terms;
      """)
  }
}
