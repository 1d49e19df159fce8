extension AccountGraph {
  /// Changes an account's fields, ways in and second factors in one transaction.
  ///
  /// A session may change its profile, address and password, take ways in away and end its sessions; the rest
  /// is an admin's. Throws like ``update(_:_:force:by:)``, ``assert(_:profile:on:by:)``,
  /// `maximum-second-factor-count-exceeded`, or `invalid-argument` naming the field.
  public func update(
    _ id: AccountID, _ update: AccountUpdate, by caller: Caller
  ) async throws -> AccountUpdateResult {
    for link in update.links { try checkAssertion(of: link.key) }
    let changes = update.profile
    var email = changes.email.applied(to: nil)
    if changes.password != nil, email == nil, changes.email == .leave {
      email = try await account(id, in: caller.scope)?.email
    }
    let secret = try await storedPassword(changes, email: email, caller)
    let isSensitive =
      !update.links.isEmpty || !update.unlinks.isEmpty || update.removesPassword
      || update.factors != nil
    let (receipt, verdict) = try await edit(
      update.action, id, changes, also: update.links.map { .identity($0.key) },
      sensitive: isSensitive, by: caller
    ) { old, snapshot, moment, verdict in
      guard let old else { throw AuthError.userNotFound }
      try self.mayChange(update, caller)
      let new = try self.updated(old, update, secret, snapshot, moment, caller, &verdict)
      try self.keepWayIn(from: old, to: new, force: update.force, snapshot.settings)
      verdict.details["fields"] = .array(
        (changes.fieldNames + update.otherNames).map(JSONValue.string))
      verdict.account = new
      verdict.changes.update(old, to: new)
      verdict.endedSessions = old.validSince != new.validSince
      if !caller.isAdmin || services.behavior.nothingExpires {
        try self.openRecovery(from: old, to: new, moment, caller, &verdict)
      }
    }
    guard let account = verdict.written else { throw AuthError.userNotFound }
    return AccountUpdateResult(
      account: account, receipt: receipt, endedSessions: verdict.endedSessions,
      recovery: receipt.dryRun ? nil : verdict.recovery)
  }

  /// Refuses what only an admin may say.
  private func mayChange(_ update: AccountUpdate, _ caller: Caller) throws(AuthError) {
    guard !caller.isAdmin else { return }
    guard update.createdAt == nil, update.lastSignInAt == nil else {
      throw .notAllowed("Only an admin may change when something happened.")
    }
    guard (update.links.isEmpty && update.factors == nil) || services.behavior.believesClients
    else { throw .notAllowed("Only an admin may say what belongs to an account.") }
  }

  private func keepWayIn(
    from old: Account, to new: Account, force: Bool, _ settings: ProjectSettings
  ) throws(AuthError) {
    guard !force, !settings.allowsUnlinkingLastMethod,
      !services.behavior.allowsUnlinkingLastMethod,
      let lost = old.identities.first(where: { $0.isUsable(on: old) }),
      !new.identities.contains(where: { $0.isUsable(on: new) })
    else { return }
    throw .lastSignInMethod(lost.provider)
  }

  /// The account as it becomes; writes into the verdict what other accounts lose.
  private func updated(
    _ old: Account, _ update: AccountUpdate, _ secret: String?, _ snapshot: Snapshot,
    _ moment: Moment, _ caller: Caller, _ verdict: inout Verdict
  ) throws -> Account {
    let now = moment.now
    var new = try old.applying(update.profile, secret: secret, at: now)
    if update.removesPassword { new.identities.removeAll { $0.provider == .password } }
    let unlinked = new.identities.filter { identity in
      update.unlinks.contains { identity.isReached(by: $0) }
    }.map(\.key)
    if !unlinked.isEmpty {
      new = new.unlinking(unlinked)
      verdict.details["identity"] = .array(unlinked.map { .string($0.description) })
    }
    for link in update.links {
      try take(link, from: snapshot, exceptFor: old, &verdict)
      new = try linked(link, to: new, snapshot, moment)
    }
    if !update.links.isEmpty {
      verdict.details["linked"] = .array(
        update.links.map { .string($0.key.description) })
    }
    if let entries = update.factors {
      new.secondFactors = try factors(entries, of: old, at: now)
      let isSame = new.secondFactors.map(\.id) == old.secondFactors.map(\.id)
      if !isSame && !services.behavior.keepsSessions { new.cutSessions(at: now) }
    }
    new.noteInitialEmail(of: old)
    new.createdAt = update.createdAt ?? new.createdAt
    new.lastSignInAt = update.lastSignInAt ?? new.lastSignInAt
    if let validSince = update.validSince {
      if caller.isAdmin { new.validSince = validSince } else { new.cutSessions(at: now) }
    }
    return new
  }

  /// Frees an identity that another account has, where this graph lets assertions move identities.
  private func take(
    _ link: AssertedIdentity, from snapshot: Snapshot, exceptFor account: Account,
    _ verdict: inout Verdict
  ) throws(AuthError) {
    let owners = snapshot.accounts(.identity(link.key))
    guard let owner = owners.first(where: { $0.id != account.id }) else { return }
    guard services.behavior.assertionsMoveIdentities else {
      verdict.relatedIDs = [owner.id]
      throw .credentialAlreadyInUse
    }
    let last = verdict.changes.updated.first { $0.new.id == owner.id }
    let keys = owner.identities.filter { $0.isReached(by: link.key) }.map(\.key)
    verdict.changes.updated.removeAll { $0.new.id == owner.id }
    verdict.changes.update(owner, to: (last?.new ?? owner).unlinking(keys))
    verdict.relatedIDs.append(owner.id)
  }

  /// The account with an identity on somebody's word; it replaces what is linked of the provider where an
  /// account has one of each and this graph lets it.
  private func linked(
    _ link: AssertedIdentity, to account: Account, _ snapshot: Snapshot, _ moment: Moment
  ) throws(AuthError) -> Account {
    var account = account
    let hasThis = account.identity(reachedBy: link.key) != nil
    let isOne = snapshot.settings.identitiesPerProvider == .one
    if hasThis || (isOne && !account.identities(of: link.key.provider).isEmpty) {
      guard services.behavior.replacesLinkedProvider else {
        throw .providerAlreadyLinked(link.key.provider)
      }
    }
    let number = link.key.provider == .phone ? try PhoneNumber(link.key.subject) : nil
    let new = Identity(
      key: link.key, profile: link.profile.bounded(), origin: .assertion, linkedAt: moment.now)
    let place = account.identities.firstIndex {
      $0.isReached(by: link.key) || (isOne && $0.provider == link.key.provider)
    }
    if let place { account.identities[place] = new } else { account.identities.append(new) }
    if let number { account.phoneNumber = place == nil ? account.phoneNumber ?? number : number }
    account.isAnonymous = false
    return account
  }

  /// The second factors that entries describe.
  func factors(
    _ entries: [FactorEntry], of account: Account, at now: Timestamp
  ) throws(AuthError) -> [SecondFactor] {
    var factors: [SecondFactor] = []
    for entry in entries {
      if let number = entry.phoneNumber,
        factors.contains(where: { $0.kind == .phone(number) })
      {
        continue
      }
      let known = account.secondFactors.first { $0.id == entry.id }
      guard !factors.contains(where: { $0.id == entry.id }) else {
        throw AuthError(
          .invalidArgument, "Two second factors have one ID.", field: "mfaEnrollmentId",
          remedy: "Give each its own, or none.", step: .decision)
      }
      factors.append(try factor(entry, known, at: now))
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
