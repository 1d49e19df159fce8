/// Sessions: their end, their age and their second factors.
extension EmulatorQuirks {
  /// Runs a function that ends sessions.
  func ending(_ end: () -> Void) {
    if !keepsSessions { end() }
  }

  /// Restores the sessions of an account.
  func keepSessions(of old: Account, in new: inout Account) {
    guard keepsSessions else { return }
    (new.validSince, new.generation) = (old.validSince, old.generation)
  }

  /// Tells whether a session is over.
  func isOver(_ usually: Bool) -> Bool { usually && !keepsSessions }

  /// Returns the time at which a session counts as begun.
  func beginning(_ usual: Timestamp, signedInAt: Timestamp) -> Timestamp {
    keepsSessions ? signedInAt : usual
  }

  /// Tells whether a session is accepted whatever its age and factors.
  func takesSession(of caller: Caller, _ trace: inout Trace) -> Bool {
    guard !asksForRecentLogin else { return false }
    trace.note("authority", ["caller": caller.actor], "its own session, however old")
    return true
  }

  /// Tells whether a session is recent.
  func isRecent(_ usually: Bool) -> Bool { usually || !asksForRecentLogin }

  /// Returns the refusal for faults that the change would store.
  func fault(_ usual: @autoclosure () -> AuthError?) -> AuthError? {
    asksForRecentLogin ? usual() : nil
  }

  /// Returns the refusal of a second factor for an account with an unverified address.
  func refusal(ofFactorBy caller: Caller) -> AuthError? {
    caller.isAdmin && !asksForRecentLogin ? nil : .unverifiedEmail
  }
}
