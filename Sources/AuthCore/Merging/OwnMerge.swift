/// A session that somebody has shown: the proof that an account is theirs.
///
/// Whoever makes one has checked the token that says so; whether the session still counts is the graph's to say.
public struct ProvenSession: Sendable, Hashable {
  public let scope: Scope
  public let account: AccountID
  public let signedInAt: Timestamp
  /// The provider that the session began with.
  public let provider: ProviderID
  /// The identity whose credential made the session; nil where none did, as for a custom token.
  public let identity: IdentityKey?
  /// The second factor that the session has shown.
  public let secondFactor: SessionGrant.Factor?
  /// The claims of the session; null where there are none.
  public let claims: JSONValue
  /// The mark that the session shows.
  public let mark: ShownMark

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

/// What somebody asks who is signed in to two accounts: that one of them goes up in the other.
public struct OwnMerge: Sendable, Hashable {
  /// Whose rules say what becomes of the two.
  public enum Rules: Sendable, Hashable {
    /// The scope's merge policy; where it has none, the survivor's fields win.
    case project
    /// The survivor's fields win; refused where the scope has a policy, which nobody gets round.
    case survivor
  }

  /// The account that is to stay; a policy may choose the other one.
  public var survivor: ProvenSession
  public var absorbed: ProvenSession
  public var rules: Rules
  /// The revisions that a plan was made of, by account; others are refused as outdated.
  ///
  /// Empty takes the accounts as they are.
  public var revisions: [AccountID: Int64]

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

  /// Whether a session that began like this one may be the merged account's.
  ///
  /// Its way in has to be one of the account's, and nobody stays anonymous who has one.
  fileprivate func opens(_ account: Account) -> Bool {
    guard provider != .anonymous || account.isAnonymous else { return false }
    return identity.map(account.owns) ?? true
  }

  /// What the audit keeps of a proof.
  fileprivate var detail: JSONValue {
    [
      "account": .string(account.rawValue), "provider": .string(provider.rawValue),
      "signedInAt": .string(signedInAt.text),
      "secondFactor": .optional(secondFactor?.kind),
    ]
  }
}

extension OwnMerge {
  /// Which of the two sessions goes on as the merged account's; nil where the merge drops both ways in.
  func nextSession(of result: Account) -> ProvenSession? {
    let own = result.id == survivor.account ? [survivor, absorbed] : [absorbed, survivor]
    return own.first { $0.opens(result) }
  }

  /// The second factor of the merged account that was shown.
  func shownFactor(of result: Account) -> SessionGrant.Factor? {
    let own = result.id == survivor.account ? [survivor, absorbed] : [absorbed, survivor]
    return own.compactMap(\.secondFactor).first { factor in
      result.secondFactors.contains { $0.id == factor.id }
    }
  }

  var proofs: JSONValue { .array([survivor.detail, absorbed.detail]) }
}
