/// A larger write-ahead log and cache for times of many writes.
///
/// A commit waits for the log alone. A checkpoint later writes each page once for all the commits that changed it,
/// and causes most of the writing of a large import. Imported accounts come in no order, so pages that leave the
/// cache are read and written again and again.
extension SQLiteConnection {
  /// The pages of 4 KiB in the log before a checkpoint, by default SQLite's own number, and the maximum size of the
  /// cache.
  private struct Sizes {
    let logPages: Int
    let cacheKiB: Int

    static let usual = Sizes(logPages: 1000, cacheKiB: SQLiteStore.cacheKiB)
    static let many = Sizes(logPages: 65_536, cacheKiB: 262_144)
  }

  /// The number of large commits in a row after which both sizes grow.
  private static let commitsBeforeGrowing = 3

  /// Records a commit.
  ///
  /// Both sizes grow after several large ones in a row, and shrink with the next small one.
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
      // If another process is in the way, later commits do it; until then the log just keeps its size.
      try? run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  /// Sets the sizes.
  ///
  /// A failure is harmless.
  private func set(_ sizes: Sizes) {
    try? execute(
      "PRAGMA wal_autocheckpoint = \(sizes.logPages); PRAGMA cache_size = -\(sizes.cacheKiB)")
  }
}
