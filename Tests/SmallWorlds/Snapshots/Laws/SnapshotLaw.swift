import AuthCore

/// A formula that holds for every state.
struct SnapshotLaw: Sendable {
  let name: String
  /// Returns the violation.
  private let breach: @Sendable (JudgedCase) -> String?

  init(_ name: String, _ breach: @escaping @Sendable (JudgedCase) -> String?) {
    (self.name, self.breach) = (name, breach)
  }

  /// The laws of changes and sessions, which refusals have none of.
  private static let ofPermissions = ofOwners + ofSessions + ofChanges + ofWaysIn

  /// Returns the first law that a case breaks.
  static func violation(of judged: JudgedCase) -> Violation? {
    let laws = judged.outcome.error == nil ? ofPermissions : ofRefusals
    for law in laws + ofTraces {
      if let details = law.breach(judged) { return Violation(name: law.name, details: details) }
    }
    return nil
  }
}

extension SnapshotLaw {
  /// Laws of the traces that explain decisions.
  static let ofTraces = [
    SnapshotLaw("a decision without a trace") { judged in
      let steps = judged.outcome.trace.steps
      return steps.isEmpty || steps.contains { $0.rule.isEmpty || $0.result.isEmpty }
        ? "\(steps)" : nil
    }
  ]

  /// Laws of refusals: they change nothing, and reveal owners only to an admin.
  static let ofRefusals = [
    SnapshotLaw("a refusal that gives") { judged in
      judged.outcome.session != nil || !judged.outcome.changes.isEmpty
        ? "\(judged.outcome.changes)" : nil
    },
    SnapshotLaw("a refusal that tells") { judged in
      guard !judged.isAdmin, let error = judged.outcome.error else { return nil }
      let text = "\(error.message) \(error.remedy ?? "")"
      guard text.contains(SnapshotNames.sign) else { return nil }
      let target = judged.state.target?.account
      // The account's own session may learn which identities the account has.
      let others = judged.state.members.map(\.account).filter { $0.id != target?.id }
      let secrets = others.flatMap { [$0.id.rawValue] + $0.identities.map(\.key.subject) }
      return secrets.first { text.contains($0) }.map { "\"\(text)\" has \($0)" }
    },
  ]
}
