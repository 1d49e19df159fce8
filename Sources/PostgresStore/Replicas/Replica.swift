import AuthCore
import Foundation
import NIOConcurrencyHelpers
import SQLAccounts

/// A copy of the database that follows the primary server and answers lookups.
final class Replica: Sendable {
  private let pool: ConnectionPool
  private let options: ConnectionOptions
  private let announcing: Announcing
  /// Until when nobody asks it, because it failed.
  private let restsUntil = NIOLockedValueBox<ContinuousClock.Instant?>(nil)

  private static let rest = Duration.seconds(1)
  /// How long it may take to catch up, in pauses of milliseconds, before the primary server is asked instead.
  private static let pauses = [1, 2, 4, 8]

  init(_ options: ConnectionOptions, _ announcing: Announcing) {
    self.options = options
    self.announcing = announcing
    pool = ConnectionPool(options)
  }

  var isResting: Bool {
    restsUntil.withLockedValue { end in end.map { ContinuousClock.now < $0 } ?? false }
  }

  func close() { pool.close() }

  /// Reads on the state of a position in the primary server's log, or a later one.
  ///
  /// Throws ``ReplicaPassedOver`` where the replica is too far behind or fails, and else what the closure throws.
  func read<Value: Sendable>(
    from position: LogPosition,
    _ body: @escaping @Sendable (PostgresSession) throws -> Value
  ) async throws -> Value {
    do {
      return try await pool.perform(patience: .zero) { [options, announcing] slot, _ in
        let connection = try slot.connected()
        guard try Self.hasReached(position, connection) else { throw ReplicaPassedOver() }
        let session = PostgresSession(connection, options, announcing, .reading)
        do {
          return try body(session)
        } catch {
          if !session.rollback() { slot.disconnect() }
          throw error
        }
      }
    } catch let failure as PostgresFailure {
      if failure.isDisconnection {
        restsUntil.withLockedValue { $0 = .now + Self.rest }
      }
      throw ReplicaPassedOver()
    }
  }

  private static func hasReached(
    _ position: LogPosition, _ connection: PostgresConnection
  ) throws -> Bool {
    // A server that became the primary one itself has reached everything there is.
    let query = SQLStatement(
      "SELECT CASE WHEN coalesce(pg_last_wal_replay_lsn() >= CAST(? AS pg_lsn), false) THEN 1 ELSE 0 END",
      [.string(position.text)])
    for pause in [0] + pauses {
      if pause > 0 { Thread.sleep(forTimeInterval: Double(pause) / 1000) }
      let (answers, failure) = try connection.exchange([query])
      if let failure { throw failure }
      if try answers.first?.row(0).integer(0) == 1 { return true }
    }
    return false
  }
}

/// A replica cannot answer now.
struct ReplicaPassedOver: Error {}

/// A place in the primary server's write-ahead log.
struct LogPosition: Sendable {
  let text: String
}

extension PostgresConnection {
  /// How far the log goes that replicas follow; everything that was committed lies before it.
  func logPosition() throws -> LogPosition {
    let (answers, failure) = try exchange([SQLStatement("SELECT pg_current_wal_lsn()", [])])
    if let failure { throw failure }
    return LogPosition(text: answers.first?.row(0).text(0) ?? "")
  }
}
