import GRDB
import NIOConcurrencyHelpers

/// The connection that writes; whoever uses it sees to it that nobody else does.
final class Writer: Sendable {
  private enum Source: @unchecked Sendable {
    case file(SQLiteConnection)
    /// A store in memory has one connection, which readers use too.
    case memory(DatabaseQueue, SQLiteConnection)
    case closed
  }

  private let source: NIOLockedValueBox<Source>
  /// How long another process is waited for.
  let patience: Duration

  init(_ connection: SQLiteConnection, patience: Duration) {
    source = NIOLockedValueBox(.file(connection))
    self.patience = patience
  }

  /// Takes the one connection of a store in memory, which the queue keeps from being used twice at a time.
  init(_ queue: DatabaseQueue, _ connection: SQLiteConnection) {
    source = NIOLockedValueBox(.memory(queue, connection))
    patience = .zero
  }

  func use<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    switch source.withLockedValue(\.self) {
    case .file(let connection): try body(connection)
    case .memory(let queue, let connection): try queue.inDatabase { _ in try body(connection) }
    case .closed: throw DatabaseError.closed
    }
  }

  func close() {
    source.withLockedValue { $0 = .closed }
  }
}

extension DatabaseError {
  static var closed: DatabaseError {
    DatabaseError(resultCode: .SQLITE_MISUSE, message: "it is closed")
  }
}
