import AuthCore

/// Passwords and second factors in the model.
extension ReferenceModel {
  static func password(_ email: String) -> IdentityKey {
    IdentityKey(.password, subject: email)
  }

  mutating func signUp(_ email: EmailAddress, newID: AccountID?) -> Outcome {
    guard people.owner(of: .password(email)) == nil, people.holders(of: email.canonical).isEmpty
    else { return .refused(.emailAlreadyInUse) }
    guard let newID else { return .refused(.internalError) }
    guard note(newID) else { return .impossible }
    var person = Person(email: email.canonical)
    person.identities[.password(email)] = Proof()
    set(newID, person)
    return .done(newID)
  }

  func enter(_ email: EmailAddress, _ event: AuditEvent) -> Outcome {
    // The password is checked before the accounts are loaded, and may have changed by then.
    if event.errorCode == AuthError.Code.invalidCredential.rawValue { return .either }
    guard let owner = people.owner(of: .password(email)), let person = people[owner] else {
      return .refused(.invalidCredential)
    }
    if person.disabled { return .refused(.userDisabled) }
    return person.isGuarded ? .refused(.secondFactorRequired) : .done(owner)
  }

  mutating func setPassword(_ id: AccountID) -> Outcome {
    guard var person = people[id] else { return .refused(.userNotFound) }
    guard let email = person.email else {
      person.waits = true
      set(id, person)
      return .done(id)
    }
    guard free(email, for: id, isProven: person.verified) else {
      return .refused(.emailAlreadyInUse)
    }
    person.identities[Self.password(email)] = Proof()
    set(id, person)
    return .done(id)
  }

  /// Makes waiting passwords a way in of those who have an address now, unless somebody else signs in with it.
  mutating func settleWaitingPasswords(since mark: Int) {
    for id in people.changed(since: mark) {
      guard var person = people[id], person.waits, let email = person.email else { continue }
      person.waits = false
      let hasPassword = person.identities.keys.contains { $0.provider == .password }
      if !hasPassword, people.owner(of: Self.password(email)) == nil {
        person.identities[Self.password(email)] = Proof()
      }
      set(id, person)
    }
  }

  /// Resets a password.
  ///
  /// A valid code proves the address, since its mailbox's reader chose the password.
  mutating func reset(_ email: EmailAddress, _ id: AccountID) -> Outcome {
    guard var person = people[id], person.email == email.canonical, !person.disabled else {
      return .impossible
    }
    let others = people.holders(of: email.canonical).filter { $0 != id }
    guard !others.contains(where: { people[$0]?.verified == true }) else { return .impossible }
    guard free(email.canonical, for: id, isProven: true) else { return .impossible }
    // Accounts that never verified the address lose it to the reader of its mail.
    for id in others {
      guard var other = people[id] else { continue }
      other.email = nil
      other.identities[.password(email)] = nil
      set(id, other)
    }
    if !person.verified {
      person.giveUp()
      endAliases(leadingTo: id)
    }
    person.verified = true
    person.identities[.password(email)] = Proof()
    set(id, person)
    return .done(id)
  }

  mutating func setFactor(_ id: AccountID, _ isOn: Bool) -> Outcome {
    guard var person = people[id] else { return .refused(.userNotFound) }
    if isOn, !person.isGuarded, person.email != nil, !person.verified {
      return .refused(.unverifiedEmail)
    }
    person.isGuarded = isOn
    set(id, person)
    return .done(id)
  }

  /// Removes the password of an address for its proven owner.
  ///
  /// Returns false if another account keeps it.
  private mutating func free(_ email: String, for id: AccountID, isProven: Bool) -> Bool {
    let key = Self.password(email)
    guard let owner = people.owner(of: key), owner != id, var other = people[owner] else {
      return true
    }
    let keepsIt =
      (other.verified && other.email == email)
      || other.identities.values.contains { $0.proves(email) }
    guard isProven && !keepsIt else { return false }
    other.identities[key] = nil
    set(owner, other)
    return true
  }
}
