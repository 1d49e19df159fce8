/// The time and the ID of one operation, fixed before it is decided.
struct Moment: Sendable {
  let now: Timestamp
  let eventID: String
  /// Whether nobody else can write until it is decided; a script that may take its time is then not run.
  var holdsStore = false

  /// The ownership of the accounts that the operation opens, or gives to another owner.
  var ownership: Ownership { Ownership(begunBy: eventID) }
}

/// A decision that is left to a script, for which nobody should have to wait.
struct ScriptWanted: Error {}

/// A decision that does not record the uses that it took for the first, so that nothing would show a second one.
private struct UseInDoubt: Error {}

/// Another writer changed what a decision was computed from.
private struct LostRace: Error {}

extension AccountGraph {
  typealias Load = @Sendable (any AccountReader) throws -> Snapshot
  typealias Decide = @Sendable (Snapshot, Moment) throws -> Verdict

  /// How often a script's decision is computed beside other writers before it is computed among them.
  private static let freeAttempts = 4

  /// The rules on one snapshot, as this graph follows them.
  func rules(by caller: Caller, at now: Timestamp, on snapshot: Snapshot) -> RuleEvaluation {
    RuleEvaluation(
      caller: caller, now: now, snapshot: snapshot, behavior: services.behavior,
      providers: knownProviders)
  }

  /// Loads, decides and commits.
  ///
  /// A refusal is committed too, as an audit event, and then thrown with the event's ID. All three happen inside
  /// one write transaction, so that nothing changes in between. A script that answers at once is asked inside, like any
  /// rule; one that may take its time is asked beside other writers, again where one of them was quicker, and only in the
  /// last attempt the others wait, so that an operation cannot starve.
  func perform(
    _ caller: Caller, load: @escaping Load, decide: @escaping Decide
  ) async throws -> (receipt: Receipt, verdict: Verdict) {
    try caller.checkReason()
    let load = caller.loadingHolds(load)
    let now = clock()
    let moment = Moment(now: now, eventID: newEventID(at: now))
    if caller.dryRun {
      let verdict = try await decideInside(caller, moment, load, decide)
      return (try receipt(verdict, moment, dryRun: true), verdict)
    }
    var attempt = try await decideAtOnce(caller, moment, load, decide)
    for _ in 0..<Self.freeAttempts where attempt.verdict == nil {
      attempt = try await decideOutside(caller, moment, attempt.snapshot, load, decide)
    }
    let decided =
      if let verdict = attempt.verdict { verdict } else {
        try await decideInside(caller, moment, load, decide)
      }
    if var failure = decided.failure ?? decided.error?.scriptFailure {
      failure.eventID = moment.eventID
      services.scriptFailed(failure)
    }
    return (try receipt(decided, moment, dryRun: false), decided)
  }

  /// Decides on a snapshot, and opens what is given with the decision.
  private func decided(
    _ decide: Decide, _ snapshot: Snapshot, _ moment: Moment, _ caller: Caller
  ) throws -> Verdict {
    var verdict = try decide(snapshot, moment)
    let refusal = verdict.error
    try judge(&verdict, snapshot, moment, caller)
    verdict.explain(refusedByRules: refusal, by: caller)
    verdict.beginSession(caller.dryRun ? NoSessions() : services.sessions, at: moment.now)
    try keepCredential(of: &verdict, on: snapshot, at: moment.now)
    return verdict
  }

