/// A store that writes very much in less time where it is told beforehand.
public protocol BulkStore: AccountStore {
  /// Does work that writes very much; what is committed meanwhile is as durable as always.
  ///
  /// Others may read and write at the same time.
  func writingMuch<Result: Sendable>(
    _ work: () async throws -> Result
  ) async throws -> Result
}
