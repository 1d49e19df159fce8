/// A policy's answer that leaves both accounts as they are for now, as the cause of an error.
struct WaitingMerge: Error, Sendable {
  /// The condition that a later attempt has to meet.
  let requirement: Requirement
  /// The offer for an admin, in the form of ``MergeOffer/detail(_:_:)``; nil if the person can meet the requirement.
  let offer: JSONValue?
}

extension Requirement {
  /// Tells whether a conflict meets the requirement.
  ///
  /// An approved conflict meets every requirement. An anonymous account cannot sign in again, so its sign-in always
  /// counts as recent.
  public func isMet(in conflict: MergeConflict) -> Bool {
    if conflict.isApproved { return true }
    switch self {
    case .secondFactor: return conflict.session.secondFactor
    case .recentLogin(let seconds):
      guard !conflict.current.isAnonymous else { return true }
      guard let signedInAt = conflict.session.signedInAt else { return false }
      return conflict.decidedAt
        <= signedInAt.adding(seconds: seconds ?? conflict.session.recentSeconds)
    case .verifiedAddress: return conflict.current.emailVerified
    case .approval: return false
    }
  }

  /// The error of an unmet requirement, whose code clients know as the request to sign in again.
  ///
  /// It is never `second-factor-required`: that code continues a sign-in, and there is none to continue.
  func error(ofPolicy name: String) -> AuthError {
    let (code, message, remedy): (AuthError.Code, String, String) =
      switch self {
      case .secondFactor:
        (
          .requiresRecentLogin, "This change requires a session with a second factor.",
          "Enroll a second factor, sign in with it, and try again."
        )
      case .recentLogin:
        (
          .requiresRecentLogin, "This change requires \(self).", "Sign in again, and try again."
        )
      case .verifiedAddress:
        (
          .unverifiedEmail, "This change requires a verified address.",
          "Verify the address of the account that is signed in, and try again."
        )
      case .approval:
        (
          .mergeRefused, "The merge policy \(name) requires an admin's approval.",
          "Ask an admin to merge the accounts."
        )
      }
    return AuthError(
      code, message, remedy: remedy, step: .policy,
      cause: WaitingMerge(requirement: self, offer: nil))
  }
}

extension MergeConflict {
  /// The conflict as an admin's approval makes it: every requirement counts as met, and no review is wanted.
  var approved: MergeConflict {
    var conflict = self
    conflict.isApproved = true
    return conflict
  }

  /// Makes the error of a merge that an admin has to review; nil if the policy has to run outside the transaction.
  ///
  /// The policy is asked once more, as if the admin had approved, so that the offer names the merge that it would make.
  /// Without such an answer, or if the policy fails then, the offer names the owner of the identity or the address as
  /// the survivor.
  func review(
    _ reason: String, by policy: any MergePolicy, on context: OperationContext
  ) -> AuthError? {
    let isInstant = context.moment.budget == .instant
    let given = try? isInstant ? policy.decideAtOnce(approved) : policy.decide(approved)
    guard given != nil || !isInstant else { return nil }
    var (keep, absorb) = (existing, current)
    if case .merge(let into, _, _)? = given, into == current.id {
      (keep, absorb) = (current, existing)
    }
    return AuthError(
      .mergeRefused, "The merge policy \(policy.name) waits for an admin: \(reason)",
      remedy: isApproved
        ? "Plan it with merge.plan(keep, absorb)." : "Look at it with merge.offers().",
      step: .policy,
      cause: WaitingMerge(
        requirement: .approval,
        offer: MergeOffer.detail(
          keeping: keep, absorbing: absorb, decidedBy: "policy \(policy.name)", self,
          reason: reason)))
  }
}

extension Verdict {
  /// Notes what a waiting merge, or a refusal with the app's code, leaves in the event.
  mutating func note(cause error: AuthError) {
    switch error.cause {
    case let waiting as WaitingMerge:
      details["requirement"] = .string(waiting.requirement.name)
      if let offer = waiting.offer { details["offer"] = offer }
    case let refusal as MergeRefusal:
      details["refusal"] = ["reason": .string(refusal.reason), "code": .optional(refusal.code)]
    default: break
    }
  }
}

extension AuthError {
  /// The code that a merge policy gave its refusal, for the app.
  public var refusalCode: String? { (cause as? MergeRefusal)?.code }

  /// True if a client can meet the requirement of the error and repeat the request.
  var isMetByClients: Bool {
    guard let waiting = cause as? WaitingMerge else { return false }
    return waiting.requirement != .approval
  }
}
