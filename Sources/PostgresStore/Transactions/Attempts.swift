import AuthCore
import Foundation
import SQLAccounts

/// How often a transaction is tried.
struct Attempts {
  /// How long it is tried again; the last attempt may begin just before.
  static let patience = Duration.seconds(10)
  private static let longestPause = 0.25
  private static let failuresBeforeLine = 2

  private let deadline = ContinuousClock.now + patience
  private var failures = 0

  /// Whether there is no time for another one.
  var isOver: Bool { ContinuousClock.now >= deadline }

  /// Whether it is better to run beside nobody else who failed this often.
  var shouldStandInLine: Bool { failures >= Self.failuresBeforeLine }

  /// Counts a failure and returns how long to wait, longer each time; nil where it is too late.
  mutating func pauseBeforeAnother() -> Duration? {
    failures += 1
    let pause = Self.pause(after: failures)
    return ContinuousClock.now + pause < deadline ? pause : nil
  }

  /// A pause after a number of failures, and never as long as that of others.
  static func pause(after failures: Int) -> Duration {
    let longest = min(longestPause, 0.001 * pow(2, Double(min(failures, 10))))
    return .seconds(Double.random(in: 0...longest))
  }
}

extension Duration {
  /// Lets this thread, which is none of Swift's tasks, wait.
  func sleep() { Thread.sleep(forTimeInterval: self / .seconds(1)) }
}

extension PostgresStore {
  /// Runs a transaction on a connection of the pool, again where it failed for a reason that may pass.
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
              // What was read there is as of the time when it was asked for; nothing more is.
              if connection.hasBecomeReadOnly { slot.leaveServer() }
              return value
            } catch {
              if !session.rollback() { slot.disconnect() }
              // Whatever the closure makes of it, it was not told all.
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
  /// Waits until no other transaction that was in somebody's way runs again, on any server.
  ///
  /// Without a line many that want the same rows would be in each other's way for long. An engine that has no locks by
  /// number has no line either, and only takes longer.
  fileprivate func standInLine(_ options: ConnectionOptions) throws {
    let (_, failure) = try exchange([
      SQLStatement("SET lock_timeout = '10s'", []),
      SQLStatement("SELECT pg_advisory_lock(\(options.line))", []),
      SQLStatement("SET \(PostgresConnection.shortWait)", []),
    ])
    guard var failure, !failure.isMissingFeature else { return }
    // It would go on waiting for long.
    failure.isDisconnection = true
    throw failure
  }

  fileprivate func leaveLine(_ options: ConnectionOptions) {
    // A connection that is lost has left it.
    try? send([SQLStatement("SELECT pg_advisory_unlock(\(options.line))", [])])
  }
}

extension ConnectionOptions {
  fileprivate var line: Int64 { lockNumber("line") }
}
