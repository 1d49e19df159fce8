/// The outcome of a split or a move on one snapshot, and of its undo right after it.
///
/// Nothing is loaded or written, so that tests can run the rules on every small snapshot.
package struct TransferOutcome: Sendable {
  package let plan: TransferPlan
  package let trace: Trace
  /// Both accounts after an undo, or one after that of a split; a refusal throws.
  package let undone: Result<[Account], AuthError>
}

extension AccountGraph {
  /// Returns the outcome of a split or a move by an admin; throws like ``planSplit(_:by:in:)`` and
  /// ``planMove(_:from:to:in:)``.
  package func outcome(
    of kind: TransferPlan.Kind, from source: AccountID, to target: AccountID?, at now: Timestamp,
    _ snapshot: Snapshot
  ) throws -> TransferOutcome {
    let context = OperationContext(
      snapshot: snapshot, moment: Moment(now: now, eventID: "transfer"),
      caller: Caller(scope: snapshot.scope, authority: .admin("plan")))
    var trace = Trace()
    let plan = try plan(kind, of: source, to: target, on: context, &trace)
    if let fault = plan.changes.fault { throw fault }
    var verdict = Verdict(action: kind.action, accountID: source, trace: trace)
    verdict.commit(plan, on: context)
    return TransferOutcome(
      plan: plan, trace: verdict.trace,
      undone: undone(verdict.changes, at: now.adding(seconds: 1), after: snapshot))
  }

  private func undone(
    _ changes: ChangeSet, at now: Timestamp, after snapshot: Snapshot
  ) -> Result<[Account], AuthError> {
    guard let record = changes.transfer else { return .failure(.eventNotFound("transfer")) }
    var later = snapshot
    for account in changes.inserted {
      later.accounts[account.id] = account
      later.found[.uid(account.id)] = [account.id]
    }
    later.apply(changes)
    let undo = TransferUndo(record, on: later, Moment(now: now, eventID: "undo"))
      .verdict(force: false)
    if let error = undo.error { return .failure(error) }
    return .success(undo.changes.updated.map(\.new))
  }
}
