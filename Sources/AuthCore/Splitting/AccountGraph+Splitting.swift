extension AccountGraph {
  /// Plans a split: some identities of an account become a new account; nothing is written.
  ///
  /// For a wrong link, or two people in one account. The address goes with the password or the links that sign in by it,
  /// the number with its identity, and an address that only providers name with the last of them. Everything else stays
  /// unless ``SplitRules/fields`` says otherwise; second factors too. The new account is disabled if the account is.
  ///
  /// Throws `user-not-found`, `invalid-argument`, `no-such-provider`, `uid-already-exists`, or `operation-not-allowed`
  /// for fields that cannot be separated.
  public func planSplit(
    _ account: AccountID, by rules: SplitRules, in scope: Scope
  ) async throws -> TransferPlan {
    let uid = try rules.uid.map { try AccountID(validating: $0.rawValue) } ?? newAccountID()
    var rules = rules
    rules.uid = uid
    return try await plan(.split(rules), of: account, in: scope)
  }

  /// Plans a move of one identity to another account; nothing is written.
  ///
  /// The address or the number goes along if it belongs to the identity. Throws `user-not-found`, `no-such-provider`,
  /// `provider-already-linked`, `unsupported-first-factor`, or `operation-not-allowed` if the other account has another
  /// address or number.
  public func planMove(
    _ key: IdentityKey, from account: AccountID, to other: AccountID, in scope: Scope
  ) async throws -> TransferPlan {
    try await plan(.move(key), of: account, to: other, in: scope)
  }

  private func plan(
    _ kind: TransferPlan.Kind, of account: AccountID, to other: AccountID? = nil, in scope: Scope
  ) async throws -> TransferPlan {
    let query = SnapshotQuery.transferring(kind, account, other, in: scope)
    let snapshot = try await store.read { try $0.snapshot(query) }
    let now = clock()
    let moment = Moment(now: now, eventID: newEventID(at: now))
    let admin = Caller(scope: scope, authority: .admin("plan"))
    let context = OperationContext(snapshot: snapshot, moment: moment, caller: admin)
    var trace = Trace()
    let plan = try plan(kind, of: account, to: other, on: context, &trace)
    if let fault = plan.changes.fault { throw fault }
    return plan
  }

  /// Commits a split or a move in one transaction, with its journal entry.
  ///
  /// Sessions of the identities that go end, and all sessions and codes of the account that loses them. Throws
  /// `plan-outdated` if an account changed since, `last-sign-in-method` if an account would have no way to sign in,
  /// unless forced, or `operation-not-allowed` unless the caller is an admin.
  public func commit(
    _ plan: TransferPlan, force: Bool = false, by caller: Caller
  ) async throws -> Receipt {
    guard caller.isAdmin else { throw AuthError.onlyAdmins("split accounts or move identities") }
    let (source, target) = (plan.source.id, plan.target?.id)
    return try await perform(
      caller, load: .transferring(plan.kind, source, target, in: caller.scope),
      decide: { snapshot, moment in
        let context = OperationContext(snapshot: snapshot, moment: moment, caller: caller)
        var verdict = Verdict(
          action: plan.kind.action, accountID: source, relatedIDs: [plan.targetAfter.id])
        do {
          let fresh = try self.plan(
            plan.kind, of: source, to: target, on: context, &verdict.trace)
          guard fresh.source.equalsIgnoringActivity(plan.source),
            fresh.target.map({ now in
              plan.target.map { now.equalsIgnoringActivity($0) } ?? false
            }) ?? (plan.target == nil)
          else { throw AuthError.planOutdated }
          guard force || fresh.shutAccounts.isEmpty else {
            throw AuthError.shuts(fresh.shutAccounts)
          }
          verdict.trace.note(
            "admin's plan", ["by": caller.actor, "forced": force ? "yes" : "no"],
            fresh.summary)
          verdict.commit(fresh, on: context)
        } catch let error as AuthError {
          verdict.error = error
        }
        return verdict
      }
    ).receipt
  }

  /// Computes a split or a move on a snapshot, after the rules of every change.
  func plan(
    _ kind: TransferPlan.Kind, of id: AccountID, to other: AccountID?,
    on context: OperationContext, endsSessions: Bool = true, _ trace: inout Trace
  ) throws -> TransferPlan {
    let snapshot = context.snapshot
    let source = try snapshot.standing(id)
    let terms = TransferPlan.Terms(
      now: context.now, ownership: context.moment.ownership, endsSessions: endsSessions)
    let plan: TransferPlan
    switch kind {
    case .split(let rules):
      guard let uid = rules.uid else {
        throw AuthError(.internalError, "The split has no uid.", step: .decision)
      }
      guard snapshot.accounts(.uid(uid)).isEmpty else { throw AuthError.uidAlreadyExists }
      if let deletion = snapshot.keeper(of: uid, at: context.now) {
        throw AuthError.uidKept(uid, by: deletion)
      }
      plan = try .split(source, by: rules, into: uid, terms)
    case .move(let key):
      guard let other else { throw AuthError.userNotFound }
      let target = try snapshot.standing(other)
      plan = try .move(key, from: source, to: target, terms)
      let full = plan.movedIdentities.first { key in
        snapshot.settings.allowsOne(of: key.provider)
          && target.identities.index(of: key.provider) != nil
      }
      if let full {
        trace.note(
          "linked already",
          [
            "provider": full.provider.rawValue,
            "setting": "identitiesPerProvider \(snapshot.settings.identitiesPerProvider.rawValue)",
          ], "the other account has one")
        throw AuthError.providerAlreadyLinked(full.provider)
      }
    }
    trace.note(
      "identities that go",
      ["from": source.id.rawValue, "to": plan.targetAfter.id.rawValue],
      plan.movedIdentities.map(\.description).joined(separator: ", "))
    return plan.judged(by: waysIn(on: snapshot, by: context.caller), &trace)
  }
}

extension Snapshot {
  /// Returns the account with exactly this uid; throws `user-not-found`, or `invalid-argument` for an absorbed one.
  fileprivate func standing(_ id: AccountID) throws(AuthError) -> Account {
    guard let account = account(id) else { throw .userNotFound }
    guard account.id == id else { throw .wasMerged(id, into: account.id) }
    return account
  }
}

extension SnapshotQuery {
  /// Returns a query for a split or a move: both accounts, and the uid of a new one.
  static func transferring(
    _ kind: TransferPlan.Kind, _ source: AccountID, _ target: AccountID?, in scope: Scope
  ) -> SnapshotQuery {
    var uids = [source] + [target].compactMap(\.self)
    var query = SnapshotQuery(following: [.addresses], in: scope)
    if case .split(let rules) = kind, let uid = rules.uid {
      uids.append(uid)
      query.newUIDs = [uid]
    }
    query.keys = uids.map(AccountKey.uid)
    return query
  }
}

extension AuthError {
  /// The refusal of a change that leaves accounts without a way to sign in.
  static func shuts(_ accounts: [AccountID]) -> AuthError {
    let names = accounts.map(\.rawValue).joined(separator: " and ")
    return AuthError(
      .lastSignInMethod, "\(names) would have no way to sign in.", field: "identities",
      remedy: "Choose other identities, or force it with { force = true }.", step: .decision)
  }
}
