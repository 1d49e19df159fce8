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

extension MergeAnswer {
  /// The answer to a conflict in one line.
  func summary(of conflict: MergeConflict) -> String {
    switch self {
    case .refuse(let refusal): return "refuses: \(refusal.reason)"
    case .require(let requirement): return "requires: \(requirement)"
    case .review(let reason): return "asks for a review: \(reason)"
    case .merge(let into, let from, let rules):
      let accounts = [conflict.current, conflict.existing]
      guard let keep = accounts.first(where: { $0.id == into }),
        let absorb = accounts.first(where: { $0.id == from }),
        let plan = try? MergePlan.rehearse(keep: keep, absorb: absorb, rules: rules)
      else { return "\(into) absorbs \(from)" }
      return plan.answer
    }
  }
}
