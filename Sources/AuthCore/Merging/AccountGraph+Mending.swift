/// A plan to repair an account; nothing is written yet.
public struct MendPlan: Sendable, Hashable {
  /// The account as it is.
  public let account: Account
  /// The account after the repair.
  public let result: Account

  init?(_ account: Account, _ ways: WaysIn, at now: Timestamp) {
    guard !account.faults.isEmpty else { return nil }
    self.account = account
    result = account.mended(at: now)
    var trace = Trace()
    losesLastWayIn = !ways.remain(
      from: [account], to: result, by: WaysIn.Permission(followsSetting: false), &trace)
  }

  /// The faults that the repair removes.
  public var faults: [AccountFault] { account.faults }
  /// The passwords that the account loses.
  public var lostIdentities: [IdentityKey] {
    account.identities.keys.filter { result.identity($0) == nil }
  }
  /// The address that the account loses; nil if it keeps its own.
  public var lostEmail: EmailAddress? { result.email == nil ? account.email : nil }
  /// True if no way to sign in remains, so that an admin has to decide about the account.
  public let losesLastWayIn: Bool
}

/// Repair of accounts that an earlier version left in a state that the rules exclude.
extension AccountGraph {
  /// Returns the plans for the faulty accounts on a page of all accounts, in order of uid.
  ///
  /// `last` is the last uid of the page, after which the next one begins; nil at the end.
  public func mendPlans(
    after: AccountID? = nil, limit: Int = 500, in scope: Scope
  ) async throws -> (plans: [MendPlan], last: AccountID?) {
    let page = try await accounts(after: after, limit: limit, in: scope)
    let now = clock()
    let ways = WaysIn(settings: try await settings(of: scope), providers: nil)
    let plans = page.compactMap { MendPlan($0, ways, at: now) }
    return (plans, page.count < limit ? nil : page.last?.id)
  }

  /// Removes an account's faults, and ends its sessions.
  ///
  /// Throws `user-not-found`, `operation-not-allowed` unless the caller is an admin, `plan-outdated` if the account
  /// changed after the plan was made, or `last-sign-in-method` if no way to sign in would remain, unless forced.
  public func commit(
    _ plan: MendPlan, force: Bool = false, by caller: Caller
  ) async throws -> Receipt {
    try requireAdmin(caller)
    let id = plan.account.id
    return try await perform(
      caller, load: SnapshotQuery([.uid(id)], in: caller.scope),
      decide: { snapshot, moment in
        var verdict = Verdict(action: .mend, accountID: id)
        guard let old = snapshot.accounts[id] else {
          verdict.error = .userNotFound
          return verdict
        }
        guard old.equalsIgnoringActivity(plan.account),
          let fresh = MendPlan(old, waysIn(on: snapshot, by: caller), at: moment.now)
        else {
          verdict.error = .planOutdated
          return verdict
        }
        guard force || !fresh.losesLastWayIn else {
          verdict.error = .lastSignInMethod(.password)
          return verdict
        }
        verdict.trace.note(
          "faults", ["account": id.rawValue],
          fresh.faults.map(\.description).joined(separator: "; "))
        verdict.details["dropped"] = .array(fresh.lostIdentities.map { .string($0.description) })
        verdict.account = fresh.result
        verdict.changes.update(old, to: fresh.result)
        return verdict
      }
    ).receipt
  }
}
