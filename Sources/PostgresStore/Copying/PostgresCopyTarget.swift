import AuthCore
import Foundation
package import SQLAccounts

/// A schema that becomes a copy of another store.
///
/// It stores the name of its source and the progress, so that an interrupted copy can continue. It is used by one
/// thread. Each call reconnects if the server was away.
package final class PostgresCopyTarget: RowTarget {
  let options: ConnectionOptions
  private var connection: PostgresConnection?
  private var hasConnected = false

  /// The time that an unavailable server is waited for.
  private static let patience = Duration.seconds(30)

  /// Connects, and creates the tables if there are none.
  ///
  /// Throws like `PostgresStore.init(url:)`, and `store-unavailable` if another copy to the same schema is under way.
  package init(url: String) throws {
    options = try ConnectionOptions(url: url)
    try PostgresStore(url: url, isForCopying: true).close()
    _ = try reporting { try connected() }
  }

  /// The host, port and database, without anything secret.
  package var place: String { options.place }

  package func add(
    _ rows: [CopiedRow], to table: CopiedTable, reaching place: CopyPlace
  ) throws -> Bool {
    do {
      try transaction(reaching: place) { connection in
        try connection.copy(rows, into: table.name, columns: table.columnList)
      }
      return true
    } catch let failure as PostgresFailure where ["23505", "23503"].contains(failure.state) {
      return false
    } catch {
      throw options.translated(error)
    }
  }

  package func put(
    _ rows: [CopiedRow], into table: CopiedTable, reaching place: CopyPlace?
  ) throws {
    try reporting {
      try transaction(reaching: place) { connection in
        if let freeing = table.freeing(rows) { try connection.execute(freeing) }
        try connection.execute(table.putting(rows))
      }
    }
  }

  package func rows(of table: CopiedTable, with keys: [[SQLValue]]) throws -> [CopiedRow] {
    guard !keys.isEmpty else { return [] }
    let columns = table.columns.map { "\(table.name).\($0.name)" }.joined(separator: ", ")
    return try query(
      """
      SELECT \(columns) FROM \(SQLLiteral.table(of: keys, table, named: "wanted"))
      JOIN \(table.name) ON \(SQLLiteral.matches(table, "wanted"))
      """, table.columns)
  }

  package func keys(
    of table: CopiedTable, after key: [SQLValue]?, limit: Int
  ) throws -> [[SQLValue]] {
    let names = table.keyColumns.map(\.name).joined(separator: ", ")
    let condition = key.map { key in
      "WHERE (\(names)) > (\(key.map(SQLLiteral.value).joined(separator: ", ")))"
    }
    return try query(
      "SELECT \(names) FROM \(table.name) \(condition ?? "") ORDER BY \(names) LIMIT \(limit)",
      table.keyColumns)
  }

  package func remove(_ keys: [[SQLValue]], from table: CopiedTable) throws {
    try reporting {
      try transaction(reaching: nil) { connection in
        try connection.execute(
          """
          DELETE FROM \(table.name) USING \(SQLLiteral.table(of: keys, table, named: "gone"))
          WHERE \(SQLLiteral.matches(table, "gone"))
          """)
      }
    }
  }

  package func count(of table: CopiedTable) throws -> Int {
    try reporting {
      try again { try Int($0.execute("SELECT count(*) FROM \(table.name)").row(0).integer(0)) }
    }
  }

  /// Updates the planner's statistics of all tables.
  package func analyze() throws {
    try reporting {
      for table in CopiedTable.all { _ = try again { try $0.execute("ANALYZE \(table.name)") } }
    }
  }

  /// Runs a transaction, and runs it again on a new connection if the old one was lost.
  func transaction(
    reaching place: CopyPlace?, _ body: (PostgresConnection) throws -> Void
  ) throws {
    try again { connection in
      // If the answer to a commit was lost, the stored place shows if the commit happened.
      if let place, try connection.storedPlace() == place { return }
      try connection.execute("BEGIN")
      do {
        try body(connection)
        if let place { try connection.keep(place) }
        try connection.execute("COMMIT")
      } catch {
        _ = try? connection.execute("ROLLBACK")
        throw error
      }
    }
  }

  /// Runs a closure that can be repeated, for as long as the server is temporarily away.
  func again<Value>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
    let deadline = ContinuousClock.now + Self.patience
    while true {
      do {
        return try body(try connected())
      } catch let failure as PostgresFailure
        where (failure.isDisconnection || failure.mayPassByItself)
        && ContinuousClock.now < deadline
      {
        if failure.isDisconnection { connection = nil }
        Thread.sleep(forTimeInterval: 0.2)
      }
    }
  }

  func reporting<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw options.translated(error)
    }
  }

  private func connected() throws -> PostgresConnection {
    if let connection { return connection }
    let fresh = try PostgresConnection(options)
    try fresh.configure(options)
    for setting in [
      "statement_timeout = 0", "idle_in_transaction_session_timeout = '60s'",
      // A crash of the server may lose commits, and loses the stored place along with them.
      "synchronous_commit = off",
      // Keys are looked up a thousand at a time; these plans would read the whole table each time.
      "enable_hashjoin = off", "enable_mergejoin = off", "jit = off",
      "client_min_messages = warning",
    ] {
      try fresh.execute("SET \(setting)")
    }
    try fresh.claimCopy(options, patience: hasConnected ? Self.patience : .seconds(5))
    hasConnected = true
    connection = fresh
    return fresh
  }

  private func query(_ sql: String, _ columns: [CopiedTable.Column]) throws -> [[SQLValue]] {
    try reporting {
      let answer = try again { try $0.execute(sql) }
      return try (0..<answer.rowCount).map { number in
        let row = answer.row(number)
        return try columns.enumerated().map { index, column in
          if column.isInteger {
            return try row.optionalInteger(index).map(SQLValue.integer) ?? .null
          }
          return row.text(index).map(SQLValue.string) ?? .null
        }
      }
    }
  }
}

