/// Merges of two accounts by a person who is signed in to both.
extension AccountGraph {
  /// Plans a merge of the caller's own two accounts; nothing is written.
  ///
  /// Throws like ``merge(_:client:reason:)``.
  public func planMerge(_ merge: OwnMerge) async throws -> MergePlan {
    let context = OperationContext(
      snapshot: try await store.read { try $0.snapshot(.merging(merge)) },
      moment: Moment(now: clock(), eventID: ""), caller: merge.survivor.caller())
    var (judged, trace): (JudgedConflict?, Trace) = (nil, Trace())
    do {
      guard let plan = try plan(merge, on: context, judged: &judged, &trace) else {
        throw AuthError(.internalError, "The policy had no time.", step: .policy)
      }
      try askHooks(about: plan, on: context)
      return plan
    } catch let error as AuthError {
      if let failure = error.scriptFailure { services.scriptFailed(failure) }
      throw error
    }
  }

  /// Merges the caller's own two accounts in one transaction, and returns the session that continues.
  ///
  /// Both accounts have to be proven as for a sensitive change: by a session that was not ended, that is recent unless
  /// the account is anonymous, and that has shown a second factor if the account has one. An older session proves too
  /// little: its thief could merge the account into one of their own and sign in there.
  ///
  /// The scope's merge policy decides, as for `credential-already-in-use` with `current` the account to absorb and
  /// `existing` the one to keep. The audit names both proofs, an admin can undo the merge, and the absorbed uid stays
  /// an alias.
  ///
  /// - Parameters:
  ///   - merge: the two sessions, with the rules and revisions to apply.
  ///   - client: the origin of the request.
  ///   - reason: the reason for the audit.
  /// - Returns: the surviving account and its session; the receipt's ID is that of the merge.
  /// - Throws: `merge-refused` with the reason, `plan-outdated`, `operation-not-allowed`, `requires-recent-login`,
  ///   `second-factor-required`, `user-token-expired`, `user-disabled`, `user-not-found`, `tenant-mismatch`, or
  ///   `invalid-policy` if the policy fails.
  public func merge(
    _ merge: OwnMerge, client: ClientDescription = ClientDescription(), reason: String? = nil
  ) async throws -> LinkResult {
    var caller = merge.survivor.caller(client)
    caller.reason = reason
    let asking = caller
    let (receipt, verdict) = try await perform(
      asking, load: .merging(merge),
      decide: { snapshot, moment in
        let context = OperationContext(snapshot: snapshot, moment: moment, caller: asking)
        var verdict = Verdict(
          action: .merge, accountID: merge.survivor.account, relatedIDs: [merge.absorbed.account])
        verdict.details["proofs"] = merge.proofs
        do {
          guard
            let plan = try self.plan(
              merge, on: context, judged: &verdict.judged, &verdict.trace)
          else {
            verdict.wanted = .policy
            return verdict
          }
          verdict.commit(plan, result: plan.result, on: context)
          verdict.noteTokens(of: nil, at: moment.now, from: snapshot)
          verdict.allow = { account, verdict throws(AuthError) in
            try merge.session(of: account, after: verdict)
          }
        } catch let error as AuthError {
          verdict.note(cause: error)
          verdict.error = error
        }
        return verdict
      })
    guard let account = verdict.written, let session = try verdict.session?.get() else {
      throw AuthError(.internalError, "The merge gave no session.", step: .commit)
    }
    return LinkResult(
      account: account, receipt: receipt, session: session, mergedFrom: verdict.mergedFrom)
  }

  /// Checks both proofs, then applies the policy, or the default rules if there is none.
  ///
  /// Nil if the policy has to run outside the transaction first.
  private func plan(
    _ merge: OwnMerge, on context: OperationContext, judged: inout JudgedConflict?,
    _ trace: inout Trace
  ) throws -> MergePlan? {
    guard merge.survivor.account != merge.absorbed.account else {
      throw AuthError.mergeRefused(
        "Both sessions are of the same account.", "Sign in to the other account.")
    }
    let keep = try proven(by: merge.survivor, on: context, &trace)
    let absorb = try proven(by: merge.absorbed, on: context, &trace)
    for (id, revision) in merge.revisions
    where [keep, absorb].first(where: { $0.id == id })?.revision != revision {
      trace.note(
        "revisions", ["account": id.rawValue, "planned": "\(revision)"], "it changed since")
      throw AuthError.planOutdated
    }
    guard
      let plan = try decided(
        merge, keep: keep, absorb: absorb, on: context, judged: &judged, &trace)
    else { return nil }
    if let refusal = AddressChange.refusal(ofMerging: plan, by: merge.survivor.caller()) {
      throw refusal
    }
    guard merge.nextSession(of: plan.result) != nil else {
      throw AuthError.mergeRefused(
        "The merge would drop both ways in that were shown.", "Drop fewer identities.")
    }
    return plan
  }

