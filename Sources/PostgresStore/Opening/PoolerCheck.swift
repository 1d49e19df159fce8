import CPostgres
import Foundation

extension PostgresConnection {
  /// Throws if a pooler gives each transaction another server process.
  ///
  /// `identify()` notices a pooler, because it reports a process ID of its own. A trial shows if it keeps the
  /// server's process while the connection is open. Two connections take turns in an order that makes a pooler hand
  /// one of them the other's process, whether it prefers the process used last or the one idle longest. Each looks
  /// for the state of its session: a setting, a prepared statement and a channel that it listens to.
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

  /// Runs SQL outside of the pipeline; returns nil without an answer in time.
  ///
  /// The connection is unusable then.
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

/// Marks in a connection's session, by which the session is recognised.
private struct SessionMark {
  private let connection: PostgresConnection
  private let name = "authgraph_\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
  /// The server process of the last answer.
  private(set) var process: String?

  private static let patience = Duration.seconds(2)

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  /// Leaves the marks; returns false if the server does not answer in time.
  mutating func leave() throws(PostgresFailure) -> Bool {
    let answer = try connection.execute(
      """
      SET authgraph.session = '\(name)'; PREPARE \(name) AS SELECT 1; LISTEN \(name);
      SELECT CAST(pg_backend_pid() AS TEXT)
      """, within: Self.patience)
    process = answer?.row(0).text(0)
    return answer != nil
  }

  /// Returns true if the session still has its marks, in the same process; nil without an answer in time.
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
    // If the marks are lost, there is nothing to remove.
    _ = try? connection.execute("UNLISTEN \(name)", within: Self.patience)
    _ = try? connection.execute("DEALLOCATE \(name)", within: Self.patience)
  }
}

extension PostgresFailure {
  /// The failure of a pooler that has no server connection free.
  fileprivate static let silent = PostgresFailure(
    unreachable: "no answer from behind the pooler; the query timed out")
}
