extension Trace {
  /// Returns the same trace, whose steps of a merge policy name its version.
  func naming(_ seat: PolicySeat) -> Trace {
    guard let version = seat.version else { return self }
    return Trace(
      steps: steps.map { step in
        guard step.rule == "merge policy" else { return step }
        var inputs = step.inputs
        let place = inputs.firstIndex { $0.name == "policy" }.map { $0 + 1 } ?? inputs.endIndex
        inputs.insert(Input(name: "version", value: version.label), at: place)
        return Step(rule: step.rule, inputs: inputs, result: step.result)
      })
  }
}

extension Verdict {
  /// Names the version of the policy that was asked, in the details of the event, and reports a shadow that failed.
  mutating func notePolicyVersion() {
    for judgement in judged?.judgements ?? [] {
      guard judgement.role == .shadow else {
        details["policyVersion"] = judgement.version?.detail
        continue
      }
      guard case .failure(let message) = judgement.ruling, failure == nil,
        error?.scriptFailure == nil
      else { continue }
      failure = AppScriptFailure(
        .mergePolicy, judgement.policy, AuthError(.invalidPolicy, message, step: .policy))
    }
  }
}
