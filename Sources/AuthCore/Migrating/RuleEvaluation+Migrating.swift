extension RuleEvaluation {
  /// Decides on a password that the old system confirmed.
  ///
  /// It opens the account whose password an import left with the old system, or a new one if no account has the
  /// address. It never opens any other account, whatever the old system says about the address.
  mutating func migrate(
    _ identity: VerifiedIdentity, _ key: IdentityKey, from old: ProviderID
  ) -> Decision {
    guard let email = identity.email else { return .refuse(.wrongCredential) }
    let standing = snapshot.migrationStanding(of: email, at: now)
    let inputs: KeyValuePairs<String, String?> = [
      "identity": key.description, "old system": old.rawValue,
    ]
    switch standing {
    case .unknown:
      trace.note("password elsewhere", inputs, "no account has the address: a new one")
      return .createAccount
    case .awaiting(let id):
      trace.note("password elsewhere", inputs, "account \(id) waits for it")
      guard let account = snapshot.accounts[id] else { return .refuse(.wrongCredential) }
      return admit(account, .signIn(id), by: key.provider)
    case .closed:
      trace.note(
        "password elsewhere", inputs, "an account has the address in another way, or left it")
      return .refuse(.wrongCredential)
    }
  }
}

extension VerifiedIdentity {
  /// The provider whose word on the address counts: the old system, if it confirmed the password.
  var voucher: ProviderID { migratedFrom ?? provider }

  /// Tells whether another request kept a password for the address while the old system was asked.
  ///
  /// The password is then verified again, with the stored hash.
  func wasMigratedMeanwhile(in snapshot: Snapshot, at now: Timestamp) -> Bool {
    guard migratedFrom != nil, ground != nil, let email else { return false }
    return snapshot.migrationStanding(of: email, at: now) == .closed
      && !snapshot.accounts(.identity(.password(email))).isEmpty
  }
}
