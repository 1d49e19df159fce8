import CSQLite3
import NIOConcurrencyHelpers

/// An interruption of long statements when their task is cancelled.
///
/// `lock` prevents `cancel()` from interrupting a connection that already serves other work.
final class Interruption: @unchecked Sendable {
  private var isCancelled = false
  private var handle: OpaquePointer?
  private let lock = NIOLock()

  func cancel() {
    lock.withLock {
      isCancelled = true
      if let handle { sqlite3_interrupt(handle) }
    }
  }

  /// Runs a closure in which statements of the connection may be interrupted.
  func during<Result>(
    _ connection: SQLiteConnection, _ body: () throws -> Result
  ) throws -> Result {
    try lock.withLock {
      guard !isCancelled else { throw CancellationError() }
      handle = connection.handle
    }
    defer { lock.withLock { handle = nil } }
    return try body()
  }
}
