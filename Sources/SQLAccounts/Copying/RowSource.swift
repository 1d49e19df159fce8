import AuthCore

/// A snapshot of a store that is copied.
package protocol RowSource {
  /// Returns the rows after a place, in an order that the source chooses.
  func page(of table: CopiedTable, after place: [SQLValue]?, limit: Int) throws -> [CopiedRow]
  /// Returns the rows with these primary keys.
  func rows(of table: CopiedTable, with keys: [[SQLValue]]) throws -> [CopiedRow]
  func count(of table: CopiedTable) throws -> Int
}

/// A store that becomes a copy.
///
/// Each change is a transaction of its own.
package protocol RowTarget: AnyObject {
  /// Adds rows that should be new, and stores the place that the copy has reached.
  ///
  /// Returns false and changes nothing if a row is in the way or a parent is missing.
  func add(_ rows: [CopiedRow], to table: CopiedTable, reaching place: CopyPlace) throws -> Bool
  /// Replaces the rows with these primary keys, and removes the rows that hold their second unique key.
  func put(_ rows: [CopiedRow], into table: CopiedTable, reaching place: CopyPlace?) throws
  func rows(of table: CopiedTable, with keys: [[SQLValue]]) throws -> [CopiedRow]
  /// Returns the primary keys after one, in an order that the target chooses.
  func keys(of table: CopiedTable, after key: [SQLValue]?, limit: Int) throws -> [[SQLValue]]
  func remove(_ keys: [[SQLValue]], from table: CopiedTable) throws
  func count(of table: CopiedTable) throws -> Int
}

/// The place that a copy has reached: the last row copied, and its table.
package struct CopyPlace: Hashable, Sendable {
  package let table: String
  package let row: [SQLValue]

  package init(table: String, row: [SQLValue]) {
    self.table = table
    self.row = row
  }

  /// The stored form.
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

  /// Parses the stored form; nil if the text is not one.
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
