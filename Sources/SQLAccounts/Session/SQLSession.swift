package import AuthCore

/// One transaction of an engine, used by one closure on one thread.
///
/// Statements are in the SQL that SQLite and PostgreSQL have in common, with `?` for each value. What an
/// engine throws is in AuthGraph's words already.
package protocol SQLSession: AnyObject {
  var dialect: SQLDialect { get }

  /// Runs a query to its end, and has something done with each row.
  func each(_ query: SQLStatement, _ body: (any SQLRow) throws -> Void) throws

  /// Changes rows and gives their number.
  func run(_ statement: SQLStatement) throws -> Int

  /// Changes rows by the time that the transaction commits; nobody asks how many.
  func runLater(_ statement: SQLStatement) throws

  /// Makes changes. The first that does not change the one row that it has to throws its conflict, at the latest when the
  /// transaction commits, and the transaction is lost.
  func run(_ changes: [SQLChange]) throws

  /// Requires that a query finds nothing for any of these values; throws the conflict otherwise, at the latest when the
  /// transaction commits.
  ///
  /// All values are texts.
  func requireNone(_ query: String, for values: PackedRows, conflict: String) throws

  /// Adds rows to a table; throws `UniqueKeyConflict`, at the latest when the transaction commits, if one is in the way.
  func insert(_ rows: PackedRows, into table: BulkTable) throws

  /// Adds an event with the next sequence, its rows by account, and its row in the outbox.
  ///
  /// Throws `UniqueKeyConflict`, here or when the transaction commits, where the ID is taken.
  func append(_ event: EventRow) throws

  /// Adds events in this order, as ``append(_:)-(EventRow)`` does.
  func append(_ events: PackedEvents) throws

  /// Tells of queries that come next, in this order, so that they can be asked all at once.
  ///
  /// Those that were told of before count where they begin with the same.
  func expect(_ queries: [SQLStatement])

  /// Tells whoever shares the store that something has changed.
  func announce(_ change: StoreChange) throws

  /// The error for a row that does not say what it should.
  func unreadable(_ cause: any Error) -> AuthError
}

extension SQLSession {
  /// Runs a query to its end.
  package func rows<Value>(
    _ query: SQLStatement, _ decode: (any SQLRow) throws -> Value
  ) throws -> [Value] {
    var values: [Value] = []
    try each(query) { values.append(try decode($0)) }
    return values
  }
}

/// A statement and the values for its places.
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
  /// Names the key that is in the way where it does not change its one row; nil where it may change any number.
  package let conflict: (() throws -> String)?

  /// Makes one that may change any number of rows.
  package init(_ sql: String, _ values: [SQLValue]) {
    statement = SQLStatement(sql, values)
    conflict = nil
  }

  /// Makes one that has to change one row.
  package init(
    _ sql: String, _ values: [SQLValue], conflict: @autoclosure @escaping () throws -> String
  ) {
    statement = SQLStatement(sql, values)
    self.conflict = conflict
  }

  /// Throws the conflict where it had to change one row and changed another number.
  package func check(_ changed: Int) throws {
    if let conflict, changed != 1 { throw UniqueKeyConflict(key: try conflict()) }
  }
}

/// What an event is as rows.
package struct EventRow: Sendable {
  /// The columns of ``EventRow/columns``.
  package let values: [SQLValue]
  /// Project and tenant.
  package let scope: [SQLValue]
  /// The uids of those it is about, each once.
  package let accounts: [String]
  package let conflict: String

  package static let columns =
    "project, tenant, id, at, actor, reason, action, account, related, error_code, details, trace"
}

/// Where the SQL of engines differs.
package struct SQLDialect: Sendable {
  /// Follows a table's name to have an index used.
  package let indexedBy: @Sendable (_ index: String) -> String
  /// Keeps a column of a condition from being looked up in an index.
  package let unindexed: @Sendable (_ column: String) -> String

  /// Whether each question takes a round trip, so that several are better asked at once.
  package let isRemote: Bool

  /// Ends a query of rows that are about to be removed: rows that another transaction holds are left out.
  package let passingOverLocked: String

  /// The condition that an outbox row belongs to an event.
  package let eventOfDelivery: String

  package init(
    eventOfDelivery: String, isRemote: Bool = false, passingOverLocked: String = "",
    indexedBy: @escaping @Sendable (String) -> String = { _ in "" },
    unindexed: @escaping @Sendable (String) -> String = { $0 }
  ) {
    self.eventOfDelivery = eventOfDelivery
    self.isRemote = isRemote
    self.passingOverLocked = passingOverLocked
    self.indexedBy = indexedBy
    self.unindexed = unindexed
  }
}
