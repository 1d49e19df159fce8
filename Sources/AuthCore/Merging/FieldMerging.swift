/// Applies the field rules of a merge.
struct FieldMerging {
  let survivor: Account
  let absorbed: Account
  let rules: MergeRules

  private func rule(_ field: MergeField) -> FieldRule {
    rules.fields[field] ?? field.defaultRule
  }

  /// Returns the survivor with every single-valued field decided; the plan decides identities and factors.
  func result() throws(AuthError) -> Account {
    var result = survivor
    try decideEmail(&result)
    result.displayName = try text(.displayName, survivor.displayName, absorbed.displayName)
    result.photoURL = try text(.photoURL, survivor.photoURL, absorbed.photoURL)
    result.phoneNumber = try choose(
      .phoneNumber, survivor.phoneNumber, absorbed.phoneNumber, describe: \.text)
    result.customClaims = try claims()
    result.disabled = try disabled()
    result.createdAt =
      try time(.createdAt, survivor.createdAt, absorbed.createdAt) ?? survivor.createdAt
    result.lastSignInAt = try time(
      .lastSignInAt, survivor.lastSignInAt, absorbed.lastSignInAt)
    result.isAnonymous = survivor.isAnonymous && absorbed.isAnonymous
    return result
  }

  /// Returns every field of both accounts with its result.
  func outcomes(_ result: Account) -> [MergePlan.FieldOutcome] {
    let fields = rules.fields[.emailVerified] == nil ? MergeField.listed : MergeField.allCases
    return fields.map { field in
      let usesDefault = field == .disabled && rules.fields[field] == nil
      return MergePlan.FieldOutcome(
        field: field, kept: survivor.shown(field), other: absorbed.shown(field),
        result: result.shown(field),
        rule: isDropped(field) ? "dropIdentities" : usesDefault ? "either" : rule(field).name)
    }
  }

  /// True if a field is decided without a value, because its identity is dropped.
  private func isDropped(_ field: MergeField) -> Bool {
    guard !rules.droppedIdentities.isEmpty else { return false }
    let drops = ContactDrops(rules, survivor, absorbed)
    return drops.took(field, of: survivor, drops.survivor)
      || drops.took(field, of: absorbed, drops.absorbed)
  }

  private func decideEmail(_ result: inout Account) throws(AuthError) {
    result.email =
      rule(.email) == .verified
      ? verifiedEmail : try choose(.email, survivor.email, absorbed.email, describe: \.text)
    guard let email = result.email else {
      result.emailVerified = false
      return
    }
    result.emailVerified = try isVerified(email)
  }

  /// Applies the rule of `emailVerified`, which can only take the flag away.
  private func isVerified(_ email: EmailAddress) throws(AuthError) -> Bool {
    func hasProven(_ account: Account) -> Bool {
      account.emailVerified && email.matches(account.email)
    }
    let either = hasProven(survivor) || hasProven(absorbed)
    switch rule(.emailVerified) {
    case .keep: return hasProven(survivor)
    case .theirs: return hasProven(absorbed)
    case .both: return hasProven(survivor) && hasProven(absorbed)
    case .value(.bool(let value)): return value && either
    case .value: throw wrongType(.emailVerified, "true or false")
    default: return either
    }
  }

  /// The verified address, or else the survivor's, unless a second factor guards the result.
  private var verifiedEmail: EmailAddress? {
    let both = [survivor, absorbed]
    if let proven = both.filter(\.emailVerified).compactMap(\.email).first { return proven }
    return both.allSatisfy(\.secondFactors.isEmpty) ? survivor.email ?? absorbed.email : nil
  }

  private func text(
    _ field: MergeField, _ kept: String?, _ other: String?
  ) throws(AuthError) -> String? {
    switch rule(field) {
    case .value(.string(let text)): try checked(text, of: field, unlessAmong: [kept, other])
    case .value(.null): nil
    case .value: throw wrongType(field, "a text or nil")
    default: try choose(field, kept, other, describe: \.self)
    }
  }

  /// Checks a computed text like an admin's input, unless an account already has it.
  private func checked(
    _ text: String, of field: MergeField, unlessAmong known: [String?]
  ) throws(AuthError) -> String {
    if field == .photoURL, !known.contains(text) {
      try ProfileChanges.check(photoURL: text)
    }
    return text
  }

