/// The plan of a merge, with nothing written: fields, identities and sessions.
public struct MergePlan: Hashable, Sendable {
  /// One field of the two accounts with its result.
  public struct FieldOutcome: Hashable, Sendable {
    /// The field.
    public let field: MergeField
    /// The survivor's value in readable form.
    public let kept: String?
    /// The absorbed account's value in readable form.
    public let other: String?
    /// The value after the merge in readable form.
    public let result: String?
    /// The name of the rule that decided.
    public let rule: String

    /// True if the accounts' values differ, so that the rule mattered.
    public var differs: Bool { kept != other }
  }

  /// The account that survives, as it is now.
  public let survivor: Account
  /// The account that is absorbed, as it is now; its uid becomes an alias.
  public let absorbed: Account
  /// The survivor after the merge.
  public let result: Account
  /// The rules that were applied.
  public let rules: MergeRules
  /// The identities that move to the survivor.
  public let movedIdentities: [IdentityKey]
  /// The identities that are dropped, whether named or implied.
  public let droppedIdentities: [IdentityKey]
  /// The accounts whose sessions end.
  public let cutSessions: [AccountID]
  /// The source of the rules: an admin, or a policy by name.
  public let decidedBy: String
  /// The version of the policy that decided; nil if an admin did.
  public internal(set) var policyVersion: PolicyVersionID?
  /// The part of that version in the decision; nil if an admin decided, or in a plan of a saved list.
  public internal(set) var policyRole: PolicyJudgement.Role?
}

extension MergePlan {
  /// Computes a plan; writes nothing.
  ///
  /// Throws `merge-refused` if the accounts cannot be merged, or `invalid-argument` for a rule that does not fit its
  /// field.
  static func make(
    keep survivor: Account, absorb absorbed: Account, rules: MergeRules, decidedBy: String,
    now: Timestamp
  ) throws(AuthError) -> MergePlan {
    guard survivor.id != absorbed.id else {
      throw .mergeRefused("Both uids are of the same account.", "Name two different accounts.")
    }
    guard survivor.scope == absorbed.scope else {
      throw .mergeRefused(
        "The accounts belong to different projects or tenants.", "Merge accounts of one tenant.")
    }
    var drops = ContactDrops(rules, survivor, absorbed)
    var result = try FieldMerging(
      survivor: drops.survivor, absorbed: drops.absorbed, rules: rules
    ).result()
    drops.follow(rules, to: result)
    result.identities += absorbed.identities
    // The absorbed uid, and custom tokens for it, lead to the survivor.
    result.details.usedCustomToken = survivor.isNamedByApp || absorbed.isNamedByApp
    result.mergeWaitingPassword(of: absorbed)
    let asked = drops.named + drops.implied
    let lost =
      asked
      + result.unprovenPasswords(of: [survivor, absorbed]).filter { !asked.contains($0) }
    let dropped = Set(lost)
    if !dropped.isEmpty { result.identities.removeAll { dropped.contains($0.key) } }
    result.secondFactors =
      survivor.secondFactors
      + absorbed.secondFactors.filter { factor in
        !survivor.secondFactors.contains { $0.protects(like: factor) }
      }
    var cut = [absorbed.id]
    if result.secondFactors.count > survivor.secondFactors.count {
      // A session that never showed the new factors must not reach the data that they protected.
      result.cutSessions(at: now)
      cut.append(survivor.id)
    }
    return MergePlan(
      survivor: survivor, absorbed: absorbed, result: result, rules: rules,
      movedIdentities: absorbed.identities.keys.filter { !dropped.contains($0) },
      droppedIdentities: lost, cutSessions: cut, decidedBy: decidedBy)
  }

  /// The fields of the two accounts with their results.
  public var fields: [FieldOutcome] {
    FieldMerging(survivor: survivor, absorbed: absorbed, rules: rules).outcomes(result)
  }

