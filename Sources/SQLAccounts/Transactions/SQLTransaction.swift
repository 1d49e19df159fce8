// What SQL stores have in common: accounts as rows of tables, whatever the engine. Start with `SQLTransaction`,
// which reads and writes inside one transaction; what an engine has to offer is `SQLSession`. Imports AuthCore.
package import AuthCore

/// Reads and writes rows inside one transaction; used by one closure on one thread.
package final class SQLTransaction {
  let session: any SQLSession
  let cache: SettingsCache
  /// The settings that this transaction has read, which nobody else changes before it ends.
  var knownSettings: [Scope: ProjectSettings] = [:]

  /// True for each scope that was asked about and has stored settings.
  var areStored: [Scope: Bool] = [:]

  /// The conflict of a write; the transaction is lost.
  var conflict: UniqueKeyConflict?

  /// True if uses that are asked about may be assumed to be the first.
  let assumesUnused: Bool
  /// The IDs of the records of uses that were assumed not to be there, and were not added.
  ///
  /// While there are any, nothing may be told, or committed, of what was decided.
  package internal(set) var assumedUnused: Set<String> = []

  package init(_ session: any SQLSession, _ cache: SettingsCache, assumesUnused: Bool = false) {
    self.session = session
    self.cache = cache
    self.assumesUnused = assumesUnused
  }

  /// Runs a closure on the transaction; throws the conflict that a write met, whatever the closure made of it.
  package func run<Result>(
    _ body: (any AccountWriter) throws -> Ending<Result>
  ) throws -> Ending<Result> {
    let ending = try body(self)
    if let conflict { throw conflict }
    return ending
  }

  /// Runs a query to its end.
  func rows<Value>(
    _ sql: String, _ values: [SQLValue], _ decode: (any SQLRow) throws -> Value
  ) throws -> [Value] {
    var decoded: [Value] = []
    try each(sql, values) { decoded.append(try decode($0)) }
    return decoded
  }

  /// Runs a query to its end, and has something done with each row.
  func each(_ sql: String, _ values: [SQLValue], _ body: (any SQLRow) throws -> Void) throws {
    try session.each(SQLStatement(sql, values)) { row in
      do {
        try body(row)
      } catch {
        throw session.unreadable(error)
      }
    }
  }

  /// Runs a query for its only row.
  func first<Value>(
    _ sql: String, _ values: [SQLValue], _ decode: (any SQLRow) throws -> Value
  ) throws -> Value? {
    var found: Value?
    try each(sql, values) { row in
      if found == nil { found = try decode(row) }
    }
    return found
  }

  /// Changes rows and gives their number.
  @discardableResult
  func run(_ sql: String, _ values: [SQLValue]) throws -> Int {
    try session.run(SQLStatement(sql, values))
  }

  /// Changes rows before the transaction ends; nothing can be in the way.
  func later(_ sql: String, _ values: [SQLValue]) throws {
    try session.runLater(SQLStatement(sql, values))
  }
}
