public import AuthCore
import NIOConcurrencyHelpers

/// A store in memory, for tests.
///
/// A transaction works on a copy of the state, which replaces the old one if it succeeds. So the cost of a write
/// grows with the number of accounts.
public final class MemoryStore: AccountStore {
  private let state = NIOLockedValueBox(MemoryState())

  /// Makes an empty store.
  public init() {}

  /// Reads one state of the store.
  public func read<Result: Sendable>(
    from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    return try body(MemoryTransaction(state.withLockedValue(\.self)))
  }

  /// Runs a transaction, one at a time.
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
