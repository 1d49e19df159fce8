// The store for several servers: a database of PostgreSQL. Start with `PostgresStore`; how a connection is used is in
// Connecting/, what a transaction is in Transactions/, the tables in Opening/Schema.swift, and what servers tell each
// other in Sharing/. Imports AuthCore, SQLAccounts and CPostgres, and is the only module that says libpq.
public import AuthCore
import Foundation
import SQLAccounts
import Synchronization

/// Keeps accounts in a PostgreSQL database that any number of servers share.
///
/// Writers are as if they ran one after another: each transaction is serialisable, and runs again where another was in
/// its way. Whatever goes wrong with the database is an `AuthError` of the code `store-unavailable` that names host,
/// port and database, and never a password.
public final class PostgresStore: AccountStore {
  let options: ConnectionOptions
  let engine: Engine
  let announcing: Announcing
  let pool: ConnectionPool
  let settings = SettingsCache()
  let health = PostgresHealth()
  /// Nil for engines with which it was not tried.
  private let newTables: NewTables?
  let replicas: [Replica]
  let position: PrimaryPosition
  /// How often a transaction was in another one's way and ran again.
  private let conflictCount = Atomic(0)
  package var conflicts: Int { conflictCount.load(ordering: .relaxed) }
  /// Whose turn it is to be looked up in.
  let turns = Atomic(0)

  /// Opens a database by its URL, and makes the tables where there are none; ten servers may do so at once.
  ///
  /// The URL is libpq's, `postgres://USER:PASSWORD@HOST:PORT/DATABASE?OPTION=VALUE`, with every option of
  /// [its documentation](https://www.postgresql.org/docs/15/libpq-connect.html), TLS too. Four more are this store's:
  /// `schema` for the schema of the tables, `authgraph` where it is not said; `connections` for the most connections
  /// of a process, 16; `statement_timeout` in seconds, 30; and `announcements`, `notify` or `poll`.
  ///
  /// A pooler in between has to keep a connection of the server for each of this store's, as pgbouncer does with
  /// `pool_mode=session`: settings, prepared statements and subscriptions belong to it. One that does not is refused.
  /// If the URL names several servers the store is the one that takes changes (`target_session_attrs=read-write`), and
  /// a server that becomes read-only is left for another.
  ///
  /// Lookups and lists are read from the replicas, hot standby servers of the same database by their own URLs, in turn.
  /// Nobody reads there what is older than the call: a replica that is behind by more than some milliseconds, or
  /// fails, is passed over.
  ///
  /// Throws `invalid-argument` where a URL cannot be meant, and `store-unavailable` where the database cannot be
  /// reached, is behind a pooler that is refused, belongs to something else or a newer version, or holds a copy that
  /// is not complete; then it is left as it was.
  public convenience init(url: String, replicas: [String] = []) throws {
    try self.init(url: url, replicas: replicas, isForCopying: false)
  }

  /// Opens a database for what copies into it, which may find what it left behind.
  init(url: String, replicas: [String] = [], isForCopying: Bool) throws {
    let options = try ConnectionOptions(url: url)
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
      // Where no connection can be had now, whoever asks has more patience.
      try await pool.perform(patience: .zero) { slot, _ in try slot.connected().logPosition() }
    }
    self.replicas = copies.map { [announcing] in Replica($0, announcing) }
  }

  /// Notes a transaction that was in another one's way.
  func noteConflict() { conflictCount.add(1, ordering: .relaxed) }

  /// Connects and opens the schema; the connection becomes the first one of the pool.
  private static func connect(
    _ options: ConnectionOptions, isForCopying: Bool
  ) throws -> (PostgresConnection, OpenedStore) {
    // As each connection of the pool: on a connection that is not in pipeline mode yet.
    let connection = try PostgresConnection.patiently(options)
    try connection.identify()
    try connection.refuseTransactionPooler(options)
    try connection.configure(options)
    let opened = try connection.open(options)
    if !isForCopying { try connection.checkCopy(options) }
    try connection.enterPool()
    return (connection, opened)
  }

  public func settings(of scope: Scope) async throws -> ProjectSettings {
    // One query, so that it sees one state of any engine.
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

  /// Runs a transaction; throws ``UseInDoubt`` if it was decided on an assumption that nothing has shown to be true.
  private func attempt<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>, assumesUnused: Bool
  ) async throws -> Result {
    // A sweep is in no serialisable transaction's way.
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

  /// Ends the connections once what began is done; not needed where the store just goes out of use.
  public func close() {
    pool.close()
    for replica in replicas { replica.close() }
  }
}

/// A use was assumed to be the first, and the transaction did not record it, so that nothing would show a second one.
private struct UseInDoubt: Error {}
