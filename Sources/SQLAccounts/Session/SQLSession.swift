package import AuthCore

/// One transaction of an engine, used by one closure on one thread.
///
/// Statements use the SQL that SQLite and PostgreSQL share, with `?` for each value. Errors thrown by an engine are
/// already translated to `AuthError`.
package protocol SQLSession: AnyObject {
  var dialect: SQLDialect { get }

  /// Runs a query to its end and calls the closure with each row.
  func each(_ query: SQLStatement, _ body: (any SQLRow) throws -> Void) throws

  /// Changes rows and returns their number.
  func run(_ statement: SQLStatement) throws -> Int

  /// Changes rows before the transaction commits, without returning their number.
  func runLater(_ statement: SQLStatement) throws

  /// Makes changes that have to change one row each.
  ///
  /// The first one that does not throws its conflict, at the latest when the transaction commits. The transaction is
  /// lost then.
  func run(_ changes: [SQLChange]) throws

  /// Requires that a query finds no row for any of these values, which are all texts.
  ///
  /// Otherwise throws the conflict, at the latest when the transaction commits.
  func requireNone(_ query: String, for values: PackedRows, conflict: String) throws

  /// Adds rows to a table; throws `UniqueKeyConflict`, at the latest when the transaction commits, if a key is taken.
  func insert(_ rows: PackedRows, into table: BulkTable) throws

  /// Adds an event with the next sequence number, its rows by account, and its row in the outbox.
  ///
  /// Throws `UniqueKeyConflict`, here or when the transaction commits, if the ID is taken.
  func append(_ event: EventRow) throws

  /// Adds events in this order, like ``append(_:)-(EventRow)``.
  func append(_ events: PackedEvents) throws

  /// Prefetches the queries that follow, in order.
  ///
  /// A call whose first query is already prefetched is ignored.
  func expect(_ queries: [SQLStatement])

  /// Announces a change to the other processes that share the store.
  func announce(_ change: StoreChange) throws

  /// Returns the error for a row that does not hold valid values.
  func unreadable(_ cause: any Error) -> AuthError
}

extension SQLSession {
  /// Runs a query to its end and returns the decoded rows.
  package func rows<Value>(
    _ query: SQLStatement, _ decode: (any SQLRow) throws -> Value
  ) throws -> [Value] {
    var values: [Value] = []
    try each(query) { values.append(try decode($0)) }
    return values
  }
}

/// A statement and the values of its placeholders.
package struct SQLStatement: Hashable, Sendable {
  package let sql: String
  package let values: [SQLValue]

  package init(_ sql: String, _ values: [SQLValue]) {
    self.sql = sql
    self.values = values
  }
}

/// A statement that changes rows.
package struct SQLChange {
  package let statement: SQLStatement
  /// Names the taken key if the statement does not change exactly one row; nil if any number is fine.
  package let conflict: (() throws -> String)?

  /// Makes a change of any number of rows.
  package init(_ sql: String, _ values: [SQLValue]) {
    statement = SQLStatement(sql, values)
    conflict = nil
  }

  /// Makes a change of exactly one row.
  package init(
    _ sql: String, _ values: [SQLValue], conflict: @autoclosure @escaping () throws -> String
  ) {
    statement = SQLStatement(sql, values)
    self.conflict = conflict
  }

  /// Throws the conflict if the statement had to change one row and did not.
  package func check(_ changed: Int) throws {
    if let conflict, changed != 1 { throw UniqueKeyConflict(key: try conflict()) }
  }
}

/// An event as rows.
package struct EventRow: Sendable {
  /// The columns of ``EventRow/columns``.
  package let values: [SQLValue]
  /// The project and the tenant.
  package let scope: [SQLValue]
  /// The uids of the accounts that the event is about, each once.
  package let accounts: [String]
  package let conflict: String

  package static let columns =
    "project, tenant, id, at, actor, reason, action, account, related, error_code, details, trace"
}

/// The SQL that differs between engines.
package struct SQLDialect: Sendable {
  /// Returns the clause after a table's name that makes the engine use an index.
  package let indexedBy: @Sendable (_ index: String) -> String
  /// Returns a column in a form that keeps a condition from using an index.
  package let unindexed: @Sendable (_ column: String) -> String
  /// Returns the condition that a column has characters beyond ASCII.
  package let beyondASCII: @Sendable (_ column: String) -> String

  /// True if each query takes a round trip, so that queries are better sent together.
  package let isRemote: Bool

  /// The end of a query for rows to be removed, which skips rows locked by another transaction.
  package let passingOverLocked: String

  /// The condition that joins an outbox row to its event.
  package let eventOfDelivery: String

  package init(
    eventOfDelivery: String, isRemote: Bool = false, passingOverLocked: String = "",
    indexedBy: @escaping @Sendable (String) -> String = { _ in "" },
    unindexed: @escaping @Sendable (String) -> String = { $0 },
    beyondASCII: @escaping @Sendable (String) -> String = { "\($0) GLOB '*[^ -~]*'" }
  ) {
    self.beyondASCII = beyondASCII
    self.eventOfDelivery = eventOfDelivery
    self.isRemote = isRemote
    self.passingOverLocked = passingOverLocked
    self.indexedBy = indexedBy
    self.unindexed = unindexed
  }
}
