/// The parts of an account that go together in a split or a move.
extension Account {
  /// Returns the identities that go with the named ones: a password and the links to its address are one.
  ///
  /// Throws `no-such-provider` for an identity that the account does not have.
  func identities(movingWith named: [IdentityKey]) throws(AuthError) -> [IdentityKey] {
    var moved: Set<IdentityKey> = []
    for key in named {
      guard let identity = identity(reachedBy: key) else {
        throw .noSuchProvider(key.provider, linked: identities)
      }
      moved.insert(identity.key)
    }
    let addresses = identities.filter { moved.contains($0.key) }.flatMap(\.addressKeys)
    let together = identities.filter { identity in
      moved.contains(identity.key) || identity.addressKeys.contains { addresses.contains($0) }
    }
    return together.keys
  }

  /// Returns the account that gets a field's value, and the reason.
  ///
  /// An address and a number go with the identities that sign in by them. An address that only providers name goes if
  /// every one of them does. Throws `operation-not-allowed` for a choice that would separate them.
  func choice(
    of field: SplitField, _ chosen: SplitChoice?, moving keys: [IdentityKey]
  ) throws(AuthError) -> (SplitChoice, rule: String) {
    guard field.isExclusive else {
      let choice = chosen ?? .keep
      return (choice, choice.rawValue)
    }
    let bound = identities(bound: field)
    let isMoving = keys.contains { bound.contains($0) }
    if let chosen {
      guard bound.isEmpty || (chosen == .move) == isMoving else {
        throw .transferRefused(
          "\(field.rawValue) belongs to \(bound.map(\.description).joined(separator: ", ")).",
          field: field.rawValue, "Leave the field out: it follows its identity.")
      }
      return (chosen, chosen.rawValue)
    }
    let holders = bound.isEmpty ? identities(naming: field) : bound
    let follows = !holders.isEmpty && holders.allSatisfy(keys.contains)
    return follows ? (.move, "follows its identity") : (.keep, SplitChoice.keep.rawValue)
  }

  /// Tells whether a field's value cannot stay, because an identity that signs in by it goes.
  func mustMove(_ field: SplitField, with keys: [IdentityKey]) -> Bool {
    identities(bound: field).contains { keys.contains($0) }
  }

  /// The identities that sign in with the account's address or number.
  private func identities(bound field: SplitField) -> [IdentityKey] {
    switch field {
    case .email:
      guard let email else { return [] }
      return identities.filter { $0.owns(.password(email)) || $0.owns(.emailLink(email)) }.keys
    case .phoneNumber:
      guard let phoneNumber else { return [] }
      return identities.filter { $0.owns(.phone(phoneNumber)) }.keys
    default: return []
    }
  }

  /// The identities whose providers name the account's address.
  private func identities(naming field: SplitField) -> [IdentityKey] {
    guard field == .email, let email else { return [] }
    return identities.filter { identity in
      identity.hasProfileOfItsOwn
        && identity.profile.email.flatMap { try? EmailAddress($0) }?.matches(email) == true
    }.keys
  }

  func lacks(_ field: SplitField) -> Bool {
    field == .email ? email == nil : phoneNumber == nil
  }

  func hasSame(_ field: SplitField, as other: Account) -> Bool {
    field == .email
      ? email.map { $0.matches(other.email) } ?? false
      : phoneNumber != nil && phoneNumber == other.phoneNumber
  }

  /// Adds identities that another account had, as linked now.
  ///
  /// No earlier session of this account continues with one of them.
  mutating func add(_ others: [Identity], at now: Timestamp) {
    let linkedAt = linking(at: now)
    identities += others.map { identity in
      var identity = identity
      identity.linkedAt = linkedAt
      return identity
    }
  }
}

extension Identity {
  /// The password and the links of the addresses that it signs in with, also under a replaced key.
  fileprivate var addressKeys: [IdentityKey] {
    keys.filter { [.password, .emailLink].contains($0.provider) }.flatMap { key in
      [
        IdentityKey(.password, subject: key.subject), IdentityKey(.emailLink, subject: key.subject),
      ]
    }
  }
}
