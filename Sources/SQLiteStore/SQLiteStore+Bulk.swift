public import AuthCore
import GRDB

/// Lets the log of changes grow while very much is written.
///
/// A commit waits for the log alone. What is in it goes into the file later, each page once for all the commits that
/// changed it, and in a large import that is most of what is written.
extension SQLiteStore: BulkStore {
  /// How many pages of 4 KiB the log has before they go into the file: SQLite's own number, and the one of an import.
  private static let (usualPages, manyPages) = (1000, 65_536)

  public func writingMuch<Result: Sendable>(
    _ work: () async throws -> Result
  ) async throws -> Result {
    try await setCheckpoint(after: Self.manyPages)
    do {
      let result = try await work()
      try await endWritingMuch()
      return result
    } catch {
      try? await endWritingMuch()
      throw error
    }
  }

  private func endWritingMuch() async throws {
    try await setCheckpoint(after: Self.usualPages)
    // Where somebody else is in the way, the next commits do it, and the log only keeps its length.
    try? await database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
  }

  private func setCheckpoint(after pages: Int) async throws {
    do {
      try await writes.perform { try $0.execute("PRAGMA wal_autocheckpoint = \(pages)") }
    } catch {
      throw file.translated(error)
    }
  }
}
