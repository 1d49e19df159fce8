// The part that SQL stores share: accounts as rows of tables, whatever the engine. Start with `SQLTransaction`, which
// reads and writes inside one transaction. `SQLSession` is the engine's part. Imports AuthCore.
package import AuthCore

/// Reads and writes rows inside one transaction, used by one closure on one thread.
package final class SQLTransaction {
  let session: any SQLSession
  let cache: SettingsCache
  /// The settings that this transaction has read.
  ///
  /// No other transaction can change them before it ends.
  var knownSettings: [Scope: ProjectSettings] = [:]

  /// True for each scope that was read and has stored settings.
  var areStored: [Scope: Bool] = [:]

  /// The conflict that a write met; the transaction is lost.
  var conflict: UniqueKeyConflict?

  /// True if a one-time use may be assumed to be the first.
  let assumesUnused: Bool
  /// The record IDs of uses that were assumed to be unused and not added since.
  ///
  /// While there are any, no decision based on them may be reported or committed.
  package internal(set) var assumedUnused: Set<String> = []

  package init(_ session: any SQLSession, _ cache: SettingsCache, assumesUnused: Bool = false) {
    self.session = session
    self.cache = cache
    self.assumesUnused = assumesUnused
  }

  /// Runs a closure on the transaction; throws the conflict that a write met even if the closure swallowed it.
  package func run<Result>(
    _ body: (any AccountWriter) throws -> Ending<Result>
  ) throws -> Ending<Result> {
    let ending = try body(self)
    if let conflict { throw conflict }
    return ending
  }

  /// Runs a query to its end and returns the decoded rows.
  func rows<Value>(
    _ sql: String, _ values: [SQLValue], _ decode: (any SQLRow) throws -> Value
  ) throws -> [Value] {
    var decoded: [Value] = []
    try each(sql, values) { decoded.append(try decode($0)) }
    return decoded
  }

  /// Runs a query to its end and calls the closure with each row.
  func each(_ sql: String, _ values: [SQLValue], _ body: (any SQLRow) throws -> Void) throws {
    try session.each(SQLStatement(sql, values)) { row in
      do {
        try body(row)
      } catch {
        throw session.unreadable(error)
      }
    }
  }

  /// Runs a query and returns its only row, if any.
  func first<Value>(
    _ sql: String, _ values: [SQLValue], _ decode: (any SQLRow) throws -> Value
  ) throws -> Value? {
    var found: Value?
    try each(sql, values) { row in
      if found == nil { found = try decode(row) }
    }
    return found
  }

  /// Returns the only row of a query, if any, like ``first(_:_:_:)``.
  ///
  /// A transaction whose only query it is takes one round trip to a remote store.
  func lookUp<Value>(
    _ query: SQLStatement, _ decode: (any SQLRow) throws -> Value
  ) throws -> Value? {
    session.expect([query])
    return try first(query.sql, query.values, decode)
  }

  /// Changes rows and returns their number.
  @discardableResult
  func run(_ sql: String, _ values: [SQLValue]) throws -> Int {
    try session.run(SQLStatement(sql, values))
  }

  /// Changes rows before the transaction ends, in a statement that cannot conflict.
  func later(_ sql: String, _ values: [SQLValue]) throws {
    try session.runLater(SQLStatement(sql, values))
  }
}
