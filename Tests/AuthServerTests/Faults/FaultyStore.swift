import AuthCore
import Synchronization

/// A store that counts requests, and whose writes fail at a chosen point: at the first, second, … row that a
/// transaction writes, or at its commit.
final class FaultyStore: AccountStore {
  struct InjectedFault: Error {}

  /// The requests to a store.
  struct Work: Hashable, Sendable {
    var reads = 0
    var writes = 0
    /// The number of written rows and commits.
    var rows = 0
  }

  private let store: any AccountStore
  private let countdown = Mutex<Int?>(nil)
  private let counted = Mutex(Work())

  init(_ store: any AccountStore) {
    self.store = store
  }

  /// Returns the requests since the last call.
  func takeWork() -> Work {
    counted.withLock { work in
      defer { work = Work() }
      return work
    }
  }

  /// Fails after that many written rows; nil fails nothing.
  func failAfter(_ writes: Int?) {
    countdown.withLock { $0 = writes }
  }

  /// True if the chosen point was not reached.
  var isArmed: Bool { countdown.withLock { $0 != nil } }

  /// Counts a row, and throws if it is the chosen one.
  ///
  /// Afterwards the store works again.
  func count() throws {
    counted.withLock { $0.rows += 1 }
    let fails = countdown.withLock { left -> Bool in
      guard let now = left else { return false }
      left = now == 0 ? nil : now - 1
      return now == 0
    }
    if fails { throw InjectedFault() }
  }

  func read<Result: Sendable>(
    from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    counted.withLock { $0.reads += 1 }
    return try await store.read(from: source, body)
  }

  func transact<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>
  ) async throws -> Result {
    guard purpose == .change else { return try await store.transact(purpose, body) }
    counted.withLock { $0.writes += 1 }
    return try await store.transact(purpose) { [self] writer in
      let ending = try body(FaultyWriter(writer: writer, store: self))
      // The commit is a point of its own.
      try count()
      return ending
    }
  }
}

/// A writer that forwards everything and counts writes.
private struct FaultyWriter: AccountWriter {
  let writer: any AccountWriter
  let store: FaultyStore

  func snapshot(_ query: SnapshotQuery) throws -> Snapshot { try writer.snapshot(query) }

  func record(_ key: RecordKey, in scope: Scope) throws -> StoredRecord? {
    try writer.record(key, in: scope)
  }

  func page(_ listing: Listing, limit: Int) throws -> StoredPage {
    try writer.page(listing, limit: limit)
  }

  func apply(_ writes: [StoreWrite], in scope: Scope) throws {
    for write in writes {
      try store.count()
      try writer.apply([write], in: scope)
    }
  }
}
