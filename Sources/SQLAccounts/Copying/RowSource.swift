import AuthCore

/// A store that is copied, as one moment saw it.
package protocol RowSource {
  /// Rows behind a place, in an order of the source's own.
  func page(of table: CopiedTable, after place: [SQLValue]?, limit: Int) throws -> [CopiedRow]
  /// The rows that have these primary keys.
  func rows(of table: CopiedTable, with keys: [[SQLValue]]) throws -> [CopiedRow]
  func count(of table: CopiedTable) throws -> Int
}

/// A store that becomes a copy; each change is a transaction of its own.
package protocol RowTarget: AnyObject {
  /// Adds rows that should be new, and keeps how far the copy has come.
  ///
  /// False, and nothing is changed, where other rows are in their way or their parents are missing.
  func add(_ rows: [CopiedRow], to table: CopiedTable, reaching place: CopyPlace) throws -> Bool
  /// Puts rows in place of those with their primary keys, and takes away what holds their other unique key.
  func put(_ rows: [CopiedRow], into table: CopiedTable, reaching place: CopyPlace?) throws
  func rows(of table: CopiedTable, with keys: [[SQLValue]]) throws -> [CopiedRow]
  /// Primary keys behind one, in an order of the target's own.
  func keys(of table: CopiedTable, after key: [SQLValue]?, limit: Int) throws -> [[SQLValue]]
  func remove(_ keys: [[SQLValue]], from table: CopiedTable) throws
  func count(of table: CopiedTable) throws -> Int
}

/// How far a copy has come: behind which row of which table.
package struct CopyPlace: Hashable, Sendable {
  package let table: String
  package let row: [SQLValue]

  package init(table: String, row: [SQLValue]) {
    self.table = table
    self.row = row
  }

  /// As it is kept.
  package var text: String {
    JSONValue.array([
      .string(table),
      .array(
        row.map { value in
          switch value {
          case .null: .null
          case .integer(let number): .integer(number)
          case .string(let text): .string(text)
          }
        }),
    ]).text
  }

  /// Reads what was kept; nil where that is no place.
  package init?(text: String) {
    guard case .array(let parts) = try? JSONValue(text: text), parts.count == 2,
      case .string(let table) = parts[0], case .array(let values) = parts[1]
    else { return nil }
    self.table = table
    row = values.map { value in
      switch value {
      case .integer(let number): .integer(number)
      case .string(let text): .string(text)
      default: .null
      }
    }
  }
}
