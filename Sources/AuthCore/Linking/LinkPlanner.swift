/// Plans the change that a decision calls for: rows to write, or a refusal.
struct LinkPlanner {
  private let graph: AccountGraph
  private let context: OperationContext
  private let effects: LinkEffects
  /// The uid of a new account.
  private let newID: AccountID
  /// The plan so far.
  private(set) var verdict: Verdict

  private var snapshot: Snapshot { context.snapshot }

  init(
    _ graph: AccountGraph, for identity: VerifiedIdentity, on context: OperationContext,
    newID: AccountID, beginningWith verdict: Verdict
  ) {
    self.graph = graph
    self.context = context
    self.newID = newID
    self.verdict = verdict
    effects = LinkEffects(
      identity: identity, settings: context.snapshot.settings, now: context.now,
      quirks: graph.services.quirks.under(context.snapshot.settings))
  }

  /// Turns a decision into rows to write, a refusal, or a request for a script's answer.
  mutating func plan(_ decision: Decision) {
    switch decision {
    case .createAccount:
      open()
    case .createBeside(let id):
      if let holder = snapshot.accounts[id], let email = effects.identity.email {
        verdict.relatedIDs = [id]
        verdict.details["freed"] = .string(email.canonical)
        verdict.changes.update(holder, to: holder.yielding(email))
      }
      open()
    case .signIn(let id):
      change(id, by: effects.signedIn)
    case .autoLink(let id):
      change(id, by: effects.autoLinked)
      verdict.details["linked"] = true
      noteReplaced(on: id)
    case .takeOver(let id, let removed):
      verdict.action = .takeOver
      verdict.details["removed"] = .array(removed.map { .string($0.description) })
      change(id) { [effects, context] in
        effects.takenOver($0, removing: removed, to: context.moment.ownership)
      }
      noteReplaced(on: id)
    case .link(let id):
      let isAssertion = verdict.action == .assert
      if let key = effects.identity.key,
        let other = snapshot.accounts(.identity(key)).first(where: { $0.id != id })
      {
        // Reached only by an admin's assertion that moves another account's identity.
        verdict.relatedIDs = [other.id]
        let taken = other.identities.filter { $0.owns(key) }.map(\.key)
        verdict.changes.update(other, to: other.unlinking(taken))
      }
      var effects = effects
      effects.isAssertion = isAssertion
      change(id) { [effects] account in
        var account = effects.linked(to: account)
        if isAssertion, let key = effects.identity.key {
          account.changeIdentity(key) { $0.origin = .assertion }
        }
        return account
      }
      if effects.quirks.shows(AddressChange.showsMailbox(effects.identity)) {
        verdict.shownAddress = effects.identity.email
      }
    case .linkedAlready(let id):
      verdict.accountID = id
      verdict.account = snapshot.accounts[id]
      verdict.isRepetition = true
    case .unlink(let id, let keys):
      verdict.details["identity"] = .array(keys.map { .string($0.description) })
      change(id) { [effects] in effects.unlinked(keys, from: $0) }
    case .conflict(let error, let current, let existing):
      verdict.accountID = current
      verdict.relatedIDs = [existing]
      verdict.error = error
      answerConflict(error, of: current, with: existing)
    case .secondFactor(let id, _):
      verdict.accountID = id
      verdict.error = .secondFactorRequired
    case .refuse(let error):
      verdict.error = error
    }
  }

  private mutating func open() {
    let account = effects.newAccount(effects.identity.account ?? newID, in: snapshot.scope)
      .owned(since: context.moment.ownership)
    verdict.accountID = account.id
    verdict.account = account
    verdict.changes.inserted = [account]
    verdict.details["isNewUser"] = true
  }

  private mutating func change(_ id: AccountID, by transform: (Account) -> Account) {
    guard let old = snapshot.accounts[id] else {
      verdict.error = .userNotFound
      return
    }
    let new = transform(old)
    verdict.accountID = id
    verdict.account = new
    verdict.changes.update(old, to: new)
  }

  /// Notes the identities of the provider that the credential's identity replaced.
  private mutating func noteReplaced(on id: AccountID) {
    guard let new = verdict.account, let old = snapshot.accounts[id] else { return }
    verdict.replaced = old.identities(of: effects.identity.provider).map(\.key)
      .filter { new.identity($0) == nil }
    guard !verdict.replaced.isEmpty else { return }
    verdict.details["replaced"] = .array(verdict.replaced.map { .string($0.description) })
  }

  /// Asks the scope's merge policy, if there is one and it handles this conflict.
  private mutating func answerConflict(
    _ error: AuthError, of current: AccountID, with existing: AccountID
  ) {
    let caller = context.caller
    guard let policies = graph.policiesInForce(snapshot.settings),
      let currentAccount = snapshot.accounts[current],
      let existingAccount = snapshot.accounts[existing]
    else { return }
    guard isOpenToPolicies(currentAccount, existingAccount) else { return }
    let isAssertion = verdict.action == .assert
    let conflict = MergeConflict(
      code: error.code, current: currentAccount, existing: existingAccount,
      provider: effects.identity.provider,
      proof: MergeProof(of: existingAccount, by: isAssertion ? nil : effects, caller),
      decidedAt: context.now
    ).describing(effects.identity, by: caller, snapshot.settings)
    do {
      let question = PolicyQuestion(
        conflict: conflict, context: context, ways: graph.waysIn(on: snapshot))
      switch try policies.ask(question, judged: &verdict.judged, trace: &verdict.trace) {
      case .later: verdict.wanted = .policy
      case .nobody, .unanswered, .unproven: return
      case .merge(let plan, _):
        if let refusal = AddressChange.refusal(ofMerging: plan, by: caller) { throw refusal }
        var result = plan.result
        result.adopt(effects.identity, at: context.now)
        if let key = effects.identity.key, !result.owns(key) {
          result = effects.linked(to: result)
        }
        verdict.commit(plan, result: result, on: context)
      case .offer(let plan, _):
        verdict.details["offer"] = MergeOffer.detail(plan, conflict)
        if caller.isAdmin {
          verdict.error?.remedy = "The merge policy offers a merge: look at it with merge.offers()."
        }
      }
    } catch {
      let refusal =
        error as? AuthError
        ?? AuthError(.internalError, "The conflict has no answer.", step: .policy, cause: error)
      verdict.failure = refusal.scriptFailure
      if verdict.trace.isOpen { verdict.trace.note(refusal: refusal, by: "merge policy") }
      verdict.details["policy"] = .string(refusal.description)
      verdict.note(cause: refusal)
      // Clients get the conflict, which they can handle, and nothing about the policy but what they can do.
      if caller.isAdmin || refusal.isMetByClients { verdict.error = refusal }
    }
  }

  /// Tells whether a policy may merge the two accounts at all.
  ///
  /// A first factor alone does not prove an account with a second one, and only an admin may lift a ban that an admin
  /// imposed.
  private mutating func isOpenToPolicies(_ current: Account, _ existing: Account) -> Bool {
    if !existing.secondFactors.isEmpty {
      verdict.trace.note("merge policy", [:], "not asked: the other account has a second factor")
      return false
    }
    if current.disabled || existing.disabled {
      verdict.trace.note("merge policy", [:], "not asked: one of the accounts is disabled")
      return false
    }
    return true
  }
}
