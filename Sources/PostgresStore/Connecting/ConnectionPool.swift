import AuthCore
import Foundation
import Synchronization

/// A number of threads with a connection each, which take work in the order in which it comes.
///
/// libpq waits where it is called, and must not do so on a thread of Swift's tasks. A connection stays on its thread
/// for good; threads start as they are needed.
final class ConnectionPool: Sendable {
  private let line: WaitingLine

  /// Whoever waited longer for a connection has given up by now.
  private static let longestWait = Duration.seconds(10)

  init(_ options: ConnectionOptions) {
    line = WaitingLine(options)
  }

  deinit {
    close()
  }

  /// Whether work is waiting or being done just now; only a hint.
  var isBusy: Bool { line.isBusy }

  /// Ends the threads once what waits is done.
  func close() {
    line.close()
  }

  /// Runs work on a thread that has a connection; work whose task is cancelled before is not done.
  func perform<Value: Sendable>(
    _ work: @escaping @Sendable (ConnectionSlot, CancellationFlag) throws -> Value
  ) async throws -> Value {
    let flag = CancellationFlag()
    let deadline = ContinuousClock.now + Self.longestWait
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        line.add { slot in
          continuation.resume(
            with: Result {
              try flag.check()
              guard ContinuousClock.now < deadline else { throw NoConnectionFree() }
              return try work(slot, flag)
            })
        }
      }
    } onCancel: {
      flag.set()
    }
  }
}

/// Every connection was busy for too long.
struct NoConnectionFree: Error {}

/// Tells one thread that a task of another was cancelled.
final class CancellationFlag: Sendable {
  private let value = Atomic(false)

  func set() { value.store(true, ordering: .relaxed) }

  func check() throws {
    if value.load(ordering: .relaxed) { throw CancellationError() }
  }
}

/// Hands pieces of work to threads, which it starts as they are needed.
///
/// `condition` guards all of the mutable state, which makes sharing it safe.
private final class WaitingLine: @unchecked Sendable {
  typealias Work = @Sendable (ConnectionSlot) -> Void

  private let options: ConnectionOptions
  private let condition = NSCondition()
  private var waiting: [Work] = []
  private var threads = 0
  private var idleThreads = 0
  private var isClosed = false

  init(_ options: ConnectionOptions) {
    self.options = options
  }

  var isBusy: Bool { condition.withLock { idleThreads < threads || !waiting.isEmpty } }

  func add(_ work: @escaping Work) {
    condition.withLock {
      waiting.append(work)
      guard waiting.count > idleThreads, threads < options.connections else {
        return condition.signal()
      }
      threads += 1
      Thread { self.serve() }.start()
    }
  }

  func close() {
    condition.withLock {
      isClosed = true
      condition.broadcast()
    }
  }

  private func serve() {
    let slot = ConnectionSlot(options)
    while let work = next() { work(slot) }
  }

  private func next() -> Work? {
    condition.withLock {
      while waiting.isEmpty {
        guard !isClosed else { return nil }
        idleThreads += 1
        condition.wait()
        idleThreads -= 1
      }
      return waiting.removeFirst()
    }
  }
}

/// A thread's place for a connection, which comes and goes with the server.
final class ConnectionSlot {
  private let options: ConnectionOptions
  private var connection: PostgresConnection?

  init(_ options: ConnectionOptions) {
    self.options = options
  }

  /// A connection that is alive as far as can be told.
  func connected() throws(PostgresFailure) -> PostgresConnection {
    if let connection, connection.isAlive { return connection }
    connection = nil
    let fresh = try PostgresConnection(options)
    try fresh.configure(options)
    try fresh.limitWaiting()
    try fresh.shareSnapshots()
    try fresh.beginPipeline()
    connection = fresh
    return fresh
  }

  func disconnect() {
    connection = nil
  }
}

extension PostgresConnection {
  /// Says how the session is to behave; an engine may not know all of it.
  func configure(_ options: ConnectionOptions) throws(PostgresFailure) {
    try execute("SET search_path TO \(options.schema)")
    try set([
      "statement_timeout = '\(options.statementTimeout)s'",
      // A scan of a whole table, which is quick where it is small, would conflict with everybody who writes to it.
      "enable_seqscan = off",
      // A server that lost us lets go of our locks.
      "idle_in_transaction_session_timeout = '10s'",
      "tcp_user_timeout = '10s'", "tcp_keepalives_idle = 5", "tcp_keepalives_interval = 2",
      "tcp_keepalives_count = 3", "client_connection_check_interval = '2s'",
    ])
  }

  /// Has transactions that wait for each other give way long before PostgreSQL looks for deadlocks.
  ///
  /// Whoever waited for a row that another has changed has to begin again anyway.
  func limitWaiting() throws(PostgresFailure) {
    try set([PostgresConnection.shortWait])
  }

  /// Has queries that are sent together, without a transaction of their own, see one state of the database.
  ///
  /// PostgreSQL runs what is sent together as one transaction, with the isolation that is usual for the connection.
  func shareSnapshots() throws(PostgresFailure) {
    do {
      try execute("SET default_transaction_isolation = 'repeatable read'")
      sharesSnapshots = true
    } catch  where !error.isDisconnection {
      // Then each lookup is a transaction that is begun and ended.
    }
  }

  static let shortWait = "lock_timeout = '200ms'"

  private func set(_ settings: [String]) throws(PostgresFailure) {
    for setting in settings {
      do {
        try execute("SET \(setting)")
      } catch  where !error.isDisconnection {
        continue
      }
    }
  }
}