  private func decided(
    _ merge: OwnMerge, keep: Account, absorb: Account, on context: OperationContext,
    judged: inout JudgedConflict?, _ trace: inout Trace
  ) throws -> MergePlan? {
    let snapshot = context.snapshot
    let conflict = MergeConflict(
      code: .credentialAlreadyInUse, current: absorb, existing: keep,
      provider: merge.survivor.provider, proof: MergeProof(current: true, existing: true),
      decidedAt: context.now
    ).describing(merge, snapshot.settings)
    let policies = policiesInForce(snapshot.settings)
    let isByPolicy = policies?.decider(over: absorb.id, keep.id) != nil
    guard merge.rules == .project || !isByPolicy else {
      throw AuthError.notAllowed(
        "The project's merge policy decides over merges.",
        remedy: "Pass the rules .project, or remove the policy with policy.remove().")
    }
    let question = PolicyQuestion(
      conflict: conflict, context: context, ways: waysIn(on: snapshot))
    switch try policies?.ask(question, judged: &judged, trace: &trace) ?? .nobody {
    case .later: return nil
    case .nobody:
      if policies == nil { trace.note("merge policy", [:], "none: the survivor's fields win") }
      let plan = try MergePlan.make(
        keep: keep, absorb: absorb, rules: MergeRules(), decidedBy: "the default rules",
        now: context.now)
      try plan.validate(result: plan.result, in: snapshot, waysIn(on: snapshot), &trace)
      return plan
    case .unanswered(let policy), .unproven(let policy):
      trace.note("merge policy", ["policy": policy.name], "it does not answer \(conflict.code)")
      throw AuthError.mergeRefused(
        "The merge policy \(policy.name) does not answer \(conflict.code).",
        "Ask an admin to merge the accounts.")
    case .merge(let plan, _): return plan
    case .offer(let plan, _):
      var refusal = AuthError.mergeRefused(
        "The merge waits for an admin.", "Ask an admin to merge the accounts.")
      refusal.cause = WaitingMerge(
        requirement: .approval, offer: MergeOffer.detail(plan, conflict))
      throw refusal
    }
  }

  /// Returns the account that a session proves, or throws.
  func proven(
    by session: ProvenSession, on context: OperationContext, _ trace: inout Trace
  ) throws -> Account {
    let snapshot = context.snapshot
    guard session.scope == snapshot.scope else {
      throw AuthError(
        .tenantMismatch, "The accounts belong to different projects or tenants.",
        remedy: "Merge accounts of one tenant.",
        step: .decision)
    }
    // An absorbed uid leads to its survivor, but does not prove it.
    guard snapshot.found[.uid(session.account)] == [session.account] else {
      throw AuthError.userNotFound
    }
    var rules = rules(by: session.caller(), at: context.now, on: snapshot)
    let found = rules.editable(session.account)
    trace.append(rules.trace)
    let account = try found.get()
    let isEnrolled = account.secondFactors.contains { $0.id == session.secondFactor?.id }
    guard account.secondFactors.isEmpty || isEnrolled else {
      trace.note("second factor", ["account": account.id.rawValue], "the session has not shown it")
      throw AuthError.secondFactorRequired
    }
    return account
  }
}

extension OwnMerge {
  /// Returns the session that continues.
  fileprivate func session(
    of account: Account, after verdict: Verdict
  ) throws(AuthError) -> SessionGrant {
    guard let session = nextSession(of: account) else {
      throw AuthError(.internalError, "The merge gave no session.", step: .commit)
    }
    // If the merge ended the survivor's sessions, this one begins with the proof just given.
    let isCut =
      verdict.changes.nextSessions(of: account.id) != nil
      || account.isEnded(begunAt: session.signedInAt)
    return try SessionGrant.allow(
      .merge, account, provider: session.provider, identity: session.identity,
      at: isCut ? verdict.at : session.signedInAt, shown: shownFactor(of: account),
      claims: session.claims)
  }
}

extension SnapshotQuery {
  fileprivate static func merging(_ merge: OwnMerge) -> SnapshotQuery {
    .merging(merge.survivor.account, merge.absorbed.account, in: merge.survivor.scope)
  }
}
