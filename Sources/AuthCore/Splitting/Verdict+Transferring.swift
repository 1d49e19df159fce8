extension TransferPlan {
  /// The change of the accounts; the losing one comes first, because it frees the keys.
  var changes: ChangeSet {
    var changes = ChangeSet()
    changes.update(source, to: sourceAfter)
    if let target {
      changes.update(target, to: targetAfter)
    } else {
      changes.inserted = [targetAfter]
    }
    return changes
  }

  /// The change in words.
  var summary: String {
    switch kind {
    case .split: "split \(source.id) into \(targetAfter.id)"
    case .move: "move \(movedIdentities.count) of \(source.id) to \(targetAfter.id)"
    }
  }
}

extension Verdict {
  /// Makes a split or a move the verdict: rows, journal entry and a trace step for each field that goes.
  mutating func commit(_ plan: TransferPlan, on context: OperationContext) {
    error = nil
    account = plan.sourceAfter
    let rows = plan.changes
    changes.inserted = rows.inserted
    changes.updated = rows.updated
    changes.transfer = TransferRecord(
      id: context.moment.eventID, action: plan.kind.action, scope: plan.source.scope,
      at: context.now, actor: context.caller.actor, reason: context.caller.reason,
      sourceBefore: plan.source, sourceAfter: plan.sourceAfter, targetBefore: plan.target,
      targetAfter: plan.targetAfter)
    for outcome in plan.fields where outcome.rule != SplitChoice.keep.rawValue {
      trace.note(
        "field \(outcome.field.rawValue)",
        ["before": outcome.before, "rule": outcome.rule, "stays": outcome.source],
        outcome.target ?? "none")
    }
    details["to"] = .string(plan.targetAfter.id.rawValue)
    details["moved"] = .array(plan.movedIdentities.map { .string($0.description) })
    details["cutSessions"] = .array(plan.cutSessions.map { .string($0.rawValue) })
    if !plan.shutAccounts.isEmpty {
      details["shut"] = .array(plan.shutAccounts.map { .string($0.rawValue) })
    }
  }
}
