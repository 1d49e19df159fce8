import SQLAccounts

/// A query that returns given rows, with each column passed as an array.
///
/// A column with the same value in all rows, as most have in an import, is passed as one value, which is cheaper for
/// the server to parse.
struct RowsAsTable {
  struct Column {
    let name: String
    let isInteger: Bool
    let rows: PackedRows
    let index: Int

    fileprivate var type: String { isInteger ? "BIGINT" : "TEXT" }
  }

  let query: String
  /// The values of the query's placeholders.
  let values: [SQLValue]

  /// Makes the query, with each row's number in the column `number` if one is given.
  init(_ columns: [Column], numbered number: String? = nil) {
    var selected: [String] = []
    var (common, arrays): ([SQLValue], [SQLValue]) = ([], [])
    var (varying, types): ([String], [String]) = ([], [])
    for (place, column) in columns.enumerated() {
      let value = column.rows.read { $0.commonValue(column.index) }
      // The arrays determine the number of rows, so there has to be at least one.
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
