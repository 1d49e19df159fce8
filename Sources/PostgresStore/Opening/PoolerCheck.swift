import CPostgres
import Foundation

extension PostgresConnection {
  /// Throws if a pooler is in between that gives each transaction another process of the server.
  ///
  /// A pooler names a process of its own invention, which `identify()` notices. Whether it keeps the server's process for
  /// as long as the connection is open is tried out: two connections take turns, in an order in which a pooler that
  /// hands out the process used last, or the one unused for longest, gives one of them the other's. Each looks for
  /// what it keeps in its session: a setting, a prepared statement, and a channel that it listens to.
  func refuseTransactionPooler(_ options: ConnectionOptions) throws(PostgresFailure) {
    guard isPooled else { return }
    var own = SessionMark(self)
    guard try own.leave() else { throw .silent }
    defer { own.remove() }
    // A pool with room for one session has none for a second connection.
    guard let partner = try? PostgresConnection(options) else { return }
    var other = SessionMark(partner)
    guard try other.leave() else { return }
    for isOwn in [true, true, false, true, false, false, true, false, true, true, false, false] {
      let isThere = isOwn ? try own.isThere() : try other.isThere()
      guard let isThere else {
        if isOwn { throw .silent }
        return
      }
      guard isThere, own.process != other.process else { throw .pooler }
    }
    other.remove()
  }

  /// Runs SQL outside of the pipeline; nil without an answer in time, and then the connection is of no use any more.
  fileprivate func execute(
    _ sql: String, within patience: Duration
  ) throws(PostgresFailure) -> PostgresAnswer? {
    guard PQsendQuery(connection, sql) == 1 else { throw lost() }
    let deadline = ContinuousClock.now + patience
    var last: PostgresAnswer?
    while true {
      while PQisBusy(connection) == 1 {
        let left = (deadline - ContinuousClock.now) / .milliseconds(1)
        guard left > 0, isReadable(within: Int32(left)) else { return nil }
        guard PQconsumeInput(connection) == 1 else { throw lost() }
      }
      guard let answer = PQgetResult(connection).map(PostgresAnswer.init) else { break }
      if let failure = answer.failure { throw failure }
      last = answer
    }
    return last
  }
}

/// What a connection keeps in its session, by which it is known again.
private struct SessionMark {
  private let connection: PostgresConnection
  private let name = "authgraph_\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
  /// The server's process of the last answer.
  private(set) var process: String?

  private static let patience = Duration.seconds(2)

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  /// Leaves the marks; false if the server does not answer in time.
  mutating func leave() throws(PostgresFailure) -> Bool {
    let answer = try connection.execute(
      """
      SET authgraph.session = '\(name)'; PREPARE \(name) AS SELECT 1; LISTEN \(name);
      SELECT CAST(pg_backend_pid() AS TEXT)
      """, within: Self.patience)
    process = answer?.row(0).text(0)
    return answer != nil
  }

  /// Whether the session has them still, in the process where they were left; nil without an answer in time.
  mutating func isThere() throws(PostgresFailure) -> Bool? {
    let answer = try connection.execute(
      """
      SELECT CAST(pg_backend_pid() AS TEXT), CASE WHEN
        coalesce(current_setting('authgraph.session', true), '') = '\(name)'
        AND EXISTS (SELECT 1 FROM pg_prepared_statements WHERE name = '\(name)')
        AND EXISTS (SELECT 1 FROM pg_listening_channels() AS channel WHERE channel = '\(name)')
      THEN 'kept' ELSE 'lost' END
      """, within: Self.patience)
    guard let answer else { return nil }
    let before = process
    process = answer.row(0).text(0)
    return process == before && answer.row(0).text(1) == "kept"
  }

  func remove() {
    // Where they are lost there is nothing to remove.
    _ = try? connection.execute("UNLISTEN \(name)", within: Self.patience)
    _ = try? connection.execute("DEALLOCATE \(name)", within: Self.patience)
  }
}

extension PostgresFailure {
  /// A pooler that has no connection of the server to give.
  fileprivate static let silent = PostgresFailure(
    unreachable: "no answer from behind the pooler; the query timed out")
}
