import SQLAccounts

extension Schema {
  // The texts by which searches find accounts. No foreign key, which would need an index by account: a row is removed
  // with the text that it is made of.
  static let searching = """
    CREATE TABLE IF NOT EXISTS search_terms (
      project TEXT NOT NULL,
      tenant TEXT NOT NULL,
      place INTEGER NOT NULL,
      term TEXT NOT NULL,
      uid TEXT NOT NULL,
      PRIMARY KEY (project, tenant, place, term, uid)
    );
    """

  /// Adds the terms of the accounts that are there.
  ///
  /// Servers of an earlier version may write meanwhile. What they change is found once it is changed again.
  static let fillSearching: @Sendable (PostgresConnection) throws -> Void = { connection in
    guard let table = CopiedTable.named("search_terms"),
      try connection.execute("SELECT 1 FROM accounts LIMIT 1").rowCount > 0
    else { return }
    let version = try connection.execute("SELECT version()").row(0).text(0) ?? ""
    // The key is built last, from sorted rows. Other engines need it from the beginning.
    let isBuiltLast = Engine(version: version) == .postgres
    try connection.execute("DELETE FROM search_terms")
    if isBuiltLast {
      try connection.execute("ALTER TABLE search_terms DROP CONSTRAINT search_terms_pkey")
    }
    try SearchTermFilling(
      read: { query, body in
        let answer = try connection.execute(query.withLiterals)
        for index in 0..<answer.rowCount { try body(answer.row(index)) }
      },
      write: { try connection.copy($0, into: table.name, columns: table.columnList) }
    ).run()
    if isBuiltLast {
      let key = table.keyColumns.map(\.name).joined(separator: ", ")
      try connection.execute("ALTER TABLE search_terms ADD PRIMARY KEY (\(key))")
    }
  }
}

extension SQLStatement {
  /// The statement's text with its values.
  fileprivate var withLiterals: String {
    var rest = values[...]
    return sql.reduce(into: "") { text, character in
      if character == "?", let value = rest.popFirst() {
        text += SQLLiteral.value(value)
      } else {
        text.append(character)
      }
    }
  }
}
