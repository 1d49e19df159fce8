/// A store that takes very many accounts as one change.
public protocol BulkStore: AccountStore {
  /// Fills a store that has no accounts: what the work writes to the store that it is given is committed when the work
  /// is done, all of it or nothing.
  ///
  /// It takes less time than commits one by one, the more so the more accounts there are, for what finds an account by its
  /// address or identity is made last. Others may read meanwhile; if they write they wait, and fail when their patience
  /// ends. The store that the work is given ends with it.
  ///
  /// Throws `operation-not-allowed` if there are or were accounts, in whatever scope, or if the store cannot do it.
  func filling<Result: Sendable>(
    _ work: (any AccountStore) async throws -> Result
  ) async throws -> Result
}
