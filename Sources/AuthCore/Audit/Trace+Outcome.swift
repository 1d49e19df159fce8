/// Steps that say what no rule has said.
extension Trace {
  /// The right by which something is done about which no rule is asked.
  init(rightOf caller: Caller) {
    let right =
      switch caller.authority {
      case .admin: "an admin may"
      case .session: "its own session"
      case .anyone: "anybody may"
      }
    note("authority", ["caller": caller.actor, "reason": caller.reason], right)
  }

  /// Notes the check that refused something.
  mutating func note(refusal error: AuthError, by rule: String) {
    note(rule, ["field": error.field], error.outcome(in: \.self))
  }

  /// Notes the check that refused what somebody has shown, with the place where it did.
  mutating func note(refusal error: AuthError, of evidence: Evidence) {
    note(
      evidence.rule,
      [
        "provider": evidence.provider?.rawValue, "step": error.step?.rawValue,
        "field": error.field.map(evidence.harmless),
      ], error.outcome(in: evidence.harmless))
  }

  /// Whether the last rule let something pass, so that a refusal has to be said yet.
  var isOpen: Bool { steps.last?.permits ?? true }
}

extension Trace.Step {
  /// Whether the rule let something pass.
  fileprivate var permits: Bool {
    switch rule {
    case "authority":
      ["an admin may", "anybody may"].contains(result) || result.hasPrefix("its own session")
    case "second factor": result == "shown"
    case "ways in that remain": result != "none" || inputs.contains { $0.value == "yes" }
    case "merge policy": result.hasPrefix("merge ") || result.hasPrefix("none")
    case "admin's plan", "action code open": true
    default: rule.hasPrefix("field ")
    }
  }
}

extension AuthError {
  /// The check that failed, in its own words or as the message tells it.
  fileprivate func outcome(in words: (String) -> String) -> String {
    (isFault ? "failed: " : "refused: ") + (check?.description ?? words(message))
  }

  /// Whether something is out of order, rather than refused.
  fileprivate var isFault: Bool {
    [
      .pluginFailed, .invalidPlugin, .internalError, .networkRequestFailed, .storeUnavailable,
      .unsureCommit, .tooMuchContention,
    ].contains(code)
  }
}

extension Verdict {
  /// Says why it is refused, if no rule has, and by what right it is done, if no rule was asked.
  ///
  /// A refusal that the rules did not give came after all that they noted.
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
