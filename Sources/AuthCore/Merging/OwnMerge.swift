/// A session as the proof that an account belongs to the caller.
///
/// Its maker has verified the session's token. The graph checks that the session is still valid.
public struct ProvenSession: Sendable, Hashable {
  /// The project or tenant of the account.
  public let scope: Scope
  /// The account of the session.
  public let account: AccountID
  /// The time of the sign-in.
  public let signedInAt: Timestamp
  /// The provider that the session began with.
  public let provider: ProviderID
  /// The identity whose credential began the session; nil if none did, as for a custom token.
  public let identity: IdentityKey?
  /// The second factor that the session has shown.
  public let secondFactor: SessionGrant.Factor?
  /// The claims of the session; null for none.
  public let claims: JSONValue
  /// The mark that the session presents.
  public let mark: ShownMark

  /// Makes a proof from the claims of a verified token.
  public init(
    scope: Scope, account: AccountID, signedInAt: Timestamp, provider: ProviderID,
    identity: IdentityKey?, secondFactor: SessionGrant.Factor?, claims: JSONValue = .null,
    mark: ShownMark = .untold
  ) {
    self.mark = mark
    self.scope = scope
    self.account = account
    self.signedInAt = signedInAt
    self.provider = provider
    self.identity = identity
    self.secondFactor = secondFactor
    self.claims = claims
  }
}

/// A request by a person signed in to two accounts to merge one into the other.
public struct OwnMerge: Sendable, Hashable {
  /// The rules that decide the merge.
  public enum Rules: Sendable, Hashable {
    /// The scope's merge policy; without one, the survivor's fields win.
    case project
    /// The survivor's fields win; refused if the scope has a policy, which cannot be bypassed.
    case survivor
  }

  /// The account to keep; a policy may choose the other one.
  public var survivor: ProvenSession
  /// The account to absorb.
  public var absorbed: ProvenSession
  /// The rules that decide the merge.
  public var rules: Rules
  /// The revisions of the accounts in an earlier plan; if one changed, the merge is refused as outdated.
  ///
  /// Empty accepts the accounts as they are.
  public var revisions: [AccountID: Int64]

  /// Makes a request.
  public init(
    _ absorbed: ProvenSession, into survivor: ProvenSession, rules: Rules = .project,
    revisions: [AccountID: Int64] = [:]
  ) {
    self.absorbed = absorbed
    self.survivor = survivor
    self.rules = rules
    self.revisions = revisions
  }
}

extension ProvenSession {
  func caller(_ client: ClientDescription = ClientDescription()) -> Caller {
    var caller = Caller(
      scope: scope,
      authority: .session(
        account, signedInAt: signedInAt, secondFactor: secondFactor != nil, identity: identity),
      client: client)
    caller.mark = mark
    return caller
  }

  /// Tells whether a session that began like this one may be the merged account's.
  ///
  /// Its identity must belong to the account, and an anonymous session cannot continue on an account that is not.
  fileprivate func opens(_ account: Account) -> Bool {
    guard provider != .anonymous || account.isAnonymous else { return false }
    return identity.map(account.owns) ?? true
  }

  /// The proof as the audit records it.
  var detail: JSONValue {
    [
      "account": .string(account.rawValue), "provider": .string(provider.rawValue),
      "signedInAt": .string(signedInAt.text),
      "secondFactor": .optional(secondFactor?.kind),
    ]
  }
}

extension OwnMerge {
  /// Returns the session that continues on the merged account; nil if the merge drops both identities.
  func nextSession(of result: Account) -> ProvenSession? {
    let own = result.id == survivor.account ? [survivor, absorbed] : [absorbed, survivor]
    return own.first { $0.opens(result) }
  }

  /// Returns the second factor of the merged account that was shown.
  func shownFactor(of result: Account) -> SessionGrant.Factor? {
    let own = result.id == survivor.account ? [survivor, absorbed] : [absorbed, survivor]
    return own.compactMap(\.secondFactor).first { factor in
      result.secondFactors.contains { $0.id == factor.id }
    }
  }

  var proofs: JSONValue { .array([survivor.detail, absorbed.detail]) }
}
