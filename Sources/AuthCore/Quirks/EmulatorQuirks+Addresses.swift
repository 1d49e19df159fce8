/// Changes of addresses and passwords.
extension EmulatorQuirks {
  /// Keeps the mark of an account without an address as verified: the one that a change states, or the earlier one.
  func keepVerification(
    stated: Bool?, before old: Account?, in verdict: inout Verdict, on snapshot: Snapshot
  ) {
    let written = verdict.changes.inserted + verdict.changes.updated.map(\.new)
    guard verifiesWithoutAddress, verdict.error == nil,
      var account = verdict.account ?? written.first(where: { $0.id == verdict.accountID }),
      account.email == nil
    else { return }
    let isVerified = stated ?? (old?.email == nil && old?.emailVerified == true)
    guard account.emailVerified != isVerified else { return }
    account.emailVerified = isVerified
    verdict.become(account, from: snapshot)
  }

  /// Returns the proof that using a code gives; the emulator has no mailboxes.
  func proof(_ usual: AddressProof) -> AddressProof { movesToUnprovenAddresses ? .none : usual }

  /// Tells whether an identity proves a mailbox.
  func shows(_ mailbox: Bool) -> Bool { mailbox && !movesToUnprovenAddresses }

  /// Returns the refusal of a move to another address.
  func refusal(ofMove usual: AuthError?) -> AuthError? { movesToUnprovenAddresses ? nil : usual }

  /// Returns the addresses whose readers may revert a change.
  func recoverable(_ lost: [LostAddress]) -> [LostAddress] { movesToUnprovenAddresses ? [] : lost }

  /// Returns the address whose reader may revert an update; in the emulator the account's first one.
  func recoverable(from old: Account, to new: Account) -> EmailAddress? {
    guard movesToUnprovenAddresses, let before = old.email, !before.matches(new.email),
      !old.isAnonymous
    else { return nil }
    return new.details.initialEmail ?? before
  }

  /// Throws `operation-not-allowed` if passwords are closed to the caller.
  func checkPasswords(_ settings: SignInSettings, _ caller: Caller) throws(AuthError) {
    if !setsClosedPasswords { try settings.check(.password, by: caller) }
  }
}