extension PostgresFailure {
  /// True if the only problem is a concurrent transaction.
  fileprivate var mayPassByItself: Bool { state == "40001" || state == "40P01" }
}

extension CopiedTable {
  fileprivate var keyList: String { keyColumns.map(\.name).joined(separator: ", ") }

  /// Returns a statement that replaces the rows with these primary keys.
  fileprivate func putting(_ rows: [CopiedRow]) -> String {
    let others = columns.indices.filter { !key.contains($0) }.map { columns[$0].name }
    let changes = others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    return """
      INSERT INTO \(name) (\(columnList))
      SELECT \(columnList) FROM \(SQLLiteral.rows(rows, columns, named: "new"))
      ON CONFLICT (\(keyList)) DO \(others.isEmpty ? "NOTHING" : "UPDATE SET \(changes)")
      """
  }

  /// Returns a statement that frees the second unique key of these rows from the other rows that hold it.
  fileprivate func freeing(_ rows: [CopiedRow]) -> String? {
    guard !uniqueKey.isEmpty else { return nil }
    let both =
      key.map { $0 }
      + columns.indices.filter {
        uniqueKey.contains(columns[$0].name) && !key.contains($0)
      }
    let table = SQLLiteral.rows(rows.map { $0.at(both) }, both.map { columns[$0] }, named: "new")
    let same = SQLLiteral.equal(columns.filter { uniqueKey.contains($0.name) }, self, "new")
    let condition = "\(same) AND NOT (\(SQLLiteral.matches(self, "new")))"
    // The account stays, because deleting it would delete its identities.
    return name == "accounts"
      ? "UPDATE accounts SET verified_email = NULL FROM \(table) WHERE \(condition)"
      : "DELETE FROM \(name) USING \(table) WHERE \(condition)"
  }
}
