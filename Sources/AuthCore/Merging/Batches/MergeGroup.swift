/// Accounts that share an address or a number, with everything that plans of their merges need.
public struct MergeGroup: Sendable {
  /// The kind of the key.
  public let by: DuplicateKey
  /// The shared key as text.
  public let key: String
  private let ids: [AccountID]
  private let snapshot: Snapshot
  private let now: Timestamp

  fileprivate init(
    _ group: DuplicateGroup, by key: DuplicateKey, on reader: any AccountReader, in scope: Scope,
    at now: Timestamp
  ) throws {
    by = key
    self.key = group.key
    ids = group.accounts
    var query = SnapshotQuery(
      group.accounts.map(AccountKey.uid), following: [.addresses], in: scope)
    query.mayConflict = true
    snapshot = try reader.snapshot(query)
    self.now = now
  }

  /// The decider over the pairs of a group.
  public enum Judge {
    /// The account with the verified key survives, or else the older one; the function returns the rules of a pair.
    case rules((_ keep: Account, _ absorb: Account) throws -> MergeRules)
    /// The policies, which are asked about each pair.
    case policy(PoliciesInForce)
  }

  /// Proposes to merge the group into one account, pair by pair.
  ///
  /// Each pair is planned on the result of the earlier ones. Throws only what the function of the rules throws; a pair
  /// that cannot be merged, or whose policy fails, is proposed with that reason.
  public func proposals(by judge: Judge) throws -> [MergeProposal] {
    // If an account was merged meanwhile, its survivor is already listed.
    var rest = ids.filter { snapshot.found[.uid($0)] == [$0] }.compactMap { snapshot.accounts[$0] }
    rest.sort { a, b in
      let (first, second) = (SharedKey(a, a, by: by), SharedKey(b, b, by: by))
      let isProven = first?.isVerified(by: a) == true
      guard isProven == (second?.isVerified(by: b) == true) else { return isProven }
      return (a.createdAt, a.id) < (b.createdAt, b.id)
    }
    var simulation = MergeSimulation()
    var proposals: [MergeProposal] = []
    guard var survivor = rest.first?.id else { return [] }
    for other in rest.dropFirst() {
      let state = simulation.applied(to: snapshot)
      guard let keep = state.accounts[survivor] else { break }
      let proposal =
        switch judge {
        case .rules(let rules):
          propose(keep, other, by: try rules(keep, other), on: state)
        case .policy(let policies): propose(keep, other, by: policies, on: state)
        }
      proposals.append(proposal)
      guard proposal.decision == .merge, let plan = proposal.plan else { continue }
      simulation.add(plan, at: now)
      survivor = plan.survivor.id
    }
    return proposals
  }

  private func propose(
    _ keep: Account, _ absorb: Account, by rules: MergeRules, on state: Snapshot
  ) -> MergeProposal {
    var pair = MergePair(keep: keep.id, absorb: absorb.id, rules: rules)
    pair.state(from: snapshot)
    return MergeProposal(planning: pair, on: state, at: now, by: by)
  }

