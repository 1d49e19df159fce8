import AuthCore
import Foundation
import SQLAccounts

/// The retries of a transaction.
struct Attempts {
  /// The time in which retries may begin.
  static let patience = Duration.seconds(10)
  private static let longestPause = 0.25
  private static let failuresBeforeLine = 2

  private let deadline = ContinuousClock.now + patience
  private var failures = 0

  /// True if no time is left for another attempt.
  var isOver: Bool { ContinuousClock.now >= deadline }

  /// True after so many failures that the transaction should wait in line with others like it.
  var shouldStandInLine: Bool { failures >= Self.failuresBeforeLine }

  /// Counts a failure and returns the pause before the next attempt, growing with each; nil if it is too late.
  mutating func pauseBeforeAnother() -> Duration? {
    failures += 1
    let pause = Self.pause(after: failures)
    return ContinuousClock.now + pause < deadline ? pause : nil
  }

  /// Returns a random pause that grows with the number of failures.
  static func pause(after failures: Int) -> Duration {
    let longest = min(longestPause, 0.001 * pow(2, Double(min(failures, 10))))
    return .seconds(Double.random(in: 0...longest))
  }
}

extension Duration {
  /// Blocks this thread, which is not one of Swift's cooperative pool.
  func sleep() { Thread.sleep(forTimeInterval: self / .seconds(1)) }
}

extension PostgresStore {
  /// Runs a transaction on a connection of the pool, and runs it again after a failure that may pass.
  func perform<Value: Sendable>(
    _ mode: PostgresSession.Mode,
    _ body: @escaping @Sendable (PostgresSession, Ticket) throws -> Value
  ) async throws -> Value {
    do {
      return try await pool.perform { [options, announcing, health] slot, ticket in
        var mode = mode
        while true {
          do {
            let connection = try slot.connected()
            let isInLine = ticket.shouldStandInLine
            if isInLine { try connection.standInLine(options) }
            defer { if isInLine { connection.leaveLine(options) } }
            let session = PostgresSession(connection, options, announcing, mode: mode)
            do {
              let value = try body(session, ticket)
              // The result is as of the call. Later reads need another server.
              if connection.hasBecomeReadOnly { slot.leaveServer() }
              return value
            } catch {
              if !session.rollback() { slot.disconnect() }
              // Whatever the closure made of the error, it did not get every answer.
              throw session.asksForMore ? PostgresSession.MoreThanOneExchange() : error
            }
          } catch is PostgresSession.MoreThanOneExchange {
            mode = .reading
          } catch let failure as PostgresFailure {
            if failure.isReadOnly { slot.leaveServer() }
            if failure.isDisconnection { slot.disconnect() }
            if failure.isConflict { self.noteConflict() }
            try ticket.check()
            guard failure.mayPass, !health.lasts(failure), ticket.waitForAnother() else {
              throw failure
            }
            if failure.isDisconnection { throw ConnectionLost(failure: failure) }
          }
        }
      }
    } catch {
      health.note(error, options)
      throw options.translated(error)
    }
  }
}

extension PostgresConnection {
  /// Waits in line until no other repeatedly failing transaction runs, on any server.
  ///
  /// Without a line, many transactions on the same rows would keep failing. An engine without advisory locks has no
  /// line and only takes longer.
  fileprivate func standInLine(_ options: ConnectionOptions) throws {
    let (_, failure) = try exchange([
      SQLStatement("SET lock_timeout = '10s'", []),
      SQLStatement("SELECT pg_advisory_lock(\(options.line))", []),
      SQLStatement("SET \(PostgresConnection.shortWait)", []),
    ])
    guard var failure, !failure.isMissingFeature else { return }
    // The connection would go on waiting for long.
    failure.isDisconnection = true
    throw failure
  }

  fileprivate func leaveLine(_ options: ConnectionOptions) {
    // A lost connection has left the line.
    try? send([SQLStatement("SELECT pg_advisory_unlock(\(options.line))", [])])
  }
}

extension ConnectionOptions {
  fileprivate var line: Int64 { lockNumber("line") }
}
