extension MergeField {
  /// True if an account shows when it got the field's value.
  var hasTimeOfValue: Bool {
    [.email, .displayName, .photoURL, .phoneNumber].contains(self)
  }
}

extension Account {
  /// Returns the time at which the account got a field's value, as far as it shows.
  ///
  /// An account stores no time for each field. A provider names a person's name, picture, address and number at each
  /// sign-in, so the last sign-in with an identity whose profile has this very value counts, or the time of its link.
  /// For an address or a number with an identity that signs in by it, the time of that link counts too. A value that no
  /// identity has counts as old as the account.
  public func lastSet(_ field: MergeField) -> Timestamp {
    identities.compactMap { $0.lastSet(field, of: self) }.max() ?? createdAt
  }
}

extension Identity {
  /// Returns the time at which the identity gave an account the field's value; nil if it has another one.
  fileprivate func lastSet(_ field: MergeField, of account: Account) -> Timestamp? {
    let isNamed: Bool
    switch field {
    case .displayName:
      isNamed = account.displayName != nil && profile.displayName == account.displayName
    case .photoURL: isNamed = account.photoURL != nil && profile.photoURL == account.photoURL
    case .email:
      guard let email = account.email else { return nil }
      if owns(.password(email)) || owns(.emailLink(email)) { return linkedAt }
      isNamed = profile.email.flatMap { try? EmailAddress($0) }?.matches(email) == true
    case .phoneNumber:
      guard let number = account.phoneNumber else { return nil }
      if owns(.phone(number)) { return linkedAt }
      isNamed = profile.phoneNumber == number.text
    default: return nil
    }
    return isNamed ? max(linkedAt, lastSignInAt ?? linkedAt) : nil
  }
}
