extension AccountGraph {
  /// Plans a merge of two accounts; nothing is written.
  ///
  /// Throws `user-not-found`, `merge-refused`, or `invalid-argument`, also for an absorbed uid: the caller has to name
  /// its survivor.
  public func planMerge(
    keep survivor: AccountID, absorb absorbed: AccountID, rules: MergeRules = MergeRules(),
    in scope: Scope
  ) async throws -> MergePlan {
    let now = clock()
    let snapshot = try await store.read {
      try $0.snapshot(.merging(survivor, absorbed, in: scope))
    }
    var trace = Trace()
    return try plan(
      keep: survivor, absorb: absorbed, rules: rules, on: snapshot, at: now, &trace)
  }

  /// Commits a plan in one transaction, with its journal entry.
  ///
  /// Throws `plan-outdated` if an account changed since, `merge-refused`, or `operation-not-allowed` unless the caller
  /// is an admin.
  public func commit(_ plan: MergePlan, by caller: Caller) async throws -> Receipt {
    try await commit(plan, in: nil, by: caller).receipt
  }

  /// Commits a plan, alone or as a part of a batch.
  func commit(
    _ plan: MergePlan, in batch: MergeBatchPlace?, by caller: Caller
  ) async throws -> (receipt: Receipt, verdict: Verdict) {
    guard caller.isAdmin else { throw AuthError.onlyAdmins("merge accounts") }
    let (survivor, absorbed) = (plan.survivor.id, plan.absorbed.id)
    return try await perform(
      caller,
      load: .merging(survivor, absorbed, in: caller.scope).and(plan.emails.map(AccountKey.email)),
      decide: { snapshot, moment in
        var verdict = Verdict(action: .merge, accountID: survivor, relatedIDs: [absorbed])
        if let batch { verdict.details["batch"] = .string(batch.id) }
        do {
          guard snapshot.found[.uid(survivor)] == [survivor],
            snapshot.found[.uid(absorbed)] == [absorbed]
          else { throw AuthError.planOutdated }
          var fresh = try self.plan(
            keep: survivor, absorb: absorbed, rules: plan.rules,
            decidedBy: batch == nil ? "admin" : plan.decidedBy, on: snapshot, at: moment.now,
            &verdict.trace)
          fresh.policyVersion = plan.policyVersion
          for (now, planned) in [(fresh.survivor, plan.survivor), (fresh.absorbed, plan.absorbed)]
          where !now.equalsIgnoringActivity(planned) && batch?.accepts(now) != true {
            throw AuthError.planOutdated
          }
          verdict.trace.note(
            "admin's plan",
            ["by": caller.actor, "batch": batch?.id, "policy version": plan.policyVersion?.label],
            "merge \(absorbed) into \(survivor)")
          verdict.commit(
            fresh, result: fresh.result,
            on: OperationContext(snapshot: snapshot, moment: moment, caller: caller))
          verdict.changes.merge?.batch = batch?.id
        } catch let error as AuthError {
          verdict.error = error
        }
        return verdict
      })
  }

  private func plan(
    keep survivor: AccountID, absorb absorbed: AccountID, rules: MergeRules,
    decidedBy: String = "admin", on snapshot: Snapshot, at now: Timestamp, _ trace: inout Trace
  ) throws -> MergePlan {
    guard let keep = snapshot.account(survivor), let absorb = snapshot.account(absorbed) else {
      throw AuthError.userNotFound
    }
    for (id, account) in [(survivor, keep), (absorbed, absorb)] where id != account.id {
      throw AuthError.wasMerged(id, into: account.id)
    }
    let plan = try MergePlan.make(
      keep: keep, absorb: absorb, rules: rules, decidedBy: decidedBy, now: now)
    // An admin may merge accounts whose providers are configured later.
    let ways = WaysIn(settings: snapshot.settings, providers: nil)
    try plan.validate(result: plan.result, in: snapshot, ways, &trace)
    return plan
  }
}

/// The batch of a merge, with the states of the accounts in which it may be made.
struct MergeBatchPlace: Sendable {
  let id: String
  let states: [AccountID: Set<AccountState>]

  func accepts(_ account: Account) -> Bool {
    states[account.id]?.contains(AccountState(account)) == true
  }
}

extension SnapshotQuery {
  /// Returns a query for two accounts and all others with one of their e-mail addresses.
  static func merging(_ a: AccountID, _ b: AccountID, in scope: Scope) -> SnapshotQuery {
    var query = SnapshotQuery([.uid(a), .uid(b)], following: [.addresses], in: scope)
    query.mayConflict = true
    return query
  }
}

extension Verdict {
  /// Makes a plan the verdict: rows, alias, journal entry and a trace step for each field.
  mutating func commit(_ plan: MergePlan, result: Account, on context: OperationContext) {
    action = .merge
    error = nil
    account = result
    accountID = plan.survivor.id
    relatedIDs = [plan.absorbed.id]
    changes.update(plan.survivor, to: result)
    changes.deleted = [plan.absorbed]
    changes.aliases = [plan.absorbed.id: plan.survivor.id]
    changes.merge = MergeRecord(
      id: context.moment.eventID, scope: plan.survivor.scope, at: context.now,
      actor: context.caller.actor, reason: context.caller.reason, survivorBefore: plan.survivor,
      absorbedBefore: plan.absorbed, survivorAfter: result)
    for outcome in plan.fields where outcome.differs {
      trace.note(
        "field \(outcome.field.rawValue)",
        ["kept": outcome.kept, "other": outcome.other, "rule": outcome.rule],
        outcome.result ?? "none")
    }
    details["decidedBy"] = .string(plan.decidedBy)
    if let version = plan.policyVersion { details["policyVersion"] = version.detail }
    details["absorbed"] = .string(plan.absorbed.id.rawValue)
    details["moved"] = .array(plan.movedIdentities.map { .string($0.description) })
    details["dropped"] = .array(plan.droppedIdentities.map { .string($0.description) })
    details["cutSessions"] = .array(plan.cutSessions.map { .string($0.rawValue) })
  }
}

extension AuthError {
  static let planOutdated = AuthError(
    .planOutdated, "An account changed after the plan was made.",
    remedy: "Make the plan again with merge.plan, and read it.", step: .commit)
}
