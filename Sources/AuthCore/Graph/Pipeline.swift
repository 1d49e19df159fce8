/// The time and the event ID of one operation, fixed before the decision.
struct Moment: Sendable {
  var now: Timestamp
  let eventID: String
  /// The time budget of the app's scripts.
  var budget = ScriptBudget.full

  /// The ownership of accounts that the operation creates or gives to another owner.
  var ownership: Ownership { Ownership(begunBy: eventID) }
}

/// The time budget of a script, and its effect on other writers.
enum ScriptBudget: Sendable {
  /// The script answers at once, inside the write transaction, or not at all.
  case instant
  /// The script runs outside the write transaction; its input is compared before the commit.
  case full
  /// The script runs inside the write transaction and other writers wait, so that an operation cannot starve.
  case holding

  /// The budgets of an operation's attempts, in order.
  fileprivate static let attempts =
    [ScriptBudget.instant] + Array(repeating: .full, count: 4) + [.holding]
}

extension AccountGraph {
  typealias Decide = @Sendable (Snapshot, Moment) throws -> Verdict

  /// Returns the rules on a snapshot, with this graph's quirks and providers.
  func rules(by caller: Caller, at now: Timestamp, on snapshot: Snapshot) -> RuleEvaluation {
    RuleEvaluation(
      caller: caller, now: now, snapshot: snapshot, quirks: services.quirks,
      providers: knownProviders)
  }

  /// Loads, decides and commits.
  ///
  /// A refusal is also committed, as an audit event, and then thrown with the event's ID. All steps happen in one write
  /// transaction. A fast script runs inside it, like any rule. A slow script runs outside, again if another writer
  /// changed its input. In the last attempt it runs inside and other writers wait, so that an operation cannot starve.
  func perform(
    _ caller: Caller, load query: SnapshotQuery, decide: @escaping Decide
  ) async throws -> (receipt: Receipt, verdict: Verdict) {
    try await performUnlessWanting(caller, load: query, decide: decide).get()
  }

  /// Loads, decides and commits; commits nothing if something has to be done first.
  func performUnlessWanting(
    _ caller: Caller, load query: SnapshotQuery, decide: @escaping Decide
  ) async throws -> Performed {
    try caller.checkReason()
    let read = caller.holds.map(\.id) + [caller.account?.id].compactMap(\.self)
    let operation = Operation(
      query: query.and(read.map(AccountKey.uid)), decide: decide, caller: caller)
    let now = clock()
    let moment = Moment(now: now, eventID: newEventID(at: now))
    let isTried = caller.dryRun || services.rehearsal != nil
    var known: Snapshot?
    for budget in isTried ? [.holding] : ScriptBudget.attempts {
      var moment = moment
      moment.budget = budget
      switch try await attempt(operation, moment, on: known) {
      case .lost: known = nil
      case .wanted(.policy, let snapshot): known = snapshot
      case .wanted(let wanted, _): return .wanting(wanted)
      case .decided(let verdict):
        if var failure = verdict.failure ?? verdict.error?.scriptFailure, !isTried {
          failure.eventID = moment.eventID
          services.scriptFailed(failure)
        }
        let receipt = try receipt(verdict, moment, dryRun: caller.dryRun)
        if !isTried { lastSeen.note(verdict, of: caller.scope) }
        return .done(receipt, verdict)
      }
    }
    throw AuthError(
      .tooMuchContention, "Other writers kept changing the accounts of the operation.",
      remedy: "Try again.",
      step: .commit)
  }

  /// An operation with its query, its decision and its caller.
  private struct Operation: Sendable {
    let query: SnapshotQuery
    let decide: Decide
    let caller: Caller
  }

  /// The outcome of an attempt.
  enum Attempt: Sendable {
    case decided(Verdict)
    /// Work outside the transaction comes first, such as a script's decision on the snapshot.
    case wanted(Wanted, Snapshot)
    /// Another writer was faster.
    case lost
  }

