/// The result of putting a conflict to the policies of a scope.
enum PolicyOutcome {
  /// No policy decides over these two accounts.
  case nobody
  /// The policy does not answer such conflicts.
  case unanswered(by: any MergePolicy)
  /// The policy does not answer unproven conflicts.
  case unproven(by: any MergePolicy)
  /// A policy has to run outside the transaction first.
  case later
  /// The merge may be committed.
  case merge(MergePlan, by: any MergePolicy)
  /// An admin may make the merge.
  case offer(MergePlan, by: any MergePolicy)
}

/// A conflict with the basis of its decision.
struct PolicyQuestion {
  let conflict: MergeConflict
  let context: OperationContext
  let ways: WaysIn
  /// True if an admin vouches for what was not proven.
  let isVouched: Bool

  /// Adds the earlier merges of the snapshot to the conflict.
  init(
    conflict: MergeConflict, context: OperationContext, ways: WaysIn, isVouched: Bool = false
  ) {
    self.conflict = conflict.remembering(context.snapshot)
    self.context = context
    self.ways = ways
    self.isVouched = isVouched
  }
}

extension PoliciesInForce {
  /// Puts a conflict to the policy that decides over the two accounts, and then to the one in the shadow.
  ///
  /// All conflicts of links, own merges, offers and lists are put to policies here.
  ///
  /// - Parameters:
  ///   - question: the conflict and the snapshot.
  ///   - judged: takes the conflict with all answers.
  ///   - trace: takes the steps, which name the versions.
  /// - Returns: the plan of a merge, or the reason why there is none.
  /// - Throws: `merge-refused` with the policy's reason, or an error whose cause is a ``AppScriptFailure`` if the policy
  ///   fails.
  func ask(
    _ question: PolicyQuestion, judged: inout JudgedConflict?, trace: inout Trace
  ) throws -> PolicyOutcome {
    var steps = Trace()
    let outcome = Result {
      try decide(question, judged: &judged, trace: &steps)
    }
    if case .success(.later) = outcome { return .later }
    guard shadowed(question, judged: &judged, trace: &trace) else { return .later }
    trace.append(steps)
    return try outcome.get()
  }

  private func decide(
    _ question: PolicyQuestion, judged: inout JudgedConflict?, trace: inout Trace
  ) throws -> PolicyOutcome {
    let conflict = question.conflict
    guard let seat = decider(over: conflict.current.id, conflict.existing.id) else {
      trace.note("merge policy", [:], "none for these accounts")
      return .nobody
    }
    defer { trace = trace.naming(seat) }
    let found: (any MergePolicy)?
    do {
      found = try seat.policy(question.context.moment.budget)
    } catch {
      let failure = AppScriptFailure.error(ofPolicy: seat.name, error, noting: &trace)
      judged = JudgedConflict(
        conflict, [seat.judgement(failing: failure.scriptFailure?.message ?? failure.message)])
      throw failure
    }
    guard let policy = found else { return .later }
    guard policy.triggers.contains(conflict.code) else { return .unanswered(by: policy) }
    guard question.isVouched || conflict.proof.both || policy.answersUnproven else {
      trace.note(
        "merge policy", ["policy": policy.name],
        "not asked: \(conflict.proof.missing.joined(separator: " and ")) was not shown")
      return .unproven(by: policy)
    }
    let outcome = try conflict.outcome(
      by: AskedPolicy(policy: policy, seat: seat), on: question.context, question.ways,
      judged: &judged, trace: &trace)
    switch outcome {
    case nil: return .later
    case .merge(var plan):
      (plan.policyVersion, plan.policyRole) = (seat.version, seat.role)
      return .merge(plan, by: policy)
    case .offer(var plan):
      (plan.policyVersion, plan.policyRole) = (seat.version, seat.role)
      return .offer(plan, by: policy)
    }
  }

  /// Records the answer of the policy in the shadow; false if it has to be asked outside the transaction.
  ///
  /// While other writers wait, it has the time of an instant answer or gives none. Whatever it does, the outcome stays.
  private func shadowed(
    _ question: PolicyQuestion, judged: inout JudgedConflict?, trace: inout Trace
  ) -> Bool {
    let (conflict, given) = (question.conflict, question.context)
    // A plan without an event records nothing.
    guard let seat = shadow, !given.moment.eventID.isEmpty else { return true }
    var moment = given.moment
    if moment.budget == .holding { moment.budget = .instant }
    let context = OperationContext(
      snapshot: given.snapshot, moment: moment, caller: given.caller)
    var (answer, steps): (JudgedConflict?, Trace) = (nil, Trace())
    do {
      guard let policy = try seat.policy(moment.budget) else {
        if given.moment.budget == .instant { return false }
        throw ShadowSilence(reason: "it is not compiled yet")
      }
      guard policy.triggers.contains(conflict.code),
        conflict.proof.both || policy.answersUnproven
      else { return true }
      let outcome = try conflict.outcome(
        by: AskedPolicy(policy: policy, seat: seat), on: context, question.ways, judged: &answer,
        trace: &steps)
      if outcome == nil {
        if given.moment.budget == .instant { return false }
        throw ShadowSilence(reason: "no answer in time")
      }
    } catch {
      // A refusal is an answer.
      if answer == nil { answer = JudgedConflict(conflict, [seat.judgement(failing: "\(error)")]) }
    }
    let judgements = answer?.judgements ?? []
    judged = JudgedConflict(conflict, (judged?.judgements ?? []) + judgements)
    for judgement in judgements {
      var said = steps.steps.last?.result
      if said == nil, case .failure(let reason) = judgement.ruling { said = "failed: \(reason)" }
      trace.note(
        "shadow policy", ["policy": judgement.policy, "version": judgement.version?.label],
        said ?? "no answer")
    }
    return true
  }
}

/// The reason why the policy in the shadow gave no answer.
private struct ShadowSilence: Error, CustomStringConvertible {
  let reason: String
  var description: String { reason }
}
