import AuthCore
import Synchronization

/// Counts the reads of the store behind it.
final class CountingStore: AccountStore {
  private let store: any AccountStore
  private let count = Mutex(0)

  init(_ store: any AccountStore) {
    self.store = store
  }

  var reads: Int { count.withLock(\.self) }

  func read<Result: Sendable>(
    from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    count.withLock { $0 += 1 }
    return try await store.read(from: source, body)
  }

  func transact<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>
  ) async throws -> Result {
    try await store.transact(purpose, body)
  }
}
