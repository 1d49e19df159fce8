/// The proofs of a request beside those of its caller's session.
struct RequestProofs: Sendable, Hashable {
  /// True if the request signs in, so that its session begins with it.
  var signsIn = false
  /// True if the request shows a second factor.
  var secondFactor = false
}

extension Requirement {
  /// Returns the error for a caller who does not meet the requirement of a script; nil if it is met.
  ///
  /// An admin meets every requirement. An anonymous account cannot sign in again, and meets that of a recent sign-in.
  func refusal(
    of caller: Caller, showing proofs: RequestProofs = RequestProofs(), for account: Account?,
    on context: OperationContext
  ) -> AuthError? {
    if caller.isAdmin { return nil }
    let isMet =
      switch self {
      case .secondFactor: proofs.secondFactor || caller.hasShownFactor
      case .recentLogin(let seconds):
        proofs.signsIn || account?.isAnonymous == true
          || caller.signedIn(
            within: seconds ?? context.snapshot.settings.recentLoginSeconds, at: context.now)
      case .verifiedAddress: account?.emailVerified == true
      case .approval: false
      }
    return isMet ? nil : error
  }

  /// The error for the client of a request that does not meet the requirement.
  ///
  /// Its code is `second-factor-required`, `requires-recent-login`, `unverified-email`, or `operation-not-allowed` for an
  /// approval.
  var error: AuthError {
    switch self {
    case .secondFactor:
      AuthError(
        .secondFactorRequired, "This change requires a session with a second factor.",
        remedy: "Enroll a second factor, sign in with it, and try again.", step: .policy)
    case .recentLogin:
      AuthError(
        .requiresRecentLogin, "This change requires \(self).",
        remedy: "Sign in again, and try again.", step: .policy)
    case .verifiedAddress:
      AuthError(
        .unverifiedEmail, "This change requires a verified address.",
        remedy: "Verify the account's address, and try again.", step: .policy)
    case .approval:
      AuthError(
        .operationNotAllowed, "This change requires an admin's approval.",
        remedy: "Ask an admin to make the change.", step: .policy)
    }
  }
}

extension Caller {
  /// True if the caller's session has shown a second factor.
  fileprivate var hasShownFactor: Bool {
    if case .session(_, _, let secondFactor, _) = authority { secondFactor } else { false }
  }

  fileprivate func signedIn(within seconds: Int64, at now: Timestamp) -> Bool {
    guard case .session(_, let signedInAt, _, _) = authority else { return false }
    return now <= signedInAt.adding(seconds: seconds)
  }
}
