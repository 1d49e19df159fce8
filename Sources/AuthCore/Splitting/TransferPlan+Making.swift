/// The computation of a split or a move, pure like the rules.
extension TransferPlan {
  /// The moment of a transfer and its effects beyond the two accounts' rows.
  struct Terms {
    let now: Timestamp
    /// The ownership of a new account.
    let ownership: Ownership
    /// True if all sessions of the losing account end, and with them its codes in flight.
    var endsSessions = true
  }

  /// Computes a split into the account `uid`.
  ///
  /// Throws `no-such-provider` for an identity that the account does not have, `operation-not-allowed` for an account
  /// or field that cannot be split, or `invalid-argument`.
  static func split(
    _ source: Account, by rules: SplitRules, into uid: AccountID, _ terms: Terms
  ) throws(AuthError) -> TransferPlan {
    guard !rules.identities.isEmpty else {
      throw AuthError(
        .invalidArgument, "A split names at least one identity.", field: "identities",
        remedy: "Name them as providerData shows them: { identities = { \"google.com\" } }.")
    }
    let moved = try source.identities(movingWith: rules.identities)
    var target = Account(id: uid, scope: source.scope, createdAt: terms.now)
    target.disabled = source.disabled
    target = target.owned(since: terms.ownership)
    var (after, outcomes) = (source, [(SplitField, String)]())
    for field in SplitField.allCases {
      let (choice, rule) = try source.choice(of: field, rules.fields[field], moving: moved)
      if choice != .keep { target.take(field, from: source) }
      if choice == .move { after.leave(field) }
      outcomes.append((field, rule))
    }
    let identities = source.identities.filter { moved.contains($0.key) }
    target.add(identities, at: terms.now)
    target.lastSignInAt = identities.compactMap(\.lastSignInAt).max()
    after.identities.removeAll { moved.contains($0.key) }
    return TransferPlan(
      .split(rules), from: (source, after), to: (nil, target), moved: moved, outcomes: outcomes,
      terms)
  }

  /// Computes a move of one identity to another account.
  ///
  /// An address or a number follows its identity. Throws `no-such-provider`, `unsupported-first-factor`, or
  /// `operation-not-allowed` if the other account has another address or number.
  static func move(
    _ key: IdentityKey, from source: Account, to target: Account, _ terms: Terms
  ) throws(AuthError) -> TransferPlan {
    guard source.id != target.id else {
      throw .transferRefused("Both uids are of the same account.", "Name two different accounts.")
    }
    guard source.scope == target.scope else {
      throw .transferRefused(
        "The accounts belong to different projects or tenants.", "Name accounts of one tenant.")
    }
    let moved = try source.identities(movingWith: [key])
    let identities = source.identities.filter { moved.contains($0.key) }
    guard target.secondFactors.isEmpty || !identities.contains(where: { $0.provider == .phone })
    else { throw .unsupportedFirstFactor }
    var (after, new) = (source, target)
    var outcomes: [(SplitField, String)] = []
    for field in [SplitField.email, .phoneNumber] {
      let (choice, rule) = try source.choice(of: field, nil, moving: moved)
      guard choice == .move, source.mustMove(field, with: moved) || target.lacks(field) else {
        outcomes.append((field, SplitChoice.keep.rawValue))
        continue
      }
      guard target.lacks(field) || target.hasSame(field, as: source) else {
        throw .transferRefused(
          "The account \(target.id) has another \(field == .email ? "address" : "number").",
          field: field.rawValue, "Remove that one first, or merge the accounts with merge.plan.")
      }
      if target.lacks(field) {
        new.take(field, from: source)
      } else if field == .email {
        new.emailVerified = target.emailVerified || source.emailVerified
      }
      after.leave(field)
      outcomes.append((field, rule))
    }
    new.isAnonymous = false
    new.add(identities, at: terms.now)
    if new.phoneNumber == nil {
      let number = identities.lazy.filter { $0.provider == .phone }
        .compactMap { try? PhoneNumber($0.key.subject) }.first
      new.phoneNumber = number
    }
    after.identities.removeAll { moved.contains($0.key) }
    return TransferPlan(
      .move(key), from: (source, after), to: (target, new), moved: moved, outcomes: outcomes,
      terms)
  }

  private init(
    _ kind: Kind, from source: (now: Account, after: Account),
    to target: (now: Account?, after: Account), moved: [IdentityKey],
    outcomes: [(SplitField, String)], _ terms: Terms
  ) {
    var left = source.after
    // An address leaves with its codes; a person who loses identities to another one keeps no session of theirs.
    let isCut = terms.endsSessions || left.email != source.now.email
    if isCut { left.cutSessions(at: terms.now) }
    self.kind = kind
    self.source = source.now
    self.target = target.now
    sourceAfter = left
    targetAfter = target.after
    movedIdentities = moved
    fields = outcomes.map { field, rule in
      FieldOutcome(
        field: field, before: source.now.shown(field), source: left.shown(field),
        target: target.after.shown(field), rule: rule)
    }
    cutSessions = isCut ? [source.now.id] : []
    shutAccounts = []
  }

  /// Returns the plan with the accounts that no person could sign in to.
  func judged(by ways: WaysIn, _ trace: inout Trace) -> TransferPlan {
    let permission = WaysIn.Permission(followsSetting: false)
    var shut: [AccountID] = []
    let results = target == nil ? [sourceAfter, targetAfter] : [sourceAfter]
    for result in results
    where !ways.remain(from: [source], to: result, by: permission, &trace) {
      shut.append(result.id)
    }
    return TransferPlan(self, shut: shut)
  }

  private init(_ plan: TransferPlan, shut: [AccountID]) {
    kind = plan.kind
    source = plan.source
    target = plan.target
    sourceAfter = plan.sourceAfter
    targetAfter = plan.targetAfter
    movedIdentities = plan.movedIdentities
    fields = plan.fields
    cutSessions = plan.cutSessions
    shutAccounts = shut
  }
}
