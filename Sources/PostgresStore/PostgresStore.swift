// The store for several servers: a PostgreSQL database. Start with `PostgresStore`. Connecting/ holds the use of a
// connection, Transactions/ the transactions, Opening/Schema.swift the tables, and Sharing/ the announcements between
// servers. Imports AuthCore, SQLAccounts and CPostgres, and is the only module that uses libpq.
public import AuthCore
import Foundation
import SQLAccounts
import Synchronization

/// A store in a PostgreSQL database that any number of servers share.
///
/// Transactions are serialisable, and run again after a conflict. Every database problem is an `AuthError` with the
/// code `store-unavailable` that names host, port and database, and never a password.
public final class PostgresStore: AccountStore {
  let options: ConnectionOptions
  let engine: Engine
  let announcing: Announcing
  let pool: ConnectionPool
  let settings = SettingsCache()
  let health = PostgresHealth()
  /// The schedule for analysing new tables; nil for engines on which it is untested.
  private let newTables: NewTables?
  let replicas: [Replica]
  let position: PrimaryPosition
  /// The number of conflicts after which a transaction ran again.
  private let conflictCount = Atomic(0)
  package var conflicts: Int { conflictCount.load(ordering: .relaxed) }
  /// A counter that picks the replica of the next lookup.
  let turns = Atomic(0)

  /// Opens a database by its URL and creates the tables if there are none.
  ///
  /// Several servers may do so at once.
  ///
  /// The URL is libpq's, `postgres://USER:PASSWORD@HOST:PORT/DATABASE?OPTION=VALUE`, with every option of
  /// [its documentation](https://www.postgresql.org/docs/15/libpq-connect.html), including TLS. The store adds four:
  ///
  /// - `schema`: the schema of the tables, `authgraph` by default.
  /// - `connections`: the maximum number of connections of a process, 16 by default.
  /// - `statement_timeout`: in seconds, 30 by default.
  /// - `announcements`: `notify` or `poll`.
  ///
  /// A pooler has to keep a server connection for each of the store's, as pgbouncer does with `pool_mode=session`,
  /// because settings, prepared statements and subscriptions belong to it. Any other pooler is refused. If the URL
  /// names several servers, the store uses the one that takes changes (`target_session_attrs=read-write`), and leaves
  /// a server that becomes read-only.
  ///
  /// Lookups and lists are read in turn from the replicas, which are hot standby servers of the same database with
  /// URLs of their own. A lookup never returns a state older than the call: a replica that fails, or is behind by
  /// more than some milliseconds, is passed over.
  ///
  /// Throws `invalid-argument` for an invalid URL. Throws `store-unavailable` if the database cannot be reached, is
  /// behind a refused pooler, belongs to something else or a newer version, or holds an incomplete copy. The database
  /// is left as it was then.
  public convenience init(url: String, replicas: [String] = []) throws {
    try self.init(url: url, replicas: replicas, isForCopying: false)
  }

  /// Opens a database and never writes to it.
  ///
  /// Throws `store-unavailable` also if its tables would have to be made or changed.
  public convenience init(reading url: String) throws {
    try self.init(url: url, isForCopying: false, isReadOnly: true)
  }

  /// Opens a database, which may hold an incomplete copy if `isForCopying` is set.
  init(url: String, replicas: [String] = [], isForCopying: Bool, isReadOnly: Bool = false) throws {
    var options = try ConnectionOptions(url: url)
    options.isReadOnly = isReadOnly
    let copies = try replicas.map { try ConnectionOptions(url: $0, schema: options.schema) }
    self.options = options
    do {
      let (connection, opened) = try Self.connect(options, isForCopying: isForCopying)
      engine = opened.engine
      newTables = opened.engine == .postgres ? NewTables() : nil
      announcing = Announcing(
        schema: options.schema, way: options.announcements ?? opened.engine.announcements)
      pool = ConnectionPool(options, holding: connection)
    } catch {
      throw options.translated(error)
    }
    position = PrimaryPosition { [pool] in
      // Without a connection now, the caller's own read has more patience.
      try await pool.perform(patience: .zero) { slot, _ in try slot.connected().logPosition() }
    }
    self.replicas = copies.map { [announcing] in Replica($0, announcing) }
  }

  /// Counts a transaction that met a conflict.
  func noteConflict() { conflictCount.add(1, ordering: .relaxed) }

  /// Connects and opens the schema.
  ///
  /// The connection becomes the pool's first one.
  private static func connect(
    _ options: ConnectionOptions, isForCopying: Bool
  ) throws -> (PostgresConnection, OpenedStore) {
    // Like each connection of the pool, before it enters pipeline mode.
    let connection = try PostgresConnection.patiently(options)
    try connection.identify()
    try connection.refuseTransactionPooler(options)
    try connection.configure(options)
    let opened = try connection.open(options)
    if !isForCopying { try connection.checkCopy(options) }
    try connection.enterPool()
    return (connection, opened)
  }

  /// Returns the settings of a scope.
  public func settings(of scope: Scope) async throws -> ProjectSettings {
    // A single query, so that it reads one snapshot on any engine.
    try await read(.glancing) { transaction in
      try transaction.snapshot(SnapshotQuery(in: scope)).settings
    }
  }

  func read<Result: Sendable>(
    _ mode: PostgresSession.Mode, _ body: @escaping @Sendable (SQLTransaction) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    return try await perform(mode) { [settings] session, _ in
      let result = try body(SQLTransaction(session, settings))
      try session.finishReading()
      return result
    }
  }

  /// Runs a transaction, and runs it again after a conflict; throws `store-unavailable` if the database fails.
  public func transact<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>
  ) async throws -> Result {
    do {
      return try await attempt(purpose, body, assumesUnused: purpose == .change)
    } catch is UseInDoubt {
      return try await attempt(purpose, body, assumesUnused: false)
    }
  }

  /// Runs a transaction; throws ``UseInDoubt`` if it was decided on an unproven assumption.
  private func attempt<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>, assumesUnused: Bool
  ) async throws -> Result {
    // A sweep does not conflict with serialisable transactions.
    let mode = purpose == .change ? PostgresSession.Mode.writing : .statement
    let (result, events) = try await perform(mode) { [settings] session, ticket in
      let transaction = SQLTransaction(session, settings, assumesUnused: assumesUnused)
      let ending: Ending<Result>
      do {
        ending = try transaction.run(body)
      } catch  where !transaction.assumedUnused.isEmpty && !(error is PostgresFailure) {
        throw UseInDoubt()
      }
      guard transaction.assumedUnused.isEmpty else { throw UseInDoubt() }
      try ticket.check()
      switch ending {
      case .commit: try session.commit()
      case .takeBack: try session.takeBack()
      }
      return (ending.result, session.events)
    }
    guard purpose == .change else { return result }
    if events > 0 { health.succeeded() }
    if newTables?.areDue(after: events) == true { await lookAtNewTables() }
    return result
  }

  /// Closes the connections once running work is done.
  ///
  /// Not needed if the store is just released.
  public func close() {
    pool.close()
    for replica in replicas { replica.close() }
  }
}

/// The transaction assumed that a use is the first and did not record it, so a second use would go unnoticed.
private struct UseInDoubt: Error {}