  /// Decides within a budget and commits, or rolls back.
  ///
  /// With the full budget, the decision is made before the transaction, on a known or newly loaded snapshot. If the
  /// snapshot has changed by the commit, the attempt is lost.
  private func attempt(
    _ operation: Operation, _ moment: Moment, on known: Snapshot?
  ) async throws -> Attempt {
    let caller = operation.caller
    var early: (snapshot: Snapshot, verdict: Verdict)?
    if moment.budget == .full {
      let snapshot =
        if let known { known } else { try await store.read { try $0.snapshot(operation.query) } }
      let verdict = try decided(operation, on: snapshot, moment)
      if let wanted = verdict.wanted { return .wanted(wanted, snapshot) }
      early = (snapshot, verdict)
    }
    if let rehearsal = services.rehearsal {
      return try await rehearse(operation, moment, in: rehearsal)
    }
    do {
      return try await store.transact(.change) { [early] writer in
        let snapshot = try writer.snapshot(operation.query)
        if let early, early.snapshot != snapshot { return .takeBack(.lost) }
        let verdict = try early?.verdict ?? decided(operation, on: snapshot, moment)
        if let wanted = verdict.wanted { return .takeBack(.wanted(wanted, snapshot)) }
        if verdict.changesNothing { return .takeBack(.decided(verdict)) }
        try commit(verdict, at: moment, by: caller, to: writer)
        // A dry run fails in the same places as the change itself.
        return caller.dryRun ? .takeBack(.decided(verdict)) : .commit(.decided(verdict))
      }
    } catch let conflict as UniqueKeyConflict {
      guard moment.budget == .holding else { return .lost }
      throw conflict.error
    }
  }

  /// Decides an operation on the state that a rehearsal's earlier ones leave, and appends it to them.
  private func rehearse(
    _ operation: Operation, _ moment: Moment, in rehearsal: Rehearsal
  ) async throws -> Attempt {
    let step = Rehearsal.Step(moment: moment, caller: operation.caller) { writer, moment, caller in
      let snapshot = try writer.snapshot(operation.query)
      var verdict = try decided(operation, on: snapshot, moment)
      guard verdict.wanted == nil, verdict.error == nil else { return verdict }
      guard !verdict.changesNothing else { return verdict }
      // The record of this merge; an undo changes that of an earlier one.
      if verdict.changes.merge?.id == moment.eventID {
        verdict.changes.merge?.reason = caller.reason
      }
      if verdict.changes.transfer?.id == moment.eventID {
        verdict.changes.transfer?.reason = caller.reason
      }
      verdict.changes.kept?.reason = caller.reason
      try commit(verdict, at: moment, by: caller, to: writer)
      return verdict
    }
    do {
      let verdict = try await rehearsal.perform(step)
      guard let wanted = verdict.wanted else { return .decided(verdict) }
      let query = operation.query
      return .wanted(wanted, try await store.read { try $0.snapshot(query) })
    } catch let conflict as UniqueKeyConflict {
      throw conflict.error
    }
  }

  /// Decides on a snapshot, and opens the session that the decision gives.
  private func decided(
    _ operation: Operation, on snapshot: Snapshot, _ moment: Moment
  ) throws -> Verdict {
    let caller = operation.caller
    let context = OperationContext(snapshot: snapshot, moment: moment, caller: caller)
    lastSeen.note(snapshot.settings, of: caller.scope)
    if let account = caller.account, snapshot.accounts[account.id] != account {
      return .wanting(.reading)
    }
    var verdict = try operation.decide(snapshot, moment)
    guard verdict.wanted == nil else { return verdict }
    verdict.notePolicyVersion()
    askHooks(&verdict, on: context)
    guard verdict.wanted == nil else { return verdict }
    let refusal = verdict.error
    try judge(&verdict, on: context)
    // A refusal for any other reason waits for no second factor.
    if let error = verdict.error, error.code != .secondFactorRequired { verdict.pending = nil }
    verdict.explain(refusedByRules: refusal, by: caller)
    if caller.isAdmin { verdict.nameHolders(on: snapshot) }
    verdict.noteValues(isRehearsal: caller.dryRun)
    verdict.noteLosses(waysIn(on: snapshot, by: caller))
    verdict.noteWaysIn(waysIn(on: snapshot))
    verdict.beginSession(caller.dryRun ? NoSessions() : services.sessions, at: moment.now)
    try keepCredential(of: &verdict, on: snapshot, at: moment.now)
    verdict.record(on: context)
    return verdict
  }