  /// The distinct addresses of the two accounts when the plan was made.
  var emails: [EmailAddress] {
    let isShared = survivor.email?.matches(absorbed.email) == true
    return [survivor.email, isShared ? nil : absorbed.email].compactMap(\.self)
  }

  /// The identities that are dropped unnamed, together with an address or number that the merge leaves out.
  private var lostIdentities: [IdentityKey] {
    let named = Set(rules.droppedIdentities)
    return droppedIdentities.filter { !named.contains($0) }
  }

  /// The passwords that are dropped unnamed, because the result may not have them.
  public var lostPasswords: [IdentityKey] { lostIdentities.filter { $0.provider == .password } }

  /// Notes for an admin to read before the commit.
  public var notes: [String] {
    var notes = lostPasswords.map {
      "The password of \($0.subject) goes: an account has one password, of an address that is its own and as "
        + "proven as the password's account."
    }
    notes += lostIdentities.filter { $0.provider != .password }.map {
      "\($0) goes as a way in: the result has another address or number, or none."
    }
    let counts = Dictionary(grouping: result.identities, by: \.provider).mapValues(\.count)
    for (provider, count) in counts.sorted(by: { $0.key < $1.key }) where count > 1 {
      notes.append("The result has \(count) identities of \(provider).")
    }
    if absorbed.email?.matches(survivor.email) == true,
      survivor.emailVerified != absorbed.emailVerified
    {
      let unproven = survivor.emailVerified ? absorbed : survivor
      notes.append(
        "\(unproven.id) never verified its address; its other ways to sign in stay.")
    }
    if survivor.disabled != absorbed.disabled {
      notes.append(
        "One of them is disabled; the result is \(result.disabled ? "disabled" : "enabled").")
    }
    if survivor.secondFactors.isEmpty != absorbed.secondFactors.isEmpty {
      notes.append("One of them has second factors; the result asks for them.")
    }
    for email in emails where !email.matches(result.email) {
      notes.append("\(email) will be the address of no account.")
    }
    return notes
  }
}

extension Account {
  /// Returns the passwords that a merge's result may not keep.
  ///
  /// These are the passwords for other addresses, and one from an account that never proved the address if the other
  /// account did. A take-over removes the latter too, because it may be a stranger's.
  fileprivate func unprovenPasswords(of accounts: [Account]) -> [IdentityKey] {
    // A rule may take the flag from the result, and the proof of an account still counts against the other's password.
    guard let email, let own = identity(.password(email))?.key,
      accounts.contains(where: { $0.emailVerified && email.matches($0.email) })
    else { return strayPasswords }
    let isProven = accounts.contains {
      $0.identity(own) != nil && $0.emailVerified && email.matches($0.email)
    }
    return isProven ? strayPasswords : strayPasswords + [own]
  }
}

extension SecondFactor {
  /// Tells whether both are the same enrolment, or have the same number.
  func protects(like other: SecondFactor) -> Bool {
    if id == other.id { return true }
    guard case .phone = kind else { return false }
    return kind == other.kind
  }
}

extension AuthError {
  static func mergeRefused(_ message: String, _ remedy: String) -> AuthError {
    AuthError(.mergeRefused, message, remedy: remedy, step: .policy)
  }
}

extension MergePlan {
  /// Plans a merge of two accounts without a store, for the examples of a policy.
  ///
  /// Throws like ``AccountGraph/planMerge(keep:absorb:rules:in:)``.
  public static func rehearse(
    keep survivor: Account, absorb absorbed: Account, rules: MergeRules
  ) throws(AuthError) -> MergePlan {
    let plan = try make(
      keep: survivor, absorb: absorbed, rules: rules, decidedBy: "example",
      now: absorbed.createdAt)
    let settings = ProjectSettings()
    var trace = Trace()
    try plan.validate(
      result: plan.result, in: Snapshot(scope: survivor.scope, settings: settings),
      WaysIn(settings: settings, providers: nil), &trace)
    return plan
  }
}