  /// Decides a time, which Lua represents in milliseconds.
  private func time(
    _ field: MergeField, _ kept: Timestamp?, _ other: Timestamp?
  ) throws(AuthError) -> Timestamp? {
    let both = [kept, other].compactMap(\.self)
    // For times, the rules compare the times themselves, and not the ages of the accounts.
    if rule(field) == .newest { return both.max() }
    if rule(field) == .oldest { return both.min() }
    guard case .value(.integer(let milliseconds)) = rule(field) else {
      return try choose(field, kept, other, describe: \.text)
    }
    guard let match = both.first(where: { $0.milliseconds == milliseconds }) else {
      throw wrongType(field, "one of the two accounts' values")
    }
    return match
  }

  /// Applies a rule that picks one of two values; a value always wins over nil.
  private func choose<Value>(
    _ field: MergeField, _ kept: Value?, _ other: Value?, describe: (Value) -> String
  ) throws(AuthError) -> Value? {
    switch rule(field) {
    case .keep, .union, .unionOrRefuse, .verified, .either, .both: return kept ?? other
    case .lastSet:
      let survivorFirst = survivor.lastSet(field) >= absorbed.lastSet(field)
      return survivorFirst ? kept ?? other : other ?? kept
    case .theirs: return other ?? kept
    case .newest, .oldest:
      let survivorFirst = (rule(field) == .oldest) == survivorIsOlder
      return survivorFirst ? kept ?? other : other ?? kept
    case .value(.null): return nil
    case .value(.string(let text)):
      // A policy may choose one of the accounts' values, but not invent an address.
      guard let match = [kept, other].compactMap(\.self).first(where: { describe($0) == text })
      else { throw wrongType(field, "one of the two accounts' values") }
      return match
    case .value: throw wrongType(field, "one of the two accounts' values")
    }
  }

  private var survivorIsOlder: Bool {
    (survivor.createdAt, survivor.id) <= (absorbed.createdAt, absorbed.id)
  }

  private func disabled() throws(AuthError) -> Bool {
    switch rules.fields[.disabled] {
    case nil: return survivor.disabled || absorbed.disabled
    case .value(.bool(let value)): return value
    case .value: throw wrongType(.disabled, "true or false")
    default:
      let chosen = try choose(
        .disabled, survivor.disabled, absorbed.disabled, describe: \.description)
      return chosen ?? survivor.disabled
    }
  }

  private func claims() throws(AuthError) -> CustomClaims? {
    switch rule(.customClaims) {
    case .union, .unionOrRefuse:
      guard let kept = survivor.customClaims, let other = absorbed.customClaims else {
        return survivor.customClaims ?? absorbed.customClaims
      }
      let differing = rule(.customClaims) == .unionOrRefuse ? kept.differing(from: other) : []
      guard differing.isEmpty else {
        throw .mergeRefused(
          "Both accounts have a value for the claim \(differing.joined(separator: ", ")).",
          "Choose a rule for it, such as union, keep or theirs.")
      }
      return try CustomClaims(kept.members.merging(other.members) { $0.united(with: $1) })
    case .value(.null): return nil
    case .value(.object(let members)): return try CustomClaims(members)
    case .value: throw wrongType(.customClaims, "a table or nil")
    default:
      return try choose(
        .customClaims, survivor.customClaims, absorbed.customClaims, describe: \.text)
    }
  }

  private func wrongType(_ field: MergeField, _ wanted: String) -> AuthError {
    AuthError(
      .invalidPolicy, "The rule for \(field.rawValue) did not return \(wanted).",
      field: field.rawValue, remedy: "Return \(wanted) from it.", step: .policy)
  }
}

extension Account {
  /// Returns a field's value in readable form.
  public func shown(_ field: MergeField) -> String? {
    switch field {
    case .email: email.map { "\($0)\(emailVerified ? " (verified)" : "")" }
    case .emailVerified: email.map { _ in emailVerified ? "yes" : "no" }
    case .displayName: displayName
    case .photoURL: photoURL
    case .phoneNumber: phoneNumber?.text
    case .customClaims: customClaims?.text
    case .disabled: disabled ? "yes" : "no"
    case .createdAt: createdAt.text
    case .lastSignInAt: lastSignInAt?.text
    }
  }
}