  /// Applies the rules that hold for every operation.
  func judge(_ verdict: inout Verdict, on context: OperationContext) throws {
    let (snapshot, moment, caller) = (context.snapshot, context.moment, context.caller)
    // An earlier state is restored as it was.
    if !verdict.action.restoresEarlierState {
      services.quirks.ending { verdict.endSessionsOfDisabled(at: moment.now, on: snapshot) }
    }
    verdict.settle(at: moment.now, on: snapshot)
    if let refusal = snapshot.refusal(of: caller.holds) {
      // This is more precise than the rules, which judged the account that the uid leads to now.
      verdict.accountID = refusal.id
      verdict.error = refusal.error
    }
    guard verdict.error == nil else { return }
    if let email = verdict.shownAddress {
      let yielding = verdict.changes.yieldAddress(email, snapshot, at: moment.now)
      verdict.note(yielding, as: "yielded")
    }
    services.quirks.ending { verdict.endSessionsVisibly(at: moment.now, on: snapshot) }
    verdict.note(verdict.changes.yieldPasswords(snapshot), as: "yieldedPasswords")
    verdict.settleWaitingPasswords(on: snapshot, at: moment.now)
    services.quirks.ending { verdict.keepSession(of: caller, on: snapshot) }
    verdict.carryMarks(on: snapshot)
    if !verdict.action.restoresEarlierState {
      verdict.error = services.quirks.fault(verdict.changes.fault)
    }
    if verdict.error == nil { try openTakeBacks(moment, caller, &verdict) }
  }

  private func commit(
    _ verdict: Verdict, at moment: Moment, by caller: Caller, to writer: any AccountWriter
  ) throws {
    // Settings create a tenant; everything else needs an existing one.
    if verdict.changes.settings == nil { try writer.requireTenant(caller.scope) }
    let event = verdict.event(at: moment, by: caller)
    try verdict.committed.apply(to: writer, in: caller.scope, at: moment.now, with: [event])
  }

  private func receipt(_ verdict: Verdict, _ moment: Moment, dryRun: Bool) throws -> Receipt {
    if var error = verdict.error {
      if !dryRun && services.rehearsal == nil {
        error.eventID = moment.eventID
        error.resolver = verdict.pending?.resolver
        error.pendingToken = verdict.kept?.token
      }
      throw error
    }
    // Settings and batches concern no single account, and a vendor may report on a person who has none.
    let isWhole =
      verdict.changes.settings != nil || verdict.rekeyed != nil || verdict.action == .providerEvent
    guard let account = verdict.accountID ?? (isWhole ? AccountID("") : nil) else {
      throw AuthError(.internalError, "The operation named no account.", step: .commit)
    }
    return verdict.receipt(about: account, at: moment, dryRun: dryRun)
  }
}

/// The end of an operation.
enum Performed: Sendable {
  case done(Receipt, Verdict)
  /// Nothing was committed; something has to be done first.
  case wanting(Wanted)

  /// Returns the result; throws if the operation still wants work outside the transaction.
  func get() throws(AuthError) -> (receipt: Receipt, verdict: Verdict) {
    switch self {
    case .done(let receipt, let verdict): return (receipt, verdict)
    case .wanting(.reading): throw .changedSinceRead
    case .wanting(let wanted):
      throw AuthError(.internalError, "The operation still needs the \(wanted).", step: .decision)
    }
  }
}

extension Action {
  /// True if the operation restores an earlier state, to which the rules for new states do not apply.
  var restoresEarlierState: Bool {
    [.undoMerge, .undoSplit, .undoMove, .restore].contains(self)
  }
}

extension AuthError {
  /// The account changed since the caller read it; nothing was committed.
  static let changedSinceRead = AuthError(
    .tooMuchContention, "The account was changed since it was read.",
    remedy: "Read it again, and try again.", step: .commit)
}