  private func propose(
    _ keep: Account, _ absorb: Account, by policies: PoliciesInForce, on state: Snapshot
  ) -> MergeProposal {
    func undecided(
      _ decision: MergeProposal.Decision, _ reason: String, by policy: String?
    ) -> MergeProposal {
      var pair = MergePair(
        keep: keep.id, absorb: absorb.id, decidedBy: policy.map { "policy \($0)" } ?? "admin")
      pair.state(from: snapshot)
      return MergeProposal(
        pair, decision, reason, key: SharedKey(keep, absorb, by: by), survivor: keep,
        absorbed: absorb)
    }
    guard let key = SharedKey(keep, absorb, by: by) else {
      return undecided(.look, SharedKey.absence(keep, absorb), by: nil)
    }
    if let disabled = [keep, absorb].first(where: \.disabled) {
      return undecided(.look, "\(disabled.id) is disabled, and the policy is not asked", by: nil)
    }
    let context = OperationContext(
      snapshot: state, moment: Moment(now: now, eventID: ""),
      caller: Caller(scope: snapshot.scope, authority: .anyone))
    // An admin looks at the list, and so vouches for what was not proven.
    let question = PolicyQuestion(
      conflict: MergeConflict(keep, absorb, sharing: key, at: now), context: context,
      ways: WaysIn(settings: state.settings, providers: nil), isVouched: true)
    var (judged, trace): (JudgedConflict?, Trace) = (nil, Trace())
    do {
      switch try policies.ask(question, judged: &judged, trace: &trace) {
      case .nobody: return undecided(.leave, "no policy decides over these accounts", by: nil)
      case .later: return undecided(.look, "the policy had no time", by: nil)
      case .unanswered(let policy), .unproven(let policy):
        return undecided(
          .leave, "the policy \(policy.name) does not answer \(key.conflict)", by: policy.name)
      case .merge(let plan, let policy), .offer(let plan, let policy):
        var pair = MergePair(
          keep: plan.survivor.id, absorb: plan.absorbed.id, rules: plan.rules,
          decidedBy: plan.decidedBy)
        pair.policyVersion = plan.policyVersion
        pair.state(from: snapshot)
        let judgement = MergeJudgement(plan: plan, key: key, trust: state.settings.trust)
        let doubt = judgement.obstacle ?? (policy.answersUnproven ? nil : judgement.doubt)
        return MergeProposal(
          pair, doubt == nil ? .merge : .look, doubt ?? "decided by the policy \(policy.name)",
          key: key, survivor: plan.survivor, absorbed: plan.absorbed, plan: plan)
      }
    } catch let error as AuthError where error.code == .mergeRefused {
      let decision = error.cause is WaitingMerge ? MergeProposal.Decision.look : .leave
      return undecided(decision, error.message, by: judged?.judgements.first?.policy)
    } catch {
      let name = judged?.judgements.first?.policy
      let message = (error as? AuthError)?.message ?? "the policy failed"
      return undecided(.look, message, by: name)
    }
  }
}

extension MergePair {
  /// Takes the present states of the accounts.
  mutating func state(from snapshot: Snapshot) {
    keepState = snapshot.accounts[keep].map(AccountState.init)
    absorbState = snapshot.accounts[absorb].map(AccountState.init)
  }
}

extension MergeProposal {
  /// Plans a pair that exists, and judges the plan.
  init(
    planning pair: MergePair, on state: Snapshot, at now: Timestamp,
    by duplicate: DuplicateKey? = nil
  ) {
    guard let keep = state.accounts[pair.keep], let absorb = state.accounts[pair.absorb] else {
      self.init(pair, .leave, "an account does not exist")
      return
    }
    let key = SharedKey(keep, absorb, by: duplicate)
    do {
      var plan = try MergePlan.make(
        keep: keep, absorb: absorb, rules: pair.rules, decidedBy: pair.decidedBy, now: now)
      plan.policyVersion = pair.policyVersion
      var trace = Trace()
      // An admin may merge accounts whose providers are configured later.
      try plan.validate(
        result: plan.result, in: state, WaysIn(settings: state.settings, providers: nil), &trace)
      let judgement = MergeJudgement(plan: plan, key: key, trust: state.settings.trust)
      let doubt = judgement.obstacle ?? judgement.doubt
      self.init(
        pair, doubt == nil ? .merge : .look, doubt ?? Self.reason(keep, absorb, key), key: key,
        survivor: keep, absorbed: absorb, plan: plan)
    } catch {
      self.init(pair, .leave, error.message, key: key, survivor: keep, absorbed: absorb)
    }
  }

  private static func reason(_ keep: Account, _ absorb: Account, _ key: SharedKey?) -> String {
    guard let key else { return "" }
    switch (key.isVerified(by: keep), key.isVerified(by: absorb)) {
    case (true, false): return "\(keep.id) verified \(key)"
    case (false, true): return "\(absorb.id) verified \(key)"
    case (_, _):
      let isOlder = (keep.createdAt, keep.id) < (absorb.createdAt, absorb.id)
      return "both verified \(key); \(isOlder ? keep.id : absorb.id) is older"
    }
  }
}

extension AccountGraph {
  /// Returns a page of accounts that share a key, after the key `after`, for plans of their merges.
  public func mergeGroups(
    by key: DuplicateKey, after: String? = nil, limit: Int, in scope: Scope
  ) async throws -> [MergeGroup] {
    let now = clock()
    return try await store.read { reader in
      try reader.duplicates(by: key, after: after, limit: limit, in: scope).map {
        try MergeGroup($0, by: key, on: reader, in: scope, at: now)
      }
    }
  }
}
