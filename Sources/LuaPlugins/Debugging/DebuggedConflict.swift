package import AuthCore

/// A conflict that the debugger decides again: an example's, or one that was recorded.
package struct DebuggedConflict: Sendable {
  /// The conflict as the policy sees it.
  package let conflict: MergeConflict

  /// Makes one of a recorded decision.
  package init(_ conflict: MergeConflict) {
    self.conflict = conflict
  }
}

/// The result of a decision in the debugger.
package struct DebuggedDecision: Sendable, Hashable {
  /// The answer in one line; nil if there was none.
  package let answer: String?
  /// Why there was none; nil if there was one, or if the debugger was left.
  package let failure: String?
  /// The lines that the policy logged.
  package let log: [String]
}
