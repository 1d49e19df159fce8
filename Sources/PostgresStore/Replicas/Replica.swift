import AuthCore
import NIOConcurrencyHelpers
import SQLAccounts

/// A standby of the primary server that answers lookups.
final class Replica: Sendable {
  private let pool: ConnectionPool
  private let options: ConnectionOptions
  private let announcing: Announcing
  private let rest = NIOLockedValueBox(ReplicaRest())

  /// The pauses in milliseconds in which a replica may catch up before the primary server is asked instead.
  private static let pauses = [1, 2, 4, 8]

  init(_ options: ConnectionOptions, _ announcing: Announcing) {
    self.options = options
    self.announcing = announcing
    pool = ConnectionPool(options)
  }

  /// Takes a turn at the replica; nil while it rests after it was behind or failed.
  func turn() -> ReplicaRest.Turn? {
    rest.withLockedValue { $0.turn(at: .now) }
  }

  /// The number of times in a row that it was behind or failed.
  var failures: Int { rest.withLockedValue(\.failures) }

  func close() { pool.close() }

  /// Reads a state that includes a position of the primary server's log.
  ///
  /// Throws ``ReplicaPassedOver`` if the replica is too far behind or fails, and otherwise what the closure throws.
  func read<Value: Sendable>(
    from position: LogPosition, _ turn: ReplicaRest.Turn,
    _ body: @escaping @Sendable (PostgresSession) throws -> Value
  ) async throws -> Value {
    do {
      for pause in turn == .use ? [0] + Self.pauses : [0] {
        // Meanwhile the thread serves other lookups.
        if pause > 0 { try await Task.sleep(for: .milliseconds(pause)) }
        guard let value = try await readIfReached(position, body) else { continue }
        return value
      }
    } catch is PostgresFailure {
      // The replica rests whatever the failure was, because the primary server can answer too.
    } catch is NoConnectionFree {
    }
    rest.withLockedValue { $0.failed(turn, at: .now) }
    throw ReplicaPassedOver()
  }

  /// Reads if the replica has reached a position; otherwise returns nil.
  private func readIfReached<Value: Sendable>(
    _ position: LogPosition, _ body: @escaping @Sendable (PostgresSession) throws -> Value
  ) async throws -> Value? {
    try await pool.perform(patience: .zero) { [options, announcing, rest] slot, _ in
      do {
        let connection = try slot.connected()
        guard try Self.hasReached(position, connection) else { return nil }
        rest.withLockedValue { $0.answered() }
        let session = PostgresSession(connection, options, announcing, mode: .reading)
        do {
          return try body(session)
        } catch {
          if !session.rollback() { slot.disconnect() }
          throw error
        }
      } catch let failure as PostgresFailure {
        if failure.isDisconnection { slot.disconnect() }
        throw failure
      }
    }
  }

  private static func hasReached(
    _ position: LogPosition, _ connection: PostgresConnection
  ) throws -> Bool {
    // A server that was promoted to primary has reached every position.
    let query = SQLStatement(
      "SELECT CASE WHEN coalesce(pg_last_wal_replay_lsn() >= CAST(? AS pg_lsn), false) THEN 1 ELSE 0 END",
      [.string(position.text)])
    let (answers, failure) = try connection.exchange([query])
    if let failure { throw failure }
    return try answers.first?.row(0).integer(0) == 1
  }
}

/// The replica cannot answer now.
struct ReplicaPassedOver: Error {}

/// A position in the primary server's write-ahead log.
struct LogPosition: Sendable {
  let text: String
}

extension PostgresConnection {
  /// Returns the current position of the log.
  ///
  /// Every earlier commit lies before it.
  func logPosition() throws -> LogPosition {
    let (answers, failure) = try exchange([SQLStatement("SELECT pg_current_wal_lsn()", [])])
    if let failure { throw failure }
    return LogPosition(text: answers.first?.row(0).text(0) ?? "")
  }
}
