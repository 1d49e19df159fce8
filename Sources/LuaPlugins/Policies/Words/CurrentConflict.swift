import AuthCore

/// The conflict that a script decides at the moment, for the words that depend on it.
final class CurrentConflict {
  private(set) var conflict: MergeConflict?
  /// The answer that an admin's approval made unnecessary.
  private(set) var waived: MergeAnswer?

  func begin(_ conflict: MergeConflict) {
    (self.conflict, waived) = (conflict, nil)
  }

  /// Returns an answer, or nil if an admin has approved the merge.
  func unlessApproved(_ answer: MergeAnswer) -> MergeAnswer? {
    guard conflict?.isApproved == true else { return answer }
    waived = waived ?? answer
    return nil
  }
}
