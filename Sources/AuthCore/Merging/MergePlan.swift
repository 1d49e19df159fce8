/// What a merge would do, with nothing written: every field with its winner, identities, sessions.
public struct MergePlan: Hashable, Sendable {
  /// One field of the two accounts and what becomes of it.
  public struct FieldOutcome: Hashable, Sendable {
    public let field: MergeField
    public let kept: String?
    public let other: String?
    public let result: String?
    public let rule: String

    /// Whether the accounts say different things, so that the rule mattered.
    public var differs: Bool { kept != other }
  }

  /// The account that stays, as it is now.
  public let survivor: Account
  /// The account that is absorbed, as it is now; its uid stays an alias.
  public let absorbed: Account
  /// The survivor as it becomes.
  public let result: Account
  public let rules: MergeRules
  public let movedIdentities: [IdentityKey]
  public let droppedIdentities: [IdentityKey]
  /// The accounts whose sessions end.
  public let cutSessions: [AccountID]
  /// Whose rules decided: an admin's, or a policy by name.
  public let decidedBy: String
}

extension MergePlan {
  /// Computes a plan; writes nothing.
  ///
  /// Throws `merge-refused` where the accounts cannot be merged, or `invalid-argument` for a rule that
  /// does not fit its field.
  static func make(
    keep survivor: Account, absorb absorbed: Account, rules: MergeRules, decidedBy: String,
    now: Timestamp
  ) throws(AuthError) -> MergePlan {
    guard survivor.id != absorbed.id else {
      throw .mergeRefused("It is one account already.", "Name two different accounts.")
    }
    guard survivor.scope == absorbed.scope else {
      throw .mergeRefused(
        "The accounts belong to different projects or tenants.", "Nothing crosses a scope.")
    }
    var result = try FieldMerging(survivor: survivor, absorbed: absorbed, rules: rules).result()
    let dropped = Set(rules.droppedIdentities)
    result.identities += absorbed.identities
    if !dropped.isEmpty { result.identities.removeAll { dropped.contains($0.key) } }
    result.secondFactors =
      survivor.secondFactors
      + absorbed.secondFactors.filter { factor in
        !survivor.secondFactors.contains { $0.id == factor.id }
      }
    var cut = [absorbed.id]
    if result.secondFactors.count > survivor.secondFactors.count {
      // A session that never showed the new factors must not reach what they protected.
      result.cutSessions(at: now)
      cut.append(survivor.id)
    }
    return MergePlan(
      survivor: survivor, absorbed: absorbed, result: result, rules: rules,
      movedIdentities: absorbed.identities.keys.filter { !dropped.contains($0) },
      droppedIdentities: rules.droppedIdentities, cutSessions: cut, decidedBy: decidedBy)
  }

  /// Every field of the two accounts side by side.
  public var fields: [FieldOutcome] {
    FieldMerging(survivor: survivor, absorbed: absorbed, rules: rules).outcomes(result)
  }

  /// What an admin should look at before committing.
  public var notes: [String] {
    var notes: [String] = []
    let counts = Dictionary(grouping: result.identities, by: \.provider).mapValues(\.count)
    for (provider, count) in counts.sorted(by: { $0.key < $1.key }) where count > 1 {
      notes.append("The result has \(count) identities of \(provider).")
    }
    if absorbed.email?.matches(survivor.email) == true,
      survivor.emailVerified != absorbed.emailVerified
    {
      let unproven = survivor.emailVerified ? absorbed : survivor
      notes.append(
        "\(unproven.id) never verified its address; whoever opened it can sign in to the result.")
    }
    if survivor.disabled != absorbed.disabled {
      notes.append(
        "One of them is disabled; the result is \(result.disabled ? "disabled" : "enabled").")
    }
    if survivor.secondFactors.isEmpty != absorbed.secondFactors.isEmpty {
      notes.append("One of them has second factors; the result asks for them.")
    }
    if let email = absorbed.email, !email.matches(result.email) {
      notes.append("\(email) will be nobody's top-level address.")
    }
    return notes
  }
}

extension AuthError {
  static func mergeRefused(_ message: String, _ remedy: String) -> AuthError {
    AuthError(.mergeRefused, message, remedy: remedy, step: .policy)
  }
}

extension MergePlan {
  /// Computes what a merge of two accounts would give, where there is no store: for a policy's examples.
  ///
  /// Throws like ``AccountGraph/planMerge(keep:absorb:rules:in:)``.
  public static func rehearse(
    keep survivor: Account, absorb absorbed: Account, rules: MergeRules
  ) throws(AuthError) -> MergePlan {
    let plan = try make(
      keep: survivor, absorb: absorbed, rules: rules, decidedBy: "example",
      now: absorbed.createdAt)
    try plan.validate(
      result: plan.result, in: Snapshot(scope: survivor.scope, settings: ProjectSettings()))
    return plan
  }
}
