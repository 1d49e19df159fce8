/// The change of an account's second factors, and their removal.
extension AccountGraph {
  /// Removes a second factor, and ends every session of the account.
  ///
  /// Throws `multi-factor-info-not-found`, `requires-recent-login` or `second-factor-required`.
  public func unenroll(
    _ factorID: String, of account: AccountID, by caller: Caller
  ) async throws -> Receipt {
    try await withdraw(factorID, of: account, by: caller).receipt
  }

  /// Removes a second factor like ``unenroll(_:of:by:)``, and continues a session.
  public func withdraw(
    _ factorID: String, of account: AccountID, continuing session: SessionContinuation? = nil,
    by caller: Caller
  ) async throws -> WithdrawalResult {
    let (receipt, verdict) = try await changeFactors(
      .unenroll, of: account, continuing: session, by: caller
    ) { account, _, _ in
      guard account.secondFactors.contains(where: { $0.id == factorID }) else {
        throw AuthError.multiFactorInfoNotFound
      }
      account.secondFactors.removeAll { $0.id == factorID }
    }
    guard let account = verdict.written else { throw AuthError.userNotFound }
    return WithdrawalResult(account: account, receipt: receipt, session: verdict.session)
  }

  /// Removes all second factors of an account whose owner lost them, on an admin's word.
  ///
  /// Throws `invalid-argument` if the admin gives no reason, `operation-not-allowed` unless the caller is an admin, and
  /// `multi-factor-info-not-found` if the account has none.
  public func recover(_ account: AccountID, by caller: Caller) async throws -> Receipt {
    guard caller.isAdmin else { throw AuthError.onlyAdmins("do this") }
    guard let reason = caller.reason, !reason.allSatisfy(\.isWhitespace) else {
      throw AuthError(
        .invalidArgument, "Removing second factors needs a reason.", field: "reason",
        remedy: "Name the proof of identity: { reason = \"lost both, seen in person\" }.")
    }
    return try await changeFactors(.unenroll, of: account, by: caller) { account, _, _ in
      guard !account.secondFactors.isEmpty else {
        throw AuthError(
          .multiFactorInfoNotFound, "The account has no second factors.",
          remedy: "Check the uid.", step: .decision)
      }
      account.secondFactors = []
    }.receipt
  }

  /// Changes an account's second factors, as a sensitive change of its own session.
  func changeFactors(
    _ action: Action, of id: AccountID, using uses: [OneTimeUse] = [],
    continuing session: SessionContinuation? = nil, by caller: Caller,
    _ change: @escaping @Sendable (inout Account, Moment, inout Verdict) throws -> Void
  ) async throws -> (receipt: Receipt, verdict: Verdict) {
    try await perform(
      caller, load: SnapshotQuery([.uid(id)], uses: uses, in: caller.scope),
      decide: { snapshot, moment in
        var verdict = Verdict(action: action, accountID: id)
        var rules = self.rules(by: caller, at: moment.now, on: snapshot)
        let right = rules.editable(id)
        verdict.trace = rules.trace
        guard snapshot.used.isEmpty else {
          verdict.error = .enrollmentOver
          return verdict
        }
        do {
          let old = try right.get()
          verdict.accountID = old.id
          var new = old
          try change(&new, moment, &verdict)
          // A phone number cannot sign in beside a second factor.
          let refusal = rules.refuseLosingWaysIn(from: old, to: new, isForced: caller.isAdmin)
          verdict.trace = rules.trace
          if let refusal { throw refusal }
          services.quirks.ending { new.cutSessions(at: moment.now) }
          verdict.account = new
          verdict.allow = session?.allow(for: caller, snapshot.settings, services.quirks)
          let before = Set(old.secondFactors.map(\.id))
          let after = Set(new.secondFactors.map(\.id))
          verdict.details["factors"] = .array(
            before.symmetricDifference(after).sorted().map(JSONValue.string))
          verdict.changes.update(old, to: new)
          verdict.changes.uses = uses
          // After an admin's change the account's owner may try again at once.
          if caller.isAdmin { verdict.changes.closed = [Self.attempts(of: old.id)] }
        } catch let error as AuthError {
          verdict.error = error
        }
        return verdict
      })
  }
}
