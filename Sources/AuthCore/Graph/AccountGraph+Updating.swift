extension AccountGraph {
  /// Changes an account's fields, identities and second factors in one transaction.
  ///
  /// A session may change its profile, address and password, remove identities and end its sessions; everything else
  /// takes an admin. Throws like ``update(_:_:force:by:)``, ``assert(_:profile:on:by:)``,
  /// `maximum-second-factor-count-exceeded`, or `invalid-argument` naming the field.
  public func update(
    _ id: AccountID, _ update: AccountUpdate, continuing session: SessionContinuation? = nil,
    by caller: Caller
  ) async throws -> AccountUpdateResult {
    for link in update.links { try checkAssertion(of: link.key) }
    let changes = update.profile
    var email = changes.email.applied(to: nil)
    if changes.password != nil {
      // The hash is made before the transaction, for the account's own address.
      try await audited(update.action, of: id, showing: .account, by: caller) {
        try await requireHeld(by: caller)
      }
    }
    if changes.password != nil, email == nil, changes.email == .leave {
      email = try await account(id, in: caller.scope)?.email
    }
    let secret = try await storedPassword(changes, email: email, caller)
    let edit = AccountEdit(
      action: update.action, account: id, changes: changes,
      otherKeys: update.links.map { .identity($0.key) },
      isSensitive: !update.links.isEmpty || !update.unlinks.isEmpty || update.factors != nil)
    let (receipt, verdict) = try await perform(edit, by: caller) { old, context, verdict in
      guard let old else { throw AuthError.userNotFound }
      try self.mayChange(update, caller)
      try self.plan(update, of: old, secret: secret, on: context, &verdict)
      guard verdict.error == nil, let new = verdict.account else { return }
      verdict.details["fields"] = .array(
        (changes.fieldNames + update.otherNames).map(JSONValue.string))
      verdict.endedSessions = new.endsSessions(of: old)
      verdict.allow = session?.allow(
        for: caller, context.snapshot.settings, self.services.quirks)
      try self.openTakeBack(from: old, to: new, on: context, &verdict)
    }
    guard let account = verdict.written else { throw AuthError.userNotFound }
    return AccountUpdateResult(
      account: account, receipt: receipt, endedSessions: verdict.endedSessions,
      session: verdict.session)
  }

  /// Refuses assertions that only an admin may make.
  private func mayChange(_ update: AccountUpdate, _ caller: Caller) throws(AuthError) {
    guard !caller.isAdmin else { return }
    guard (update.links.isEmpty && update.factors == nil) || services.quirks.believes(caller)
    else { throw .onlyAdmins("say what belongs to an account") }
  }

  /// Decides the operations of an update in turn, each on the state that the earlier ones leave.
  private func plan(
    _ update: AccountUpdate, of old: Account, secret: String?, on context: OperationContext,
    _ verdict: inout Verdict
  ) throws {
    let now = context.now
    let losesAddress = update.profile.email.applied(to: old.email) == nil
    guard secret == nil || !losesAddress || services.quirks.believes(context.caller) else {
      throw AuthError.passwordWithoutAddress
    }
    var state = context
    func replaceAccount(with new: Account) {
      guard let before = state.snapshot.accounts[new.id] else { return }
      var changes = ChangeSet()
      changes.update(before, to: new)
      verdict.changes.append(changes)
      verdict.account = new
      state.snapshot.apply(changes)
    }
    let edited = old.applying(update.profile, secret: secret, at: now)
      .leavingLinks(of: context.snapshot)
    if !update.force, AddressChange.strandsLink(from: old, to: edited) {
      throw AuthError.strandedLink
    }
    verdict.account = edited
    replaceAccount(with: edited)
    for provider in update.unlinks {
      if provider == .password, let account = verdict.account,
        account.details.waitingPassword != nil
      {
        replaceAccount(with: account.withoutWaitingPassword)
        continue
      }
      try plan(.unlink(provider), on: &state, &verdict)
    }
    for link in update.links where verdict.error == nil {
      try plan(.assert(link), on: &state, &verdict)
    }
    guard verdict.error == nil, var new = verdict.account else { return }
    if let entries = update.factors {
      let before = new.secondFactors
      new.secondFactors = try factors(entries, of: new, at: now)
      let isSame = new.secondFactors.map(\.id) == before.map(\.id)
      if !isSame { services.quirks.ending { new.cutSessions(at: now) } }
    }
    if update.endsSessions { new.cutSessions(at: now) }
    replaceAccount(with: new)
    if !update.links.isEmpty {
      verdict.details["linked"] = .array(update.links.map { .string($0.key.description) })
    }
    let gone = old.identities.keys.filter { new.identity($0) == nil }
    if !update.unlinks.isEmpty && !gone.isEmpty {
      verdict.details["identity"] = .array(gone.map { .string($0.description) })
    }
    var rules = rules(by: context.caller, at: now, on: state.snapshot)
    verdict.error = rules.refuseLosingWaysIn(from: old, to: new, isForced: update.force)
    verdict.trace.append(rules.trace)
  }

  /// An operation of an update that changes the account's identities.
  enum UpdateOperation {
    /// Removes a provider's identity, if there is one; of several the one that a key or a subject names.
    case unlink(ProviderID, subject: String? = nil)
    /// Adds an identity on the caller's word.
    case assert(AssertedIdentity)
  }

  /// Decides one operation on the state so far, by the same rules as a call of its own.
  func plan(
    _ operation: UpdateOperation, on context: inout OperationContext, _ verdict: inout Verdict
  ) throws {
    guard verdict.error == nil, let account = verdict.account else { return }
    var part = Verdict(action: verdict.action, accountID: account.id)
    var rules = rules(by: context.caller, at: context.now, on: context.snapshot)
    let decision: Decision
    let identity: VerifiedIdentity
    switch operation {
    case .unlink(let provider, let subject):
      identity = VerifiedIdentity(provider: provider, key: nil)
      decision = rules.unlink(provider, subject: subject, of: account, isOptional: true)
    case .assert(let link):
      part.action = .assert
      identity = try VerifiedIdentity(asserting: link.key, link.profile)
      decision = rules.assert(link.key, to: account)
    }
    part.trace = rules.trace
    var planner = LinkPlanner(
      self, for: identity, on: context, newID: account.id, beginningWith: part)
    planner.plan(decision)
    context.snapshot.apply(planner.verdict.changes)
    verdict.append(planner.verdict)
  }

  /// Returns the second factors that entries describe.
  func factors(
    _ entries: [FactorEntry], of account: Account, at now: Timestamp
  ) throws(AuthError) -> [SecondFactor] {
    var factors: [SecondFactor] = []
    var (numbers, ids): (Set<PhoneNumber>, Set<String>) = ([], [])
    let all = Dictionary(
      account.secondFactors.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for entry in entries {
      if let number = entry.phoneNumber, numbers.contains(number) { continue }
      let known = entry.id.flatMap { all[$0] }
      guard entry.id.map({ ids.insert($0).inserted }) ?? true else {
        throw AuthError(
          .invalidArgument, "Two second factors have one ID.", field: "mfaEnrollmentId",
          remedy: "Give each its own, or none.", step: .decision)
      }
      let factor = try factor(entry, known, at: now)
      if case .phone(let number) = factor.kind { numbers.insert(number) }
      factors.append(factor)
    }
    guard factors.count <= Self.maximumSecondFactors else {
      throw AuthError(
        .maximumSecondFactorCountExceeded,
        "An account has at most \(Self.maximumSecondFactors) second factors.",
        remedy: "Give fewer.", step: .decision)
    }
    return factors
  }

  private func factor(
    _ entry: FactorEntry, _ known: SecondFactor?, at now: Timestamp
  ) throws(AuthError) -> SecondFactor {
    try Self.check(entry.displayName)
    if var known, known.kind == .totp || entry.phoneNumber == nil {
      known.displayName = entry.displayName
      return known
    }
    guard let number = entry.phoneNumber else {
      throw AuthError(
        .invalidArgument, "A new second factor needs a phone number.", field: "phoneInfo",
        remedy: "Give the number, or the ID of a factor that stays.", step: .decision)
    }
    return SecondFactor(
      id: entry.id ?? newFactorID(), kind: .phone(number), displayName: entry.displayName,
      enrolledAt: entry.enrolledAt ?? known?.enrolledAt ?? now.text)
  }
}
