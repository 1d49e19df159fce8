extension AccountGraph {
  /// Turns a decision into rows to write, into a refusal, or into the wish for a script's answer.
  func carryOut(
    _ decision: Decision, _ effects: LinkEffects, _ newID: AccountID, _ snapshot: Snapshot,
    _ moment: Moment, _ caller: Caller, _ verdict: inout Verdict
  ) {
    switch decision {
    case .createAccount:
      open(effects, newID, snapshot, moment, &verdict)
    case .createBeside(let id):
      if let holder = snapshot.accounts[id], let email = effects.identity.email {
        verdict.relatedIDs = [id]
        verdict.details["freed"] = .string(email.canonical)
        verdict.changes.update(holder, to: holder.yielding(email))
      }
      open(effects, newID, snapshot, moment, &verdict)
    case .signIn(let id):
      change(id, snapshot, &verdict, effects.signedIn)
    case .autoLink(let id):
      change(id, snapshot, &verdict, effects.autoLinked)
      verdict.details["linked"] = true
      noteReplaced(effects, id, snapshot, &verdict)
    case .takeOver(let id, let removed):
      verdict.action = .takeOver
      verdict.details["removed"] = .array(removed.map { .string($0.description) })
      change(id, snapshot, &verdict) {
        effects.takenOver($0, removing: removed, to: moment.ownership)
      }
      noteReplaced(effects, id, snapshot, &verdict)
    case .link(let id):
      let isAssertion = verdict.action == .assert
      if let key = effects.identity.key,
        let other = snapshot.accounts(.identity(key)).first(where: { $0.id != id })
      {
        // Only an admin's assertion gets here, where it moves what another account has.
        verdict.relatedIDs = [other.id]
        let taken = other.identities.filter { $0.isReached(by: key) }.map(\.key)
        verdict.changes.update(other, to: other.unlinking(taken))
      }
      var effects = effects
      effects.isAssertion = isAssertion
      change(id, snapshot, &verdict) { [effects] account in
        var account = effects.linked(to: account)
        if isAssertion, let key = effects.identity.key {
          account.changeIdentity(key) { $0.origin = .assertion }
        }
        return account
      }
      if effects.quirks.shows(AddressChange.showsMailbox(effects.identity)) {
        verdict.shownAddress = effects.identity.email
      }
    case .unlink(let id, let keys):
      verdict.details["identity"] = .array(keys.map { .string($0.description) })
      change(id, snapshot, &verdict) { effects.unlinked(keys, from: $0) }
    case .conflict(let error, let current, let existing):
      verdict.accountID = current
      verdict.relatedIDs = [existing]
      verdict.error = error
      answerConflict(error, current, existing, effects, snapshot, moment, caller, &verdict)
    case .secondFactor(let id, _):
      verdict.accountID = id
      verdict.error = .secondFactorRequired
    case .refuse(let error):
      verdict.error = error
    }
  }

  private func open(
    _ effects: LinkEffects, _ newID: AccountID, _ snapshot: Snapshot, _ moment: Moment,
    _ verdict: inout Verdict
  ) {
    let account = effects.newAccount(effects.identity.account ?? newID, in: snapshot.scope)
      .owned(since: moment.ownership)
    verdict.accountID = account.id
    verdict.account = account
    verdict.changes.inserted = [account]
    verdict.details["isNewUser"] = true
  }

  private func change(
    _ id: AccountID, _ snapshot: Snapshot, _ verdict: inout Verdict,
    _ transform: (Account) -> Account
  ) {
    guard let old = snapshot.accounts[id] else {
      verdict.error = .userNotFound
      return
    }
    let new = transform(old)
    verdict.accountID = id
    verdict.account = new
    verdict.changes.update(old, to: new)
  }

  /// Keeps which identities of its provider made room for the credential's.
  private func noteReplaced(
    _ effects: LinkEffects, _ id: AccountID, _ snapshot: Snapshot, _ verdict: inout Verdict
  ) {
    guard let new = verdict.account, let old = snapshot.accounts[id] else { return }
    verdict.replaced = old.identities(of: effects.identity.provider).map(\.key)
      .filter { new.identity($0) == nil }
    guard !verdict.replaced.isEmpty else { return }
    verdict.details["replaced"] = .array(verdict.replaced.map { .string($0.description) })
  }

  /// Lets the scope's merge policy answer, where there is one and it speaks about this conflict.
  private func answerConflict(
    _ error: AuthError, _ current: AccountID, _ existing: AccountID, _ effects: LinkEffects,
    _ snapshot: Snapshot, _ moment: Moment, _ caller: Caller, _ verdict: inout Verdict
  ) {
    guard let source = snapshot.settings.mergePolicy,
      let currentAccount = snapshot.accounts[current],
      let existingAccount = snapshot.accounts[existing]
    else { return }
    guard isOpenToPolicies(currentAccount, existingAccount, &verdict.trace) else { return }
    let isAssertion = verdict.action == .assert
    let conflict = MergeConflict(
      code: error.code, current: currentAccount, existing: existingAccount,
      provider: effects.identity.provider,
      proof: MergeProof(of: existingAccount, by: isAssertion ? nil : effects, caller),
      decidedAt: moment.now)
    do {
      guard let policy = try policies.policy(source, within: moment.budget) else {
        verdict.wanted = .policy
        return
      }
      guard policy.triggers.contains(error.code) else { return }
      guard conflict.proof.both || policy.answersUnproven else {
        verdict.trace.note(
          "merge policy", ["policy": policy.name],
          "not asked: \(conflict.proof.missing.joined(separator: " and ")) was not shown")
        return
      }
      switch try conflict.outcome(
        by: policy, snapshot: snapshot, waysIn(on: snapshot), at: moment, trace: &verdict.trace)
      {
      case nil: verdict.wanted = .policy
      case .merge(let plan):
        if let refusal = AddressChange.refusal(ofMerging: plan, by: caller) { throw refusal }
        var result = plan.result
        result.adopt(effects.identity, at: moment.now)
        if let key = effects.identity.key, !result.isReached(by: key) {
          result = effects.linked(to: result)
        }
        verdict.commit(plan, result: result, moment, caller)
      case .offer(let plan):
        verdict.details["offer"] = MergeOffer.detail(plan, conflict)
        if caller.isAdmin {
          verdict.error?.remedy = "The merge policy offers a merge: look at it with merge.offers()."
        }
      }
    } catch {
      var refusal =
        error as? AuthError
        ?? AuthError(
          .invalidPolicy, "The merge policy \(source.name) failed.", step: .policy, cause: error)
      if refusal.code == .invalidPolicy && refusal.scriptFailure == nil {
        // It did not even compile.
        refusal = AppScriptFailure.error(ofPolicy: source.name, refusal, noting: &verdict.trace)
      }
      verdict.failure = refusal.scriptFailure
      if verdict.trace.isOpen { verdict.trace.note(refusal: refusal, by: "merge policy") }
      verdict.details["policy"] = .string(refusal.description)
      // Clients get the conflict that they know how to handle, and nothing of the policy's inside.
      if caller.isAdmin { verdict.error = refusal }
    }
  }

  /// Whether a policy may merge these two at all.
  ///
  /// A first factor alone is no proof of an account that asks for a second one, and whom an admin shut out
  /// an admin lets in again.
  private func isOpenToPolicies(
    _ current: Account, _ existing: Account, _ trace: inout Trace
  ) -> Bool {
    if !existing.secondFactors.isEmpty {
      trace.note("merge policy", [:], "not asked: the other account has a second factor")
      return false
    }
    if current.disabled || existing.disabled {
      trace.note("merge policy", [:], "not asked: one of the accounts is disabled")
      return false
    }
    return true
  }
}
