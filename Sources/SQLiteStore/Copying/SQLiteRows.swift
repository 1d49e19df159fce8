import AuthCore
import Foundation
import GRDB
import SQLAccounts

/// The rows of a store as one transaction sees them.
struct SQLiteRows: RowSource {
  let database: Database

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
    try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table.name)") ?? 0
  }

  /// The outbox has no scope of its own here.
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
    let statement = try database.cachedStatement(sql: sql)
    statement.setUncheckedArguments(StatementArguments(values.map(\.databaseValue)))
    let cursor = try Row.fetchCursor(statement)
    var rows: [CopiedRow] = []
    while let row = try cursor.next() {
      rows.append(
        try table.columns.indices.map { index in
          let value: DatabaseValue = row[index]
          switch value.storage {
          case .null: return .null
          case .int64(let number): return .integer(number)
          case .string(let text): return .string(text)
          case .blob(let data): return .string(String(decoding: data, as: UTF8.self))
          case .double: throw DamagedRow(column: index)
          }
        })
    }
    return rows
  }
}

extension SQLValue {
  /// A text that contains a NUL is kept as a BLOB.
  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .string(let text):
      text.utf8.contains(0) ? Data(text.utf8).databaseValue : text.databaseValue
    }
  }
}
