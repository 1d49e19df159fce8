/// Codes, proofs and pending operations.
extension EmulatorQuirks {
  /// Returns the end of a code, a proof or a pending operation.
  func end(_ usual: Timestamp) -> Timestamp { nothingExpires ? .never : usual }

  /// Runs the checks of codes that can expire: counts and voids.
  func bounding(_ body: () throws -> Void) rethrows {
    if !nothingExpires { try body() }
  }

  /// Returns the number of attempts allowed; nil for no limit.
  func limit(_ usual: Int) -> Int? { nothingExpires ? nil : usual }

  /// Returns the values that are used up together with a proof or a pending operation.
  func uses(_ usual: [OneTimeUse]) -> [OneTimeUse] { nothingExpires ? [] : usual }

  /// Returns the refusal of a used code.
  func used(_ usual: AuthError, unknown: AuthError) -> AuthError {
    nothingExpires ? unknown : usual
  }

  /// Tells whether a refusal ends the code of an operation.
  func ends(_ operation: ActionCode.Operation, refusedBy error: AuthError) -> Bool {
    spendsRefusedCodes && operation == .verifyAndChangeEmail && error.code == .emailAlreadyInUse
  }

  /// Tells whether a code ends with the account's sessions.
  func endsWithSessions(_ usually: Bool) -> Bool { usually && !nothingExpires }

  /// Tells whether a code is void because the account is disabled.
  func isVoid(_ isDisabled: Bool) -> Bool { isDisabled && !nothingExpires }

  /// Tells whether a new second factor's removal code is sent.
  func sendsReverts(_ usually: Bool) -> Bool { usually && !nothingExpires }

  /// Tells whether a caller may learn that no account has an address.
  func tells(_ isAdmin: Bool) -> Bool { isAdmin && !nothingExpires }

  /// True if a code is made even for an unknown address, so that the answer takes as long.
  var makesDecoyCodes: Bool { !nothingExpires }

  /// Returns the account that a code is for; in the emulator the one that has its address now.
  func owner(
    of found: ActionCodes.Found, in snapshot: Snapshot, usually owner: () -> Account?
  ) -> Account? {
    guard nothingExpires, found.info.operation != .revertSecondFactorAddition else {
      return owner()
    }
    let email = found.info.email
    guard found.info.operation == .recoverEmail else {
      return snapshot.accounts(.email(email)).first
    }
    let account = found.account.flatMap { snapshot.accounts[$0] }
    return account?.details.initialEmail?.matches(email) == true ? account : nil
  }

  /// Throws `operation-not-allowed` if only their recipients may see open codes.
  func checkListing() throws(AuthError) {
    guard nothingExpires else { throw .notAllowed("Only their recipients may see open codes.") }
  }
}
