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
    from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    return try body(MemoryTransaction(state.withLockedValue(\.self)))
  }

  public func transact<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>
  ) async throws -> Result {
    try Task.checkCancellation()
    return try state.withLockedValue { state in
      let transaction = MemoryTransaction(state)
      var isDone = false
      defer { if !isDone { state.log.truncate(to: state.eventCount) } }
      let ending = try body(transaction)
      if let conflict = transaction.conflict { throw conflict }
      try Task.checkCancellation()
      if case .commit = ending {
        state = transaction.state
        isDone = true
      }
      return ending.result
    }
  }
}