extension UniqueKeyConflict {
  /// The error if no other writer can have interfered, so that the key belongs to another account.
  fileprivate var error: AuthError {
    refusal
      ?? AuthError(
        .tooMuchContention, "The change conflicts with the stored \(key).",
        remedy: "Try again, or look for duplicates: duplicates.find { by = \"email\" }.",
        step: .commit)
  }

  /// The refusal for an identity that another account owns; nil for other keys.
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
  /// Returns the event of the operation.
  func event(at moment: Moment, by caller: Caller) -> AuditEvent {
    AuditEvent(
      id: moment.eventID, by: caller, at: moment.now, action: action, accountID: accountID,
      relatedIDs: relatedIDs, errorCode: error?.code.rawValue, details: .object(details),
      trace: trace)
  }

  /// Returns the receipt of an operation that was not refused.
  func receipt(about account: AccountID, at moment: Moment, dryRun: Bool) -> Receipt {
    Receipt(
      id: moment.eventID, action: action, accountID: account, dryRun: dryRun, trace: trace,
      nextSessions: changes.nextSessions(of: account), takeBacks: dryRun ? [] : takeBacks,
      changes: valueChanges, losses: losses, waysIn: waysIn, undo: undo,
      isUnchanged: changesNothing)
  }

  /// True for an edit, a repeated link or a repeated event that leaves the account as it was: it has no event.
  var changesNothing: Bool {
    let mayBeEmpty =
      [.update, .disable, .enable].contains(action)
      || (isRepetition && [.link, .providerEvent].contains(action))
    return error == nil && kept == nil && mayBeEmpty && changes == ChangeSet()
  }

  /// Names the accounts that have the wanted address, number or identity in a refusal, for an admin alone.
  fileprivate mutating func nameHolders(on snapshot: Snapshot) {
    let codes: [AuthError.Code] = [
      .emailAlreadyInUse, .phoneNumberAlreadyExists, .credentialAlreadyInUse,
    ]
    guard var refusal = error, codes.contains(refusal.code) else { return }
    let holders = snapshot.accounts.keys.filter { $0 != accountID }.sorted()
    guard let first = holders.first else { return }
    let names = holders.prefix(3).map(\.rawValue).joined(separator: ", ")
    refusal.message.replace(
      "another account", with: "the account\(holders.count == 1 ? "" : "s") \(names)")
    let look =
      "Look at accounts.get \"\(first)\". Change that account first, or join the two with merge.plan."
    // A merge that the policy offers stays the first remedy.
    let offer = details["offer"] == nil ? nil : refusal.remedy
    refusal.remedy = offer.map { "\($0) \(look)" } ?? look
    error = refusal
  }

  /// Notes accounts that lost something, so that their histories show it.
  fileprivate mutating func note(_ yielding: [AccountID], as name: String) {
    guard !yielding.isEmpty else { return }
    relatedIDs += yielding.filter { !relatedIDs.contains($0) }
    details[name] = .array(yielding.map { .string($0.rawValue) })
  }

  /// Masks the conflict that policies were asked about, for the log of decisions.
  fileprivate mutating func record(on context: OperationContext) {
    guard let judged, !context.caller.dryRun,
      context.snapshot.settings.decisionRetentionDays > 0
    else { return }
    changes.decision = PolicyDecision(
      masking: judged, id: context.moment.eventID, scope: context.caller.scope,
      at: context.moment.now)
  }

  /// The change to commit.
  ///
  /// Of a refusal, only the sign-in that waits for a second factor, the stored credential and the policies' decision are
  /// committed.
  fileprivate var committed: ChangeSet {
    var committed = changes
    if error != nil {
      committed = ChangeSet()
      committed.decision = changes.decision
      if let pending {
        committed.opened = [pending.record] + pending.uses.map(\.record)
      }
    } else if let pending {
      committed.opened.append(pending.record)
    }
    if let kept { committed.opened.append(kept.record) }
    return committed
  }
}