  /// Refuses what no operation may leave behind.
  private func judge(
    _ verdict: inout Verdict, _ snapshot: Snapshot, _ moment: Moment, _ caller: Caller
  ) throws {
    // What an undo gives back is what there was.
    if verdict.action != .undoMerge && !services.behavior.keepsSessions {
      verdict.endSessionsOfDisabled(at: moment.now, on: snapshot)
    }
    verdict.settle(at: moment.now, on: snapshot)
    if let refusal = snapshot.refusal(of: caller.holds) {
      // It says more than what the rules said of the account that the uid leads to now.
      verdict.accountID = refusal.id
      verdict.error = refusal.error
      verdict.pending = nil
    }
    guard verdict.error == nil else { return }
    if let email = verdict.shownAddress {
      let yielding = verdict.changes.yieldAddress(email, snapshot, at: moment.now)
      verdict.relatedIDs += yielding
      if !yielding.isEmpty {
        verdict.details["yielded"] = .array(yielding.map { .string($0.rawValue) })
      }
    }
    if !services.behavior.keepsSessions {
      verdict.endSessionsVisibly(at: moment.now, on: snapshot)
    }
    verdict.changes.yieldPasswords(snapshot)
    if verdict.action != .undoMerge && services.behavior.asksForRecentLogin {
      verdict.error = verdict.changes.fault
    }
    if verdict.error == nil { try openTakeBacks(moment, caller, &verdict) }
  }

  /// What an attempt came to.
  private enum Attempt {
    case decided(Verdict)
    /// A script is to decide on this.
    case undecided(Snapshot)
    /// Something unseen was in the way.
    case failed

    var verdict: Verdict? { if case .decided(let verdict) = self { verdict } else { nil } }
    var snapshot: Snapshot? { if case .undecided(let snapshot) = self { snapshot } else { nil } }
  }

  /// What was loaded where a script is to decide.
  private struct Undecided: Error {
    let snapshot: Snapshot
  }

  /// Decides among the writers, where no script may have to take its time.
  private func decideAtOnce(
    _ caller: Caller, _ moment: Moment, _ load: @escaping Load, _ decide: @escaping Decide
  ) async throws -> Attempt {
    var inside = moment
    inside.holdsStore = true
    do {
      return try await store.write { [inside] writer in
        writer.expectUnused()
        let snapshot = try load(writer)
        do {
          let verdict = try decided(decide, snapshot, inside, caller)
          guard verdict.records(writer.assumedUnused) else { throw UseInDoubt() }
          writer.expectNoConflict()
          try commit(verdict, moment, caller, writer)
          return .decided(verdict)
        } catch is ScriptWanted {
          // Thrown, so that nothing is committed for which somebody would have to wait.
          throw Undecided(snapshot: snapshot)
        } catch is AuthError where !writer.assumedUnused.isEmpty {
          // It may be another one for what was used.
          throw UseInDoubt()
        }
      }
    } catch is UseInDoubt {
      return .failed
    } catch let undecided as Undecided {
      return .undecided(undecided.snapshot)
    } catch is UniqueKeyConflict {
      return .failed
    }
  }

  /// Decides beside other writers, on what was loaded before or is loaded now.
  ///
  /// What was loaded may have changed since, or never have been committed; then the attempt has failed.
  private func decideOutside(
    _ caller: Caller, _ moment: Moment, _ loaded: Snapshot?, _ load: @escaping Load,
    _ decide: @escaping Decide
  ) async throws -> Attempt {
    let snapshot = if let loaded { loaded } else { try await store.read(load) }
    let verdict = try decided(decide, snapshot, moment, caller)
    do {
      try await store.write { writer in
        guard try load(writer) == snapshot else { throw LostRace() }
        writer.expectNoConflict()
        try commit(verdict, moment, caller, writer)
      }
      return .decided(verdict)
    } catch is LostRace {
      return .failed
    } catch is UniqueKeyConflict {
      return .failed
    }
  }

  /// A verdict that was written and is to be taken back.
  private struct Rehearsal: Error {
    let verdict: Verdict
  }

