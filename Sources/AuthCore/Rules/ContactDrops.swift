/// The contacts that a merge drops: a number with its identity, an address with its password and its links.
///
/// Half of such a pair would be an identity that its owner cannot see, or a contact that belongs to two accounts.
struct ContactDrops {
  /// The survivor, without the contacts whose identities are dropped by name.
  let survivor: Account
  /// The absorbed account, without those contacts.
  let absorbed: Account
  /// The identities that are dropped by name, each once.
  let named: [IdentityKey]
  /// The identities that are dropped because their contact is.
  private(set) var implied: [IdentityKey] = []

  init(_ rules: MergeRules, _ survivor: Account, _ absorbed: Account) {
    named = rules.droppedIdentities
    let keys = Set(named)
    guard !keys.isEmpty else {
      (self.survivor, self.absorbed) = (survivor, absorbed)
      return
    }
    self.survivor = survivor.withoutContacts(of: keys)
    self.absorbed = absorbed.withoutContacts(of: keys)
    for (before, after) in [(survivor, self.survivor), (absorbed, self.absorbed)] {
      if let email = before.email, after.email == nil {
        imply(before.identities.filter { $0.reaches(email) }.keys)
      }
      if let number = before.phoneNumber, after.phoneNumber == nil {
        imply(before.identities.filter { $0.reaches(number) }.keys)
      }
    }
  }

  /// Adds the identities that are dropped because a rule computed the number or address without them.
  mutating func follow(_ rules: MergeRules, to result: Account) {
    let identities = survivor.identities + absorbed.identities
    if case .value? = rules.fields[.phoneNumber] {
      let kept = result.phoneNumber
      imply(
        identities.filter { identity in
          identity.keys.contains { $0.provider == .phone }
            && !(kept.map { identity.reaches($0) } ?? false)
        }.keys)
    }
    if case .value? = rules.fields[.email] {
      let kept = result.email
      imply(
        identities.filter { identity in
          identity.keys.contains { [.password, .emailLink].contains($0.provider) }
            && !(kept.map { identity.reaches($0) } ?? false)
        }.keys)
    }
  }

  private mutating func imply(_ keys: [IdentityKey]) {
    implied += keys.filter { !named.contains($0) && !implied.contains($0) }
  }

  /// Tells whether an account lost the value of a field together with an identity dropped by name.
  func took(_ field: MergeField, of before: Account, _ after: Account) -> Bool {
    switch field {
    case .email: before.email != nil && after.email == nil
    case .phoneNumber: before.phoneNumber != nil && after.phoneNumber == nil
    default: false
    }
  }
}

extension Identity {
  /// Tells whether it signs in with a number, also under a replaced key.
  fileprivate func reaches(_ number: PhoneNumber) -> Bool { owns(.phone(number)) }

  /// Tells whether it signs in with an address alone, also under a replaced key.
  fileprivate func reaches(_ email: EmailAddress) -> Bool {
    owns(.password(email)) || owns(.emailLink(email))
  }
}

extension Account {
  /// Returns the account without the number and address that these identities sign in with.
  ///
  /// An address stays if an identity of a vendor also has it.
  fileprivate func withoutContacts(of keys: Set<IdentityKey>) -> Account {
    var account = self
    let dropped = identities.filter { keys.contains($0.key) }
    if let number = phoneNumber, dropped.contains(where: { $0.reaches(number) }) {
      account.phoneNumber = nil
    }
    if let email, dropped.contains(where: { $0.reaches(email) }) {
      let isNamed = identities.contains { identity in
        !keys.contains(identity.key) && identity.hasProfileOfItsOwn
          && identity.profile.email.flatMap { try? EmailAddress($0) }?.matches(email) == true
      }
      if !isNamed {
        account.email = nil
        account.emailVerified = false
      }
    }
    return account
  }
}
