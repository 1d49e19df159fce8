import CSQLite3
import NIOConcurrencyHelpers

/// Ends the statements of work that takes long when its task is cancelled.
///
/// `lock` keeps `cancel()` from a connection that is used for something else by now.
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

  /// Runs a closure, in which one statement of the connection may be interrupted.
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
