/// A table that gets many rows at once, and the columns that are written.
package struct BulkTable: Sendable {
  package let name: String
  package let columns: [CopiedTable.Column]

  /// Takes column names separated by commas.
  init(_ name: String, _ columns: String) {
    let known = CopiedTable.named(name)?.columns ?? []
    self.name = name
    self.columns = columns.split(separator: ",").map { column in
      let column = column.filter { $0 != " " }
      guard let found = known.first(where: { $0.name == column }) else {
        preconditionFailure("\(name) has no column \(column).")
      }
      return found
    }
  }

  package var columnList: String { columns.map(\.name).joined(separator: ", ") }
}
