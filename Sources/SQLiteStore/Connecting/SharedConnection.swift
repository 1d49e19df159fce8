import NIOConcurrencyHelpers

/// A connection that threads use one after the other.
///
/// `lock` guards the connection, which makes sharing it safe.
final class SharedConnection: @unchecked Sendable {
  private var connection: SQLiteConnection?
  private let lock = NIOLock()

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  func use<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try lock.withLock {
      guard let connection else { throw StoreFailure.closed }
      return try body(connection)
    }
  }

  /// Closes the connection once it is idle.
  ///
  /// Later uses throw `StoreFailure`.
  func close() {
    lock.withLock { connection = nil }
  }
}
