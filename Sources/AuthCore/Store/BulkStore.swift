/// A store that accepts a very large number of accounts as one change.
public protocol BulkStore: AccountStore {
  /// Fills a store without accounts: everything that the work writes to the given store is committed at its end, or
  /// nothing.
  ///
  /// Faster than separate commits, because the indexes are built last; the gain grows with the size. Others may read
  /// during the work. Their writes wait, and fail when their timeout ends. The store that is passed to the work becomes
  /// invalid at its end.
  ///
  /// Throws `operation-not-allowed` if any scope has or had accounts, or if the store cannot do it.
  func filling<Result: Sendable>(
    _ work: (any AccountStore) async throws -> Result
  ) async throws -> Result
}
