import AuthCore

extension MergeAnswer {
  /// The answer to a conflict in one line.
  func summary(of conflict: MergeConflict) -> String {
    switch self {
    case .refuse(let refusal):
      return "refuses: \(refusal.reason)" + (refusal.code.map { " (\($0))" } ?? "")
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

extension MergePlan {
  /// The plan in one line: who absorbs whom, and the result of each field in which they differ.
  var answer: String {
    let profile = fields.filter {
      $0.differs && $0.field != .createdAt && $0.field != .lastSignInAt
    }
    let results = profile.map { "\($0.field.rawValue) = \($0.result ?? "nothing")" }
    return (["\(survivor.id) absorbs \(absorbed.id)"] + results).joined(separator: "; ")
  }
}
