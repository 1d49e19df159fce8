extension AccountGraph {
  /// Changes an account's fields, ways in and second factors in one transaction.
  ///
  /// A session may change its profile, address and password, take ways in away and end its sessions; the rest
  /// is an admin's. Throws like ``update(_:_:force:by:)``, ``assert(_:profile:on:by:)``,
  /// `maximum-second-factor-count-exceeded`, or `invalid-argument` naming the field.
  public func update(
    _ id: AccountID, _ update: AccountUpdate, continuing session: SessionContinuation? = nil,
    by caller: Caller
  ) async throws -> AccountUpdateResult {
    for link in update.links { try checkAssertion(of: link.key) }
    let changes = update.profile
    var email = changes.email.applied(to: nil)
    if changes.password != nil {
      // The hash is made of the account's own address, before the transaction.
      try await audited(update.action, id, [:], caller) { try await requireHeld(by: caller) }
    }
    if changes.password != nil, email == nil, changes.email == .leave {
      email = try await account(id, in: caller.scope)?.email
    }
    let secret = try await storedPassword(changes, email: email, caller)
    let isSensitive =
      !update.links.isEmpty || !update.unlinks.isEmpty || update.factors != nil
    let (receipt, verdict) = try await edit(
      update.action, id, changes, also: update.links.map { .identity($0.key) },
      sensitive: isSensitive, by: caller
    ) { old, snapshot, moment, verdict in
      guard let old else { throw AuthError.userNotFound }
      try self.mayChange(update, caller)
      let new = try self.updated(old, update, secret, snapshot, moment, caller, &verdict)
      try self.keepWayIn(
        from: old, to: new, isForced: update.force, by: caller, on: snapshot, &verdict.trace)
      verdict.details["fields"] = .array(
        (changes.fieldNames + update.otherNames).map(JSONValue.string))
      verdict.account = new
      verdict.changes.update(old, to: new)
      verdict.endedSessions = new.endsSessions(of: old)
      verdict.allow = session?.allow(for: caller, snapshot.settings, self.services.behavior)
      try self.openEmulatedTakeBack(from: old, to: new, moment, caller, &verdict)
    }
    guard let account = verdict.written else { throw AuthError.userNotFound }
    return AccountUpdateResult(
      account: account, receipt: receipt, endedSessions: verdict.endedSessions,
      session: verdict.session)
  }

  /// Refuses what only an admin may say.
  private func mayChange(_ update: AccountUpdate, _ caller: Caller) throws(AuthError) {
    guard !caller.isAdmin else { return }
    guard (update.links.isEmpty && update.factors == nil) || services.behavior.believesClients
    else { throw .notAllowed("Only an admin may say what belongs to an account.") }
  }

  /// The account as it becomes; writes into the verdict what other accounts lose.
  private func updated(
    _ old: Account, _ update: AccountUpdate, _ secret: String?, _ snapshot: Snapshot,
    _ moment: Moment, _ caller: Caller, _ verdict: inout Verdict
  ) throws -> Account {
    let now = moment.now
    var gone: [String] = []
    var new = try old.applying(update.profile, secret: secret, at: now).leavingLinks(of: snapshot)
    if !update.force, AddressChange.strandsLink(from: old, to: new) { throw AuthError.strandedLink }
    for provider in update.unlinks {
      let (keys, rest) = unlinked(provider, from: new, snapshot, now)
      new = rest
      gone += keys
    }
    if !gone.isEmpty { verdict.details["identity"] = .array(gone.map(JSONValue.string)) }
    for link in update.links {
      try take(link, from: snapshot, exceptFor: old, &verdict)
      new = try linked(link, to: new, snapshot, now)
    }
    if !update.links.isEmpty {
      verdict.details["linked"] = .array(update.links.map { .string($0.key.description) })
    }
    if let entries = update.factors {
      new.secondFactors = try factors(entries, of: old, at: now)
      let isSame = new.secondFactors.map(\.id) == old.secondFactors.map(\.id)
      if !isSame && !services.behavior.keepsSessions { new.cutSessions(at: now) }
    }
    if update.endsSessions { new.cutSessions(at: now) }
    return new
  }

  private func unlinked(
    _ provider: ProviderID, from account: Account, _ snapshot: Snapshot, _ now: Timestamp
  ) -> ([String], Account) {
    let takesAddress = provider == .password && services.behavior.unlinkingPasswordRemovesEmail
    let keys = account.identities.filter {
      $0.isReached(by: provider) || (takesAddress && $0.provider == .emailLink)
    }.map(\.key)
    let effects = LinkEffects(
      identity: VerifiedIdentity(provider: provider, key: nil), settings: snapshot.settings,
      now: now, behavior: services.behavior)
    return (keys.map(\.description), effects.unlinked(keys, from: account))
  }

  /// Frees an identity that another account has, where this graph lets assertions move identities.
  private func take(
    _ link: AssertedIdentity, from snapshot: Snapshot, exceptFor account: Account,
    _ verdict: inout Verdict
  ) throws(AuthError) {
    let owners = snapshot.accounts(.identity(link.key))
    guard let owner = owners.first(where: { $0.id != account.id }) else { return }
    guard services.behavior.movesAssertedIdentities else {
      verdict.relatedIDs = [owner.id]
      throw .credentialAlreadyInUse
    }
    let last = verdict.changes.updated.first { $0.new.id == owner.id }
    let keys = owner.identities.filter { $0.isReached(by: link.key) }.map(\.key)
    verdict.changes.updated.removeAll { $0.new.id == owner.id }
    verdict.changes.update(owner, to: (last?.new ?? owner).unlinking(keys))
    verdict.relatedIDs.append(owner.id)
  }

  /// The account with an identity on somebody's word.
  private func linked(
    _ link: AssertedIdentity, to account: Account, _ snapshot: Snapshot, _ now: Timestamp
  ) throws(AuthError) -> Account {
    let isFull =
      account.isReached(by: link.key)
      || (snapshot.settings.allowsOne(of: link.key.provider)
        && !account.identities(of: link.key.provider).isEmpty)
    guard !isFull || services.behavior.replacesLinkedProvider else {
      throw .providerAlreadyLinked(link.key.provider)
    }
    var identity = VerifiedIdentity(
      provider: link.key.provider, key: link.key, profile: link.profile.bounded())
    if link.key.provider == .phone { identity.phoneNumber = try PhoneNumber(link.key.subject) }
    let effects = LinkEffects(
      identity: identity, settings: snapshot.settings, now: now, behavior: services.behavior,
      isAssertion: true)
    var linked = effects.linked(to: account)
    linked.changeIdentity(link.key) { $0.origin = .assertion }
    return linked
  }

  /// The second factors that entries describe.
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
