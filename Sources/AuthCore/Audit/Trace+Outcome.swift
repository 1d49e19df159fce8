/// Steps for outcomes that no rule has explained.
extension Trace {
  /// Makes a trace with the caller's authority, for an operation without rules.
  init(rightOf caller: Caller) {
    let right =
      switch caller.authority {
      case .admin: "an admin may"
      case .session: "its own session"
      case .anyone: "any caller may"
      }
    note("authority", ["caller": caller.actor, "reason": caller.reason], right)
  }

  /// Notes the check that refused an operation.
  mutating func note(refusal error: AuthError, by rule: String) {
    note(rule, ["field": error.field], error.outcome(in: \.self))
  }

  /// Notes the check that refused a proof, with its step and field.
  mutating func note(refusal error: AuthError, of evidence: Evidence) {
    note(
      evidence.rule,
      [
        "provider": evidence.provider?.rawValue, "step": error.step?.rawValue,
        "field": error.field.map(evidence.harmless),
      ], error.outcome(in: evidence.harmless))
  }

  /// True if the last rule permitted the operation, so that a refusal still needs an explanation.
  var isOpen: Bool { steps.last?.permits ?? true }
}

extension Trace.Step {
  /// True if the rule permitted the operation.
  fileprivate var permits: Bool {
    switch rule {
    case "authority":
      ["an admin may", "any caller may"].contains(result) || result.hasPrefix("its own session")
    case "second factor": result == "shown"
    case "ways in that remain": result != "none" || inputs.contains { $0.value == "yes" }
    case "merge policy": result.hasPrefix("merge ") || result.hasPrefix("none")
    case "admin's plan", "action code open": true
    case "before_link", "before_unlink", "before_merge", "before_undo", "on_conflict":
      result.hasPrefix("allow") || result == "merge"
    default: rule.hasPrefix("field ")
    }
  }
}

extension AuthError {
  /// Returns the failed check, or else the message.
  fileprivate func outcome(in words: (String) -> String) -> String {
    (isFault ? "failed: " : "refused: ") + (check?.description ?? words(message))
  }

  /// True if the error is a fault rather than a refusal.
  fileprivate var isFault: Bool {
    [
      .pluginFailed, .invalidPlugin, .internalError, .networkRequestFailed, .storeUnavailable,
      .unsureCommit, .tooMuchContention,
    ].contains(code)
  }
}

extension Verdict {
  /// Explains a refusal if no rule has, and names the caller's authority if no rule was applied.
  ///
  /// A refusal that did not come from the rules happened after all their steps.
  mutating func explain(refusedByRules refusal: AuthError?, by caller: Caller) {
    guard let error else {
      if trace.steps.isEmpty { trace = Trace(rightOf: caller) }
      return
    }
    guard trace.isOpen || error != refusal else { return }
    let isOfCode = action == .useActionCode && trace.steps.isEmpty
    trace.note(refusal: error, by: isOfCode ? "action code" : error.step?.rawValue ?? "input")
  }
}
