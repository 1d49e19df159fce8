/// Every way to a session.
///
/// A new one has to pass ``SessionGrant`` too, and the tests go through all of them.
public enum SignInPath: String, CaseIterable, Sendable, Codable {
  /// A credential of an identity that the account owns, or that leads to it.
  case signIn = "sign-in"
  /// A new account with a secret that is chosen now.
  case signUp = "sign-up"
  /// A credential that a session adds to its own account.
  case link
  /// A sign-in, or a change, that waited for the second factor.
  case secondFactor = "second-factor"
  /// A session that there is already goes on, as with a refresh token.
  case renewal
  /// Two sessions of one person, whose accounts become one.
  case merge
}

/// Allows a session of an account: the one thing for which tokens may be given.
///
/// There is no other way to make one than the function below, and it asks for the second factor of every
/// account that has one, whatever the rules before it said.
public struct SessionGrant: Sendable, Hashable {
  public let path: SignInPath
  public let account: AccountID
  public let provider: ProviderID
  /// The identity whose credential makes the session; nil where none does, as for a custom token.
  public let identity: IdentityKey?
  /// When the person showed who they are.
  public let signedInAt: Timestamp
  /// The second factor that this session has shown, by kind and enrolment.
  public let secondFactor: Factor?
  /// What the credential says about the session, as a custom token may, and what a merge does: a member `mergedFrom`
  /// lists the uids that the account absorbed.
  public private(set) var claims: JSONValue
  /// The mark that the account's sessions have now; the session ends when it moves.
  public let mark: SessionMark?
  /// What renews the session, which was committed with the change that allows it; nil if it is not kept, or was there
  /// before.
  public private(set) var refreshToken: Secret<String>?

  public struct Factor: Sendable, Hashable, Codable {
    /// `phone` or `totp`.
    public let kind: String
    /// The enrolment's ID.
    public let id: String

    public init(kind: String, id: String) {
      self.kind = kind
      self.id = id
    }
  }

  private init(
    _ path: SignInPath, to account: Account, by provider: ProviderID, identity: IdentityKey?,
    at signedInAt: Timestamp, shown factor: Factor?, claims: JSONValue
  ) {
    self.path = path
    self.account = account.id
    self.provider = provider
    self.identity = identity
    self.signedInAt = signedInAt
    self.claims = claims
    mark = account.sessionMark
    secondFactor = factor
  }

  /// The one exit.
  ///
  /// Throws `user-disabled`, or `second-factor-required` where the account has a second factor and none of it
  /// was shown. A session counts as begun no earlier than what it has to outlast.
  static func allow(
    _ path: SignInPath, _ account: Account, provider: ProviderID, identity: IdentityKey? = nil,
    at signedInAt: Timestamp, shown factor: Factor?, claims: JSONValue = .null,
    quirks: EmulatorQuirks = .production
  ) throws(AuthError) -> SessionGrant {
    guard !account.disabled else { throw .userDisabled }
    let isEnrolled = account.secondFactors.contains { $0.id == factor?.id }
    guard account.secondFactors.isEmpty || isEnrolled || quirks.goesOn(by: path) else {
      throw .secondFactorRequired
    }
    let begun = quirks.beginning(
      account.beginning(of: identity, at: signedInAt), signedInAt: signedInAt)
    return SessionGrant(
      path, to: account, by: provider, identity: identity, at: begun,
      shown: isEnrolled ? factor : nil, claims: claims)
  }
}

extension SessionGrant {
  /// Says that the session is a merged account's.
  mutating func tell(mergedFrom absorbed: [AccountID]) {
    guard !absorbed.isEmpty else { return }
    var members: [String: JSONValue] = [:]
    if case .object(let given) = claims { members = given }
    members["mergedFrom"] = .array(absorbed.map { .string($0.rawValue) })
    claims = .object(members)
  }

  /// Opens the session that it allows; nil if it is not kept.
  mutating func open(
    by opening: any SessionOpening, in scope: Scope, at now: Timestamp
  ) -> SessionRecord? {
    let opened = opening.open(self, in: scope, at: now)
    refreshToken = opened?.refreshToken
    return opened?.record
  }
}

extension SecondFactorProof {
  var factor: SessionGrant.Factor { SessionGrant.Factor(kind: kind, id: factorID) }
}
