extension FieldRecord {
  /// Returns the differences from another version, by the record's list of fields.
  func changes(from old: Self, under prefix: String = "") -> [ValueChange] {
    Self.fields.fields.compactMap { field -> ValueChange? in
      guard field.audit != .left, !field.isSame(old, self) else { return nil }
      let (before, after) = (field.text(of: old), field.text(of: self))
      guard before != after else { return nil }
      let name = prefix + field.name
      if case .masked = field.audit { return ValueChange(name, from: nil, to: nil) }
      return ValueChange(
        name, from: field.value(before) ?? .null, to: field.value(after) ?? .null)
    }
  }

  /// The fields that the audit shows and the record has, as a value.
  var shownFields: JSONValue {
    let members = Self.fields.fields.compactMap { field -> (String, JSONValue)? in
      guard field.audit == .shown, let value = field.value(field.text(of: self)) else { return nil }
      return (field.name, value)
    }
    return .object(Dictionary(members, uniquingKeysWith: { first, _ in first }))
  }
}

extension Field {
  fileprivate func isSame(_ old: Record, _ new: Record) -> Bool {
    withUnsafePointer(to: old) { old in withUnsafePointer(to: new) { isSame(old, $0) } }
  }

  /// Returns the JSON of an object with the field alone.
  fileprivate func text(of record: Record) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      withUnsafePointer(to: record) { write($0, &writer) }
    }
    return String(decoding: writer.bytes(), as: UTF8.self)
  }

  /// Returns the value in the form of the audit; nil if there is none.
  fileprivate func value(_ text: String) -> JSONValue? {
    let value = (try? JSONValue(text: text))?[name]
    guard audit == .times, case .integer(let milliseconds)? = value else { return value }
    return .string(Timestamp(milliseconds: milliseconds).text)
  }
}

extension Account {
  /// Returns the differences from an earlier state that the audit keeps: fields, identities and second factors.
  ///
  /// Secrets are masked, and so are the numbers of second factors.
  func valueChanges(since old: Account) -> [ValueChange] {
    changes(from: old) + details.changes(from: old.details) + identityChanges(since: old)
      + factorChanges(since: old)
  }

  private func identityChanges(since old: Account) -> [ValueChange] {
    var changes: [ValueChange] = []
    for identity in identities where !identity.isOfAddress {
      guard let before = old.identity(identity.key) else {
        changes.append(
          ValueChange("identity \(identity.key)", from: .null, to: identity.auditValue))
        continue
      }
      guard identity != before else { continue }
      let prefix = "\(identity.key) "
      changes += identity.changes(from: before, under: prefix)
      changes += identity.profile.changes(from: before.profile, under: prefix)
    }
    for before in old.identities where !before.isOfAddress && identity(before.key) == nil {
      changes.append(ValueChange("identity \(before.key)", from: before.auditValue, to: .null))
    }
    // Passwords and links move with the address.
    for provider in [ProviderID.password, .emailLink] {
      let (before, after) = (old.identities(of: provider), identities(of: provider))
      if before.isEmpty != after.isEmpty {
        changes.append(
          ValueChange(
            provider.rawValue, from: .string(before.isEmpty ? "none" : "set"),
            to: .string(after.isEmpty ? "none" : "set")))
      } else if before.first?.secret != after.first?.secret {
        changes.append(ValueChange(provider.rawValue, from: nil, to: nil))
      }
    }
    return changes
  }

