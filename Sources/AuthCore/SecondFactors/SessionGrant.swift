/// The ways to open a session.
///
/// Each of them has to pass ``SessionGrant``, and the tests cover all of them.
public enum SignInPath: String, CaseIterable, Sendable, Codable {
  /// A credential of an identity that the account owns, or that leads to it.
  case signIn = "sign-in"
  /// A new account with a new secret.
  case signUp = "sign-up"
  /// A credential that a session links to its own account.
  case link
  /// A sign-in or a change that waited for the second factor.
  case secondFactor = "second-factor"
  /// A session that continues, as with a refresh token.
  case renewal
  /// Two sessions of one person, whose accounts are merged.
  case merge
}

/// The permission to open a session of an account, without which no tokens are issued.
///
/// The function below is the only way to make one. It requires the second factor of every account that has one,
/// whatever the earlier rules said.
public struct SessionGrant: Sendable, Hashable {
  /// The way that led to the session.
  public let path: SignInPath
  /// The account of the session.
  public let account: AccountID
  /// The provider of the sign-in.
  public let provider: ProviderID
  /// The identity whose credential opens the session; nil if none does, as for a custom token.
  public let identity: IdentityKey?
  /// The time of the sign-in.
  public let signedInAt: Timestamp
  /// The second factor that the session has shown, by kind and enrolment.
  public let secondFactor: Factor?
  /// The claims of the session, such as those of a custom token.
  ///
  /// After a merge, the member `mergedFrom` lists the absorbed uids.
  public private(set) var claims: JSONValue
  /// The mark of the account's sessions; the session ends when it changes.
  public let mark: SessionMark?
  /// The token that renews the session; nil if the session is not stored, or existed before.
  public private(set) var refreshToken: Secret<String>?

  /// A second factor that a session has shown.
  public struct Factor: Sendable, Hashable, Codable {
    /// `phone` or `totp`.
    public let kind: String
    /// The ID of the enrolment.
    public let id: String

    /// Names a factor.
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

  /// Allows a session; the only exit of the rules.
  ///
  /// Throws `user-disabled`, or `second-factor-required` if the account has second factors and none was shown. A
  /// session begins no earlier than the times that would end it. `isNoted` is true for a new session, whose beginning the
  /// account notes in the same commit.
  static func allow(
    _ path: SignInPath, _ account: Account, provider: ProviderID, identity: IdentityKey? = nil,
    at signedInAt: Timestamp, isNoted: Bool = false, shown factor: Factor?,
    claims: JSONValue = .null, quirks: EmulatorQuirks = .production
  ) throws(AuthError) -> SessionGrant {
    guard !account.disabled else { throw .userDisabled }
    let isEnrolled = account.secondFactors.contains { $0.id == factor?.id }
    let isShown = isEnrolled && !quirks.asksAgain(on: path)
    guard account.secondFactors.isEmpty || isShown || quirks.goesOn(by: path, with: provider)
    else { throw .secondFactorRequired }
    // A renewal does not make a session one of the identity that was linked again.
    let isKept =
      path == .renewal
      && account.keptKey(ofSessionBegunAt: signedInAt, where: { $0 == identity }) != nil
    let key = isKept ? nil : identity
    let begun = quirks.beginning(
      isNoted
        ? account.notedBeginning(of: key, at: signedInAt)
        : account.beginning(of: key, at: signedInAt),
      signedInAt: signedInAt)
    return SessionGrant(
      path, to: account, by: provider, identity: identity, at: begun,
      shown: isEnrolled ? factor : nil, claims: claims)
  }
}

extension SessionGrant {
  /// Adds the absorbed uids to the session's claims.
  mutating func tell(mergedFrom absorbed: [AccountID]) {
    guard !absorbed.isEmpty else { return }
    var members: [String: JSONValue] = [:]
    if case .object(let given) = claims { members = given }
    members["mergedFrom"] = .array(absorbed.map { .string($0.rawValue) })
    claims = .object(members)
  }

  /// Opens the allowed session; returns nil if sessions are not stored.
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
