extension AccountGraph {
  /// Asks the scope's script about each change of who owns what, and refuses the decision if one answer does.
  ///
  /// Every operation comes here, also a dry run or an admin's. A script that needs more time than other writers can
  /// wait sets ``Verdict/wanted``.
  func askHooks(_ verdict: inout Verdict, on context: OperationContext) {
    guard let asking = questioning(on: context, verdict.proofs) else { return }
    for event in verdict.changeEvents(on: context) {
      switch asking.ask(event, noting: &verdict.trace) {
      case .none: continue
      case .wanted:
        verdict.wanted = .policy
        return
      case .answered(let answer):
        if case .allow(let fill?) = answer { verdict.fill(fill, in: event, on: context.snapshot) }
      case .refused(let error, let details):
        verdict.error = error
        verdict.details.merge(details) { _, new in new }
        return
      }
    }
  }

  /// Throws the refusal that a merge by this plan would get from the scope's script.
  func askHooks(about plan: MergePlan, on context: OperationContext) throws {
    var verdict = Verdict(action: .merge)
    verdict.commit(plan, result: plan.result, on: context)
    askHooks(&verdict, on: context)
    if let refusal = verdict.error { throw refusal }
  }

  /// Returns the means to ask the scope's script; nil if it has none.
  func questioning(
    on context: OperationContext, _ proofs: RequestProofs
  ) -> HookQuestioning? {
    context.snapshot.settings.signIn.blockingFunctions.script.map {
      HookQuestioning(
        compiler: services.changeHooks, source: $0, context: context, proofs: proofs)
    }
  }
}

extension Verdict {
  /// Fills only these fields of the profile from a linked identity, and only if they are empty.
  fileprivate mutating func fill(
    _ fields: Set<ChangeAnswer.FilledField>, in event: ChangeEvent, on snapshot: Snapshot
  ) {
    guard event.kind == .beforeLink, let profile = event.subject?.identity.profile,
      var new = changes.account(event.account.id, from: snapshot)
    else { return }
    let old = event.account
    new.displayName =
      fields.contains(.displayName) ? new.displayName ?? profile.displayName : old.displayName
    new.photoURL = fields.contains(.photoURL) ? new.photoURL ?? profile.photoURL : old.photoURL
    if account?.id == new.id {
      become(new, from: snapshot)
    } else {
      replaceRow(new, from: snapshot)
    }
  }
}
