/// A sign-in or a sign-up whose address belongs to another account.
private struct AddressConflict {
  let identity: VerifiedIdentity
  /// The account with the address, as far as the script may see it.
  let existing: Account
  /// True if the rules let the identity enter the account, because the provider's word on the address counts.
  var isProven = false
  /// True if the client chose a password for the address, and proved nothing.
  var isSignUp = false

  /// Finds the conflict of a request; nil for any other decision.
  init?(_ request: LinkRequest, _ decision: Decision, on snapshot: Snapshot) {
    switch request {
    case .signIn(let identity): self.init(signingIn: identity, decision, on: snapshot)
    case .signUp(let identity): self.init(signingUp: identity, decision, on: snapshot)
    default: return nil
    }
  }

  private init?(signingIn identity: VerifiedIdentity, _ decision: Decision, on snapshot: Snapshot) {
    self.identity = identity
    switch decision.afterSecondFactor {
    case .autoLink(let id), .takeOver(let id, _):
      guard let account = snapshot.accounts[id] else { return nil }
      (existing, isProven) = (account, true)
    case .refuse(let error) where error.code == .accountExistsWithDifferentCredential:
      let holders = identity.email.map { snapshot.accounts(.email($0)) } ?? []
      guard let account = holders.first(where: \.emailVerified) ?? holders.first else { return nil }
      existing = account
    default: return nil
    }
  }

  private init?(signingUp identity: VerifiedIdentity, _ decision: Decision, on snapshot: Snapshot) {
    guard case .refuse(let error) = decision, error.code == .emailAlreadyInUse,
      let email = identity.email
    else { return nil }
    let owners = [IdentityKey.password(email), .emailLink(email)]
      .flatMap { snapshot.accounts(.identity($0)) }
    let holders = snapshot.accounts(.email(email))
    guard let account = owners.first ?? holders.first(where: \.emailVerified) ?? holders.first
    else { return nil }
    self.identity = identity
    isSignUp = true
    existing =
      snapshot.settings.signIn.hidesAccounts ? account.showingNothing(but: email) : account
  }
}

extension Account {
  /// The account without anything that a stranger who knows its address must not learn.
  ///
  /// A sign-up needs no proof, so a script's answer to it, which may depend on all that it sees, is an answer to
  /// everyone.
  fileprivate func showingNothing(but email: EmailAddress) -> Account {
    var account = Account(id: id, scope: scope, createdAt: Timestamp(milliseconds: 0))
    account.email = email
    return account
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

/// A decision after the app's script was asked about a taken address.
struct ConflictDecision {
  var decision: Decision
  var details: [String: JSONValue] = [:]
  /// True if the script has to run outside the transaction first.
  var isWanting = false
}

extension AccountGraph {
  /// Asks the scope's script about a sign-in or a sign-up whose address belongs to another account.
  ///
  /// The script can refuse, and it can ask for a proof if the rules would let the identity enter the account. It cannot
  /// let an identity enter whose provider is not trusted for the address, because the client has not proven the other
  /// account then. A sign-up proves nothing: it is refused, in the script's words if it refuses.
  func decideConflict(
    of request: LinkRequest, _ decision: Decision, shown: SecondFactorProof?,
    on context: OperationContext, noting trace: inout Trace
  ) -> ConflictDecision {
    var result = ConflictDecision(decision: decision)
    let proofs = RequestProofs(
      signsIn: true, secondFactor: shown != nil || decision.waitsForSecondFactor)
    guard let asking = questioning(on: context, proofs),
      let conflict = AddressConflict(request, decision, on: context.snapshot),
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
        conflict.isSignUp
          ? "not merged: a sign-up does not show the other account"
          : "not merged: the other account was not shown, because the provider's word does not count"
      )
    case .refused(let error, let details):
      // A requirement of a sign-up cannot be met, and the address stays taken.
      if !(conflict.isSignUp && details["requirement"] != nil) { result.decision = .refuse(error) }
      result.details = details
    }
    return result
  }
}
