import AuthCore
import Synchronization

/// Counts the reads of the store that it stands before.
final class CountingStore: AccountStore {
  private let store: any AccountStore
  private let count = Mutex(0)

  init(_ store: any AccountStore) {
    self.store = store
  }

  var reads: Int { count.withLock(\.self) }

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    count.withLock { $0 += 1 }
    return try await store.read(body)
  }

  func write<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountWriter) throws -> Result
  ) async throws -> Result {
    try await store.write(body)
  }

  func sweep<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreSweeper) throws -> Result
  ) async throws -> Result {
    try await store.sweep(body)
  }
}