  /// Decides among the writers, a script too.
  ///
  /// A rehearsal is rolled back at its end, so that it fails where the change itself would.
  private func decideInside(
    _ caller: Caller, _ moment: Moment, _ load: @escaping Load, _ decide: @escaping Decide
  ) async throws -> Verdict {
    do {
      return try await store.write { writer in
        let verdict = try decided(decide, try load(writer), moment, caller)
        try commit(verdict, moment, caller, writer)
        if caller.dryRun { throw Rehearsal(verdict: verdict) }
        return verdict
      }
    } catch let rehearsal as Rehearsal {
      return rehearsal.verdict
    } catch let conflict as UniqueKeyConflict {
      // Nobody else can have been quicker: the key is another account's.
      if let refusal = conflict.refusal { throw refusal }
      throw AuthError(
        .tooMuchContention, "The change does not fit what the store holds (\(conflict.key)).",
        remedy: "Look for duplicates with duplicates.find, or try again.", step: .commit)
    }
  }

  private func commit(
    _ verdict: Verdict, _ moment: Moment, _ caller: Caller, _ writer: any AccountWriter
  ) throws {
    // Settings open a tenant; everything else needs one that is open.
    if verdict.changes.settings == nil { try writer.requireTenant(caller.scope) }
    if verdict.error == nil {
      try verdict.changes.apply(to: writer, in: caller.scope, at: moment.now)
    } else if let pending = verdict.pending {
      try writer.save(pending.record, in: caller.scope)
      for use in pending.uses { try writer.save(use.record, in: caller.scope) }
    }
    if let kept = verdict.kept { try writer.save(kept.record, in: caller.scope) }
    try writer.append(
      AuditEvent(
        id: moment.eventID, by: caller, at: moment.now, action: verdict.action,
        accountID: verdict.accountID, relatedIDs: verdict.relatedIDs,
        errorCode: verdict.error?.code.rawValue, details: .object(verdict.details),
        trace: verdict.trace))
  }

  private func receipt(_ verdict: Verdict, _ moment: Moment, dryRun: Bool) throws -> Receipt {
    if var error = verdict.error {
      if !dryRun {
        error.eventID = moment.eventID
        error.resolver = verdict.pending?.resolver
        error.pendingToken = verdict.kept?.token
      }
      throw error
    }
    // Settings, and what is done to many accounts, belong to no one account.
    let isWhole = verdict.changes.settings != nil || verdict.rekeyed != nil
    guard let account = verdict.accountID ?? (isWhole ? AccountID("") : nil) else {
      throw AuthError(.internalError, "The operation named no account.", step: .commit)
    }
    return Receipt(
      id: moment.eventID, action: verdict.action, accountID: account, dryRun: dryRun,
      trace: verdict.trace, nextSessions: verdict.changes.nextSessions(of: account),
      takeBacks: dryRun ? [] : verdict.takeBacks)
  }
}

extension Caller {
  /// Loads what the caller's own accounts became, too.
  fileprivate func loadingHolds(_ load: @escaping AccountGraph.Load) -> AccountGraph.Load {
    if holds.isEmpty { return load }
    let keys = holds.map { AccountKey.uid($0.id) }
    return { reader in
      var snapshot = try load(reader)
      try reader.extend(&snapshot, with: keys)
      return snapshot
    }
  }
}

extension UniqueKeyConflict {
  /// What a client is told if another account has the identity that a change needs.
  fileprivate var refusal: AuthError? {
    guard key.hasPrefix("identity ") else { return nil }
    let name = key.dropFirst("identity ".count)
    if name.hasPrefix("\(ProviderID.password)/") || name.hasPrefix("\(ProviderID.emailLink)/") {
      return .emailAlreadyInUse
    }
    return name.hasPrefix("\(ProviderID.phone)/")
      ? .phoneNumberAlreadyExists : .credentialAlreadyInUse
  }
}

extension Verdict {
  /// Whether it is a change that records every one of some uses, by the IDs of their records.
  fileprivate func records(_ uses: Set<String>) -> Bool {
    uses.isEmpty || (error == nil && uses.isSubset(of: changes.uses.map(\.recordID)))
  }
}
