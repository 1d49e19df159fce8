/// What a merge drops of the ways to reach a person: a number goes with its identity, an address with its password and
/// its links.
///
/// Half of one would be a way in that its owner cannot see, or an address and a number that belong to two accounts.
struct ContactDrops {
  /// The two accounts without the numbers and addresses whose ways in are named as dropped.
  let survivor: Account
  let absorbed: Account
  /// The identities that are named, each once.
  let named: [IdentityKey]
  /// Those that go because what they reach goes.
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

  /// Adds what goes because a rule computed the number or the address, and left others out.
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

  /// Whether an account lost the value of a field with a way in that is named.
  func took(_ field: MergeField, of before: Account, _ after: Account) -> Bool {
    switch field {
    case .email: before.email != nil && after.email == nil
    case .phoneNumber: before.phoneNumber != nil && after.phoneNumber == nil
    default: false
    }
  }
}

extension Identity {
  /// Whether it is the way in by a number, also under a key that was replaced.
  fileprivate func reaches(_ number: PhoneNumber) -> Bool { owns(.phone(number)) }

  /// Whether it is a way in by an address alone, also under a key that was replaced.
  fileprivate func reaches(_ email: EmailAddress) -> Bool {
    owns(.password(email)) || owns(.emailLink(email))
  }
}

extension Account {
  /// The account without the number, and without the address, that one of these identities is the way in of.
  ///
  /// An address stays that a vendor of the account names too.
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
