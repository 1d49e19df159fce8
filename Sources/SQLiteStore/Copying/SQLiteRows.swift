import SQLAccounts

/// The rows of a store in one snapshot.
struct SQLiteRows: RowSource {
  let connection: SQLiteConnection

  func page(
    of table: CopiedTable, after place: [SQLValue]?, limit: Int
  ) throws -> [CopiedRow] {
    let order = table.order.map { table.columns[$0].name }.joined(separator: ", ")
    let condition = place.map { place in
      "WHERE (\(order)) > (\(place.map { _ in "?" }.joined(separator: ", ")))"
    }
    return try fetch(
      "SELECT \(columns(table)) FROM \(table.name) \(condition ?? "") ORDER BY \(order) LIMIT ?",
      (place ?? []) + [.integer(Int64(limit))], table)
  }

  func rows(of table: CopiedTable, with keys: [[SQLValue]]) throws -> [CopiedRow] {
    let condition = table.keyColumns.map { "\($0.name) = ?" }.joined(separator: " AND ")
    let sql = "SELECT \(columns(table)) FROM \(table.name) WHERE \(condition)"
    return try keys.flatMap { try fetch(sql, $0, table) }
  }

  func count(of table: CopiedTable) throws -> Int {
    var count: Int64 = 0
    let query = SQLStatement("SELECT count(*) FROM \(table.name)", [])
    try connection.each(query) { count = try $0.integer(0) }
    return Int(count)
  }

  /// SQLite's outbox has no scope columns of its own.
  private func columns(_ table: CopiedTable) -> String {
    table.columns.map { column in
      switch column.name {
      case "event_project": "(SELECT project FROM events WHERE sequence = outbox.sequence)"
      case "event_tenant": "(SELECT tenant FROM events WHERE sequence = outbox.sequence)"
      default: column.name
      }
    }.joined(separator: ", ")
  }

  private func fetch(
    _ sql: String, _ values: [SQLValue], _ table: CopiedTable
  ) throws -> [CopiedRow] {
    var rows: [CopiedRow] = []
    try connection.each(SQLStatement(sql, values)) { row in
      rows.append(
        try table.columns.indices.map { index in
          table.columns[index].isInteger
            ? try row.optionalInteger(index).map(SQLValue.integer) ?? .null
            : try row.text(index).map(SQLValue.string) ?? .null
        })
    }
    return rows
  }
}