  private func factorChanges(since old: Account) -> [ValueChange] {
    func factors(_ account: Account) -> [String: SecondFactor] {
      Dictionary(account.secondFactors.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }
    let (before, after) = (factors(old), factors(self))
    return Set(before.keys).union(after.keys).sorted().compactMap { id in
      let (was, now) = (before[id], after[id])
      guard was != now else { return nil }
      let (from, to) = (was?.auditText, now?.auditText)
      // A secret alone may differ.
      guard from != to else { return ValueChange("second factor \(id)", from: nil, to: nil) }
      return ValueChange(
        "second factor \(id)", from: from.map(JSONValue.string) ?? .null,
        to: to.map(JSONValue.string) ?? .null)
    }
  }

  /// Returns the end of the account's sessions, if the change ends them.
  fileprivate func sessionChanges(since old: Account) -> [ValueChange] {
    guard generation != old.generation || validSince != old.validSince else { return [] }
    return [ValueChange("sessions", from: "open", to: "ended")]
  }

  /// Tells whether a sign-in left the account as the audit shows it, compared without effort.
  fileprivate func looksLike(_ old: Account) -> Bool {
    email == old.email && emailVerified == old.emailVerified && displayName == old.displayName
      && photoURL == old.photoURL && phoneNumber == old.phoneNumber && disabled == old.disabled
      && customClaims == old.customClaims && isAnonymous == old.isAnonymous
      && secondFactors.count == old.secondFactors.count
      && identities.count == old.identities.count
      && identities.indices.allSatisfy {
        identities[$0].key == old.identities[$0].key
          && identities[$0].profile == old.identities[$0].profile
      }
  }
}

extension Identity {
  /// True if the identity only repeats the account's address.
  fileprivate var isOfAddress: Bool { provider == .password || provider == .emailLink }

  /// The provider's data about the person, or that the identity is linked.
  fileprivate var auditValue: JSONValue {
    let shown = profile.shownFields
    return shown == .object([:]) ? "linked" : shown
  }
}

extension Action {
  /// True if the event keeps the values before and after.
  ///
  /// Merges and their undo have a journal, and batches concern too many accounts.
  fileprivate var keepsValues: Bool {
    switch self {
    case .signIn, .takeOver, .update, .disable, .enable, .link, .assert, .unlink, .mend, .enroll,
      .unenroll, .useActionCode, .challenge, .split, .move, .undoSplit, .undoMove:
      true
    default: false
    }
  }

  fileprivate var takesAway: Bool { self == .unlink || self == .unenroll || self == .update }
}

extension Verdict {
  /// Notes the values before and after, those of the verdict's own account first.
  ///
  /// The event keeps them if the action has it so. A rehearsal has those of created and absorbed accounts too, and the
  /// sessions that would end.
  mutating func noteValues(isRehearsal: Bool) {
    guard error == nil, action.keepsValues || isRehearsal else { return }
    for update in changes.updated {
      // Most sign-ins change no value.
      if action == .signIn, update.new.looksLike(update.old) { continue }
      let values = update.new.valueChanges(since: update.old)
      if action.keepsValues { keep(values, of: update.new.id) }
      note(
        values + (isRehearsal ? update.new.sessionChanges(since: update.old) : []),
        of: update.new.id)
    }
    if isRehearsal {
      noteWholeAccounts()
    } else if action == .split {
      noteNewAccounts()
    }
    valueChanges =
      valueChanges.filter { $0.account == nil } + valueChanges.filter { $0.account != nil }
  }

  private mutating func noteNewAccounts() {
    for account in changes.inserted {
      let blank = Account(id: account.id, scope: account.scope, createdAt: account.createdAt)
      let values = account.valueChanges(since: blank)
      if action == .split { keep(values, of: account.id) }
      note(values, of: account.id)
    }
  }

  private mutating func noteWholeAccounts() {
    noteNewAccounts()
    for account in changes.deleted {
      guard let survivor = changes.aliases[account.id] else { continue }
      let change = ValueChange("mergedInto", from: .null, to: .string(survivor.rawValue))
      note([change], of: account.id)
    }
  }

  private mutating func note(_ values: [ValueChange], of id: AccountID) {
    valueChanges += values.map { id == accountID ? $0 : $0.of(id) }
  }

  /// Keeps values in the event's details.
  private mutating func keep(_ values: [ValueChange], of id: AccountID) {
    guard !values.isEmpty else { return }
    guard id != accountID else {
      details[ValueChange.member] = ValueChange.details(values)
      return
    }
    var others: [String: JSONValue] =
      if case .object(let known)? = details[ValueChange.othersMember] { known } else { [:] }
    others[id.rawValue] = ValueChange.details(values)
    details[ValueChange.othersMember] = .object(others)
  }

  /// Notes what the account loses, for dry runs; a deletion has noted it.
  mutating func noteLosses(_ ways: WaysIn) {
    guard error == nil, losses == nil, action.takesAway,
      let update = changes.updated.first(where: { $0.new.id == accountID })
    else { return }
    let found = Losses(from: update.old, to: update.new, ways)
    guard !found.identities.isEmpty || !found.secondFactors.isEmpty else { return }
    losses = found
  }
}
