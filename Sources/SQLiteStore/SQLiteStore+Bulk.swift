public import AuthCore
import GRDB

/// Lets the log of changes and the cache grow while very much is written.
///
/// A commit waits for the log alone. What is in it goes into the file later, each page once for all the commits that
/// changed it, and in a large import that is most of what is written. Its accounts come in no order, so that pages
/// which do not stay in the cache are read and written again and again.
extension SQLiteStore: BulkStore {
  /// How many pages of 4 KiB the log has before they go into the file, SQLite's own number where nothing is special,
  /// and how large the cache may become.
  private struct Sizes {
    let logPages: Int
    let cacheKiB: Int

    static let usual = Sizes(logPages: 1000, cacheKiB: SQLiteStore.cacheKiB)
    static let many = Sizes(logPages: 65_536, cacheKiB: 262_144)
  }

  public func writingMuch<Result: Sendable>(
    _ work: () async throws -> Result
  ) async throws -> Result {
    try await set(.many)
    do {
      let result = try await work()
      try await endWritingMuch()
      return result
    } catch {
      // In a task of its own, because this one may be cancelled.
      await Task { try? await endWritingMuch() }.value
      throw error
    }
  }

  private func endWritingMuch() async throws {
    try await set(.usual)
    // Where somebody else is in the way, the next commits do it, and the log only keeps its length.
    try? await database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
  }

  private func set(_ sizes: Sizes) async throws {
    do {
      try await writes.perform { connection in
        try connection.execute(
          """
          PRAGMA wal_autocheckpoint = \(sizes.logPages); PRAGMA cache_size = -\(sizes.cacheKiB)
          """)
      }
    } catch {
      throw file.translated(error)
    }
  }
}
