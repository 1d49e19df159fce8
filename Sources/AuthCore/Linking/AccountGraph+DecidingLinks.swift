extension AccountGraph {
  /// The maximum number of verifications of a credential whose provider's settings keep changing.
  static let verifications = 4

  /// Verifies a credential with its provider, and records a refusal in the audit.
  func identity(
    by verification: Verification, with age: SettingsAge, for caller: Caller
  ) async throws -> VerifiedIdentity {
    try await audited(
      verification.action, of: verification.account, showing: .credential(verification.credential),
      by: caller
    ) {
      if verification.account != nil { try await requireHeld(by: caller) }
      if age == .lastSeen, let seen = lastSeen.settings(of: caller.scope) {
        do {
          return try await verifyAllowed(verification, with: seen, by: caller)
        } catch let error where !(error is CancellationError) {
          // The refusal may come from outdated settings.
          guard try await settings(of: caller.scope) != seen else { throw error }
        }
      }
      return try await verifyAllowed(
        verification, with: try await settings(of: caller.scope), by: caller)
    }
  }

  /// Verifies a credential with the settings as last seen, and decides the request.
  ///
  /// It verifies again if the transaction sees other settings. An identity that was already verified is used for the
  /// first attempt.
  func decideLink(
    by verification: Verification, startingWith first: VerifiedIdentity? = nil,
    giving session: CredentialSession? = nil, for caller: Caller,
    keeping: (VerifiedIdentity) -> CredentialKeeping? = { _ in nil },
    _ request: (VerifiedIdentity) -> LinkRequest
  ) async throws -> (receipt: Receipt, verdict: Verdict) {
    for attempt in 0..<Self.verifications {
      let identity: VerifiedIdentity
      if attempt == 0, let first {
        identity = first
      } else {
        identity = try await self.identity(
          by: verification, with: attempt == 0 ? .lastSeen : .current, for: caller)
      }
      let performed = try await performLink(
        request(identity), giving: session, keeping: keeping(identity), by: caller)
      guard case .wanting(.verification) = performed else { return try performed.get() }
    }
    throw AuthError(
      .tooMuchContention, "The provider's settings changed each time the credential was verified.",
      remedy: "Try again.", step: .commit)
  }
}
