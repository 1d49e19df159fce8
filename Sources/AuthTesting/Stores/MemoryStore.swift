public import AuthCore
import NIOConcurrencyHelpers

/// Keeps everything in memory, for tests; gone with the process.
///
/// A transaction works on a copy of the state that replaces the old one when it succeeds, so a write costs time
/// in proportion to the number of accounts.
public final class MemoryStore: AccountStore {
  private let state = NIOLockedValueBox(MemoryState())

  public init() {}

  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    return try body(MemoryTransaction(state.withLockedValue(\.self)))
  }

  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountWriter) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    return try state.withLockedValue { state in
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

  public func sweep<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreSweeper) throws -> Result
  ) async throws -> Result {
    try await write { writer in
      guard let transaction = writer as? MemoryTransaction else {
        preconditionFailure("Transactions are of this store.")
      }
      return try body(transaction)
    }
  }
}
