public import AuthCore
import Synchronization

/// Keeps everything in memory, for tests; gone with the process.
///
/// A transaction works on a copy of the state that replaces the old one when it succeeds, so a write costs time
/// in proportion to the number of accounts.
public final class MemoryStore: AccountStore {
  private let state = Mutex(MemoryState())

  public init() {}

  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    return try body(MemoryTransaction(state.withLock(\.self)))
  }

  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountWriter) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    return try state.withLock { state in
      let transaction = MemoryTransaction(state)
      do {
        let result = try body(transaction)
        try Task.checkCancellation()
        state = transaction.state
        return result
      } catch {
        state.log.truncate(to: state.eventCount)
        throw error
      }
    }
  }
}
