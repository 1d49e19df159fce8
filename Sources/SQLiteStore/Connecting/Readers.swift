import AuthCore
import CSQLite3
import NIOConcurrencyHelpers

/// Connections that read, as many as read at once; a few are kept.
final class Readers: Sendable {
  private struct State {
    var idle: [Reader] = []
    var inUse = 0
    var isClosed = false
  }

  /// A connection on its way from one thread to another.
  private struct Reader: @unchecked Sendable {
    let connection: SQLiteConnection
  }

  private let file: StoreFile
  private let mostIdle: Int
  private let state = NIOLockedValueBox(State())

  init(_ file: StoreFile, mostIdle: Int) {
    self.file = file
    self.mostIdle = mostIdle
  }

  /// Reads one state of the file on the thread that asks.
  ///
  /// A reader waits for nobody, and going to another thread and back would take longer than most reads.
  func read<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try glance { connection in
      try connection.inTransaction("BEGIN") { try body(connection) }
    }
  }

  /// Reads what one statement tells, or several that need not see one state of the file.
  func glance<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    let connection = try takeOne()
    defer { giveBack(connection) }
    return try body(connection)
  }

  /// Refuses every read from now on; throws while there are any.
  func close() throws {
    try state.withLockedValue { state in
      guard state.inUse == 0 else {
        throw StoreFailure(code: SQLITE_BUSY, message: "something is still read")
      }
      state.isClosed = true
      state.idle = []
    }
  }

  private func takeOne() throws -> SQLiteConnection {
    let known = try state.withLockedValue { state in
      guard !state.isClosed else { throw StoreFailure.closed }
      state.inUse += 1
      return state.idle.popLast()
    }
    if let known { return known.connection }
    do {
      return try file.openConnection(readOnly: true)
    } catch {
      giveBack(nil)
      throw error
    }
  }

  private func giveBack(_ connection: SQLiteConnection?) {
    // A transaction that could not be ended would show the same state for ever.
    let reader = connection.flatMap { $0.isInTransaction ? nil : Reader(connection: $0) }
    state.withLockedValue { state in
      state.inUse -= 1
      if let reader, state.idle.count < mostIdle { state.idle.append(reader) }
    }
  }
}
