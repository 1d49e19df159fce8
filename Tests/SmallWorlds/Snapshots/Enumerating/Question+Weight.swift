extension Question {
  /// Returns the total weight of a question's accounts, for a size of the whole enumeration.
  ///
  /// Callers that are refused at once need no large snapshots, and rare requests can have larger ones.
  func weight(at size: Int) -> Int {
    switch kind {
    case .linkVendor, .linkPassword, .linkLink, .assert: max(1, size + weightOfAsker)
    case .signInVendor: max(1, size + 1 + weightOfAsker)
    default: max(1, size + 2 + weightOfAsker)
    }
  }

  private var weightOfAsker: Int {
    switch asker {
    case .recent, .recentWithFactor: 0
    case .admin, .old, .other: -1
    case .ended, .stranger: -2
    case .anyone: changesAccount ? -2 : 0
    }
  }
}
