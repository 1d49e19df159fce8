import AuthCore
import CSQLite3
import NIOConcurrencyHelpers

/// A pool of reading connections: as many as read at once, of which a few are kept.
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

  /// Reads one snapshot of the file on the calling thread.
  ///
  /// A reader never waits, and a change of threads would take longer than most reads.
  func read<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try glance { connection in
      try connection.inTransaction("BEGIN") { try body(connection) }
    }
  }

  /// Reads with a single statement, or with several that need no common snapshot.
  func glance<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    let connection = try takeOne()
    defer { giveBack(connection) }
    return try body(connection)
  }

  /// Refuses every read from now on; throws while any is under way.
  func close() throws {
    try state.withLockedValue { state in
      guard state.inUse == 0 else {
        throw StoreFailure(code: SQLITE_BUSY, message: "a read is under way")
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
    // A connection whose transaction could not be ended would show the same snapshot for ever.
    let reader = connection.flatMap { $0.isInTransaction ? nil : Reader(connection: $0) }
    state.withLockedValue { state in
      state.inUse -= 1
      if let reader, state.idle.count < mostIdle { state.idle.append(reader) }
    }
  }
}
