/// Lets the log of changes and the cache grow while very much is written.
///
/// A commit waits for the log alone. What is in it goes into the file later, each page once for all the commits that
/// changed it, and in a large import that is most of what is written. Its accounts come in no order, so that pages
/// which do not stay in the cache are read and written again and again.
extension SQLiteConnection {
  /// The pages of 4 KiB that the log has before they go into the file, SQLite's own number if nothing is special, and the
  /// largest size of the cache.
  private struct Sizes {
    let logPages: Int
    let cacheKiB: Int

    static let usual = Sizes(logPages: 1000, cacheKiB: SQLiteStore.cacheKiB)
    static let many = Sizes(logPages: 65_536, cacheKiB: 262_144)
  }

  /// The number of large commits in a row after which both grow.
  private static let commitsBeforeGrowing = 3

  /// Notes a commit: of several in a row that add many accounts more are to come, and the next other one ends them.
  func adaptToCommit() {
    defer { addsMany = false }
    let hasGrown = largeCommits >= Self.commitsBeforeGrowing
    if addsMany {
      largeCommits += 1
      if largeCommits == Self.commitsBeforeGrowing { set(.many) }
    } else if largeCommits > 0 {
      largeCommits = 0
      guard hasGrown else { return }
      set(.usual)
      // If somebody else is in the way, the next commits do it, and the log only keeps its length.
      try? run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  /// Takes sizes; the store works with any.
  private func set(_ sizes: Sizes) {
    try? execute(
      "PRAGMA wal_autocheckpoint = \(sizes.logPages); PRAGMA cache_size = -\(sizes.cacheKiB)")
  }
}
