/// A sign-in whose address belongs to another account.
private struct SignInConflict {
  let identity: VerifiedIdentity
  let existing: Account
  /// True if the rules let the identity enter the account, because the provider's word on the address counts.
  let isProven: Bool

  /// Finds the conflict of a sign-in; nil for any other decision.
  init?(_ request: LinkRequest, _ decision: Decision, on snapshot: Snapshot) {
    guard case .signIn(let identity) = request else { return nil }
    self.identity = identity
    switch decision.afterSecondFactor {
    case .autoLink(let id), .takeOver(let id, _):
      guard let account = snapshot.accounts[id] else { return nil }
      (existing, isProven) = (account, true)
    case .refuse(let error) where error.code == .accountExistsWithDifferentCredential:
      let holders = identity.email.map { snapshot.accounts(.email($0)) } ?? []
      guard let account = holders.first(where: \.emailVerified) ?? holders.first else { return nil }
      (existing, isProven) = (account, false)
    default: return nil
    }
  }
}

extension Decision {
  /// The decision that follows the second factor, or the decision itself.
  fileprivate var afterSecondFactor: Decision {
    if case .secondFactor(_, let next) = self { next } else { self }
  }

  fileprivate var waitsForSecondFactor: Bool {
    if case .secondFactor = self { true } else { false }
  }
}

/// A decision after the app's script was asked about the conflict of a sign-in.
struct ConflictDecision {
  var decision: Decision
  var details: [String: JSONValue] = [:]
  /// True if the script has to run outside the transaction first.
  var isWanting = false
}

extension AccountGraph {
  /// Asks the scope's script about a sign-in whose address belongs to another account.
  ///
  /// The script can refuse, and it can ask for a proof if the rules would let the identity enter the account. It cannot
  /// let an identity enter whose provider is not trusted for the address, because the client has not proven the other
  /// account then.
  func decideConflict(
    of request: LinkRequest, _ decision: Decision, shown: SecondFactorProof?,
    on context: OperationContext, noting trace: inout Trace
  ) -> ConflictDecision {
    var result = ConflictDecision(decision: decision)
    let proofs = RequestProofs(
      signsIn: true, secondFactor: shown != nil || decision.waitsForSecondFactor)
    guard let asking = questioning(on: context, proofs),
      let conflict = SignInConflict(request, decision, on: context.snapshot),
      let key = conflict.identity.key
    else { return result }
    var event = ChangeEvent(.onConflict, of: conflict.existing, on: context)
    event.isProven = conflict.isProven
    event.subject = ChangeEvent.Subject(
      Identity(
        key: key, profile: conflict.identity.profile,
        emailVerified: conflict.identity.emailVerified, origin: .credential, linkedAt: context.now),
      claims: conflict.identity.claims)
    switch asking.ask(event, noting: &trace) {
    case .none, .answered(.allow), .answered(.refuse), .answered(.require): break
    case .wanted: result.isWanting = true
    case .answered(.ask):
      if conflict.isProven {
        result.decision = .refuse(.accountExistsWithDifferentCredential)
      }
    case .answered(.merge):
      guard !conflict.isProven else { break }
      trace.note(
        event.kind.function, ["provider": key.provider.rawValue],
        "not merged: the other account was not shown, because the provider's word does not count")
    case .refused(let error, let details):
      result.decision = .refuse(error)
      result.details = details
    }
    return result
  }
}
