extension OneTimeUse {
  /// The time in seconds for which an address is closed to the old system: ten years, so longer than a migration.
  private static let memoryOfLeaving: Int64 = 10 * 365 * 86_400

  /// The mark of an address that an account left.
  ///
  /// The old system still knows the person by it, and would make an account anew of one that was deleted.
  static func left(_ email: EmailAddress, at now: Timestamp) -> OneTimeUse {
    OneTimeUse(
      "password-migration:\(IdentityKey.password(email).subject)",
      expiresAt: now.adding(seconds: memoryOfLeaving))
  }
}

extension Account {
  /// The addresses by which the old system may know the account's person.
  fileprivate var addressesElsewhere: Set<EmailAddress> {
    let passwords = identities.lazy.filter { $0.key.provider == .password }
      .compactMap { try? EmailAddress($0.key.subject) }
    return Set(passwords).union(
      [email].compactMap { $0.flatMap { try? EmailAddress($0.canonical) } })
  }
}

extension ChangeSet {
  /// Returns the marks of addresses that accounts leave, if the scope has an old system of passwords.
  ///
  /// Every path that deletes an account or changes its addresses comes by here.
  func marksOfLeaving(
    on reader: any AccountReader, in scope: Scope, at now: Timestamp
  ) throws -> [StoreWrite] {
    let changed = updated.filter { $0.old.email != $0.new.email || $0.losesPassword }
    guard !deleted.isEmpty || !changed.isEmpty,
      try reader.settings(of: scope).signIn.passwordMigration != nil
    else { return [] }
    let before = (deleted + changed.map(\.old)).reduce(into: Set<EmailAddress>()) {
      $0.formUnion($1.addressesElsewhere)
    }
    let kept = (inserted + updated.map(\.new)).reduce(into: Set<EmailAddress>()) {
      $0.formUnion($1.addressesElsewhere)
    }
    return before.subtracting(kept).sorted { $0.text < $1.text }.map {
      .saveRecord(OneTimeUse.left($0, at: now).record)
    }
  }
}

extension ChangeSet.Update {
  fileprivate var losesPassword: Bool {
    old.identities.contains { identity in
      identity.key.provider == .password && !new.identities.contains { $0.key == identity.key }
    }
  }
}
