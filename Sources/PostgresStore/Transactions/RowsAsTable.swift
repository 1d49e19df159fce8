import SQLAccounts

/// A query whose answer is many rows that a statement brings, each column as an array.
///
/// A column that says the same in all rows, as most do in an import, goes as one value: the server would take a quarter
/// of an insert's time to read arrays.
struct RowsAsTable {
  struct Column {
    let name: String
    let isInteger: Bool
    let rows: PackedRows
    let index: Int

    fileprivate var type: String { isInteger ? "BIGINT" : "TEXT" }
  }

  let query: String
  /// The values of the query's places.
  let values: [SQLValue]

  /// Makes the query, with each row's number in a column of that name, where there is one.
  init(_ columns: [Column], numbered number: String? = nil) {
    var selected: [String] = []
    var (common, arrays): ([SQLValue], [SQLValue]) = ([], [])
    var (varying, types): ([String], [String]) = ([], [])
    for (place, column) in columns.enumerated() {
      let value = column.rows.read { $0.commonValue(column.index) }
      // The arrays tell how many rows there are, so there has to be one.
      let isLast = place == columns.count - 1
      if let value, !(isLast && varying.isEmpty) {
        selected.append("CAST(? AS \(column.type)) AS \(column.name)")
        common.append(value)
      } else {
        selected.append(column.name)
        varying.append(column.name)
        types.append("CAST(? AS \(column.type)[])")
        arrays.append(.string(ArrayText.text(column.rows, column: column.index)))
      }
    }
    if let number {
      selected.append(number)
      varying.append(number)
    }
    query = """
      SELECT \(selected.joined(separator: ", "))
      FROM unnest(\(types.joined(separator: ", ")))\(number == nil ? "" : " WITH ORDINALITY") \
      AS varying (\(varying.joined(separator: ", ")))
      """
    values = common + arrays
  }
}
