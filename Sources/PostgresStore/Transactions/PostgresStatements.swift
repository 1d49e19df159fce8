import AuthCore
import Foundation
import SQLAccounts

// Statements in PostgreSQL's own dialect.

extension SQLStatement {
  /// Returns a statement that fails with a division by zero unless it changes one row.
  static func failingUnlessOne(_ change: SQLStatement) -> SQLStatement {
    SQLStatement(
      "WITH changed AS (\(change.sql) RETURNING 1) SELECT 1 / count(*) FROM changed", change.values)
  }

  static let commit = SQLStatement("COMMIT", [])
  static let rollback = SQLStatement("ROLLBACK", [])

  /// Returns a statement that adds an event, its rows by account and its row in the outbox.
  ///
  /// The sequence number is the server's clock in microseconds followed by ten random bits, or higher if one of the
  /// accounts has a later one. It needs no counter that all writers would wait for.
  static func appending(_ event: EventRow) -> SQLStatement {
    let places = event.values.map { _ in "?" }.joined(separator: ", ")
    let latest = event.accounts.map { _ in
      """
      , (SELECT max(sequence) + 1 FROM event_accounts
         WHERE project = ? AND tenant = ? AND uid = ?)
      """
    }
    let involved = event.accounts.map { _ in
      "SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), sequence FROM event"
    }
    let ofAccounts = event.accounts.flatMap { event.scope + [.string($0)] }
    let sql = """
      WITH event AS (
        INSERT INTO events (sequence, \(EventRow.columns))
        VALUES (greatest(\(clock)\(latest.joined())), \(places)) RETURNING sequence
      )\(involved.isEmpty ? "" : """
      , involved AS (
        INSERT INTO event_accounts (project, tenant, uid, sequence)
        \(involved.joined(separator: " UNION ALL ")))
      """)
      INSERT INTO outbox (event_project, event_tenant, sequence)
      SELECT CAST(? AS TEXT), CAST(? AS TEXT), sequence FROM event WHERE \(OutboxSQL.hasConsumer)
      """
    return SQLStatement(sql, ofAccounts + event.values + ofAccounts + event.scope)
  }

  private static let clock = """
    CAST(floor(extract(epoch FROM clock_timestamp()) * 1000000) AS BIGINT) * 1024 \
    + CAST(floor(random() * 1024) AS BIGINT)
    """
}

/// Statements for many rows.
extension SQLStatement {
  /// Returns a statement that fails with a division by zero if a query finds a row for one of some texts.
  static func failing(where query: String, finds values: PackedRows) -> SQLStatement {
    let places = (0..<values.width).map { "v\($0)" }
    var unused = places[...]
    let asking = query.reduce(into: "") { text, character in
      if character == "?" {
        text += "asked." + (unused.popFirst() ?? "")
      } else {
        text.append(character)
      }
    }
    let asked = RowsAsTable(
      places.enumerated().map { .init(name: $1, isInteger: false, rows: values, index: $0) })
    // A subquery for each text. With a join, PostgreSQL might read all rows of a project to find the few. Other
    // engines are untested.
    return SQLStatement(
      """
      SELECT 1 / (CASE WHEN count((SELECT 1 FROM (\(asking)) AS found LIMIT 1)) = 0 THEN 1 ELSE 0 END)
      FROM (\(asked.query)) AS asked
      """, asked.values)
  }

  /// Returns a statement that adds rows, and fails with a unique violation if a key is taken.
  static func inserting(_ rows: PackedRows, into table: BulkTable) -> SQLStatement {
    let new = RowsAsTable(
      table.columns.enumerated().map {
        .init(name: $1.name, isInteger: $1.isInteger, rows: rows, index: $0)
      })
    return SQLStatement("INSERT INTO \(table.name) (\(table.columnList)) \(new.query)", new.values)
  }

  /// Returns a statement that adds events like ``appending(_:)-(EventRow)``.
  ///
  /// The sequence numbers count up from the server's clock.
  static func appending(_ events: PackedEvents) -> SQLStatement {
    let columns = EventRow.columns.components(separatedBy: ", ").enumerated().map {
      RowsAsTable.Column(name: $1, isInteger: $1 == "at", rows: events.rows, index: $0)
    }
    let uid = RowsAsTable.Column(name: "uid", isInteger: false, rows: events.accounts, index: 2)
    let new = RowsAsTable(columns + [uid], numbered: "place")
    return SQLStatement(
      """
      WITH start AS (SELECT \(clock) AS sequence),
      numbered AS (
        SELECT greatest(start.sequence + new.place, (
            SELECT max(event_accounts.sequence) + 1 FROM event_accounts
            WHERE project = new.project AND tenant = new.tenant AND uid = new.uid)) AS number, new.*
        FROM start, (\(new.query)) AS new
      ),
      event AS (
        INSERT INTO events (sequence, \(EventRow.columns))
        SELECT number, \(EventRow.columns) FROM numbered
      ),
      involved AS (
        INSERT INTO event_accounts (project, tenant, uid, sequence)
        SELECT project, tenant, uid, number FROM numbered
      )
      INSERT INTO outbox (event_project, event_tenant, sequence)
      SELECT project, tenant, number FROM numbered WHERE \(OutboxSQL.hasConsumer)
      """, new.values)
  }
}

/// PostgreSQL's text form of arrays.
enum ArrayText {
  /// Returns the values of a column as an array.
  static func text(_ rows: PackedRows, column: Int) -> String {
    rows.read { text(column, of: $0) }
  }

  private static func text(_ column: Int, of rows: PackedRows.Reader) -> String {
    var text = Array("{".utf8)
    for row in 0..<rows.count {
      if row > 0 { text.append(comma) }
      switch rows[row, column] {
      case .null: text += "NULL".utf8
      case .integer(let number): text += String(number).utf8
      case .text(let place), .textWithNUL(let place):
        text.append(quote)
        for byte in rows.bytes(place) {
          if byte == quote || byte == backslash { text.append(backslash) }
          text.append(byte)
        }
        text.append(quote)
      }
    }
    text.append(UInt8(ascii: "}"))
    return String(decoding: text, as: UTF8.self)
  }

  private static let (comma, quote) = (UInt8(ascii: ","), UInt8(ascii: "\""))
  private static let backslash = UInt8(ascii: "\\")

  static func text(_ values: some Sequence<SQLValue>) -> String {
    var text = "{"
    for value in values {
      if text.utf8.count > 1 { text += "," }
      switch value {
      case .null: text += "NULL"
      case .integer(let number): text += String(number)
      case .string(let element): append(element, to: &text)
      }
    }
    return text + "}"
  }

  private static func append(_ element: String, to text: inout String) {
    text += "\""
    text += element.replacing(bytes: ["\\": "\\\\", "\"": "\\\""])
    text += "\""
  }
}
