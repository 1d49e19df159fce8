public import AuthCore
import SQLAccounts

extension SQLiteStore: BulkStore {
  /// The cache size while filling; a page that leaves the cache is written more than once.
  private static let fillingCacheKiB = 1_048_576

  /// Fills an empty store in a single transaction; throws `operation-not-allowed` if the store has accounts.
  public func filling<Result: Sendable>(
    _ work: (any AccountStore) async throws -> Result
  ) async throws -> Result {
    guard hasFile else {
      throw AuthError(
        .operationNotAllowed, "A store in memory cannot be filled at once.",
        remedy: "Write to it as to any other.")
    }
    do {
      try writes.checkOpen()
      let connection = try file.openConnection(readOnly: false)
      // The data sorted for the indexes may be larger than memory.
      try connection.execute(
        "PRAGMA cache_size = -\(Self.fillingCacheKiB); PRAGMA temp_store = FILE")
      let filling = try FillingStore(connection, file)
      do {
        let result = try await work(filling)
        try filling.commit()
        return result
      } catch {
        filling.rollback()
        throw error
      }
    } catch {
      throw file.translated(error)
    }
  }
}
