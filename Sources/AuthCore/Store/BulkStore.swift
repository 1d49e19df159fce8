/// A store that writes very much in less time where it is told beforehand.
public protocol BulkStore: AccountStore {
  /// Does work that writes very much; what is committed meanwhile is as durable as always.
  ///
  /// Others may read and write at the same time.
  func writingMuch<Result: Sendable>(
    _ work: () async throws -> Result
  ) async throws -> Result

  /// Fills a store that has no accounts: what the work writes to the store that it is given is committed when the work
  /// is done, all of it or nothing.
  ///
  /// It takes less time than ``writingMuch(_:)``, the more so the more accounts there are, for what finds an account by
  /// its address or identity is made last. Others may read meanwhile; where they write they wait, and fail when their
  /// patience ends. The store that the work is given ends with it.
  ///
  /// Throws `operation-not-allowed` where there are or were accounts, in whatever scope, or where the store cannot do
  /// it.
  func filling<Result: Sendable>(
    _ work: (any AccountStore) async throws -> Result
  ) async throws -> Result
}
