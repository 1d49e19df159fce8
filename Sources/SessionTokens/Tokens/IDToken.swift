public import AuthCore

/// The content of a verified ID token or session cookie.
public struct IDToken: Sendable, Hashable {
  /// The project, which is the audience.
  public let project: String
  /// The tenant, if the account belongs to one.
  public let tenant: String?
  /// The account: `user_id`.
  public let account: AccountID
  /// The time of issue: `iat`.
  public let issuedAt: Timestamp
  /// The end of validity: `exp`.
  public let expiresAt: Timestamp
  /// The time at which the person signed in: `auth_time`.
  public let authTime: Timestamp
  /// The time at which the session counts as begun, if it differs from ``authTime``.
  let startedAt: Timestamp?
  /// Firebase's `sign_in_provider`; empty if an unsigned token names none.
  public let provider: ProviderID
  /// The second factor of the sign-in, if one was used.
  public let secondFactor: SessionGrant.Factor?
  /// All claims of the token.
  public let claims: JSONValue
  /// The names of the session's own claims; nil if an unsigned token does not list them.
  public let sessionClaimNames: Set<String>?
  /// The mark of the identity with which the session began; nil if the token names none.
  let identityMark: String?
  /// The mark of the account's sessions when this one began; unsigned tokens have none.
  let mark: ShownMark

  /// Makes the content of a token.
  public init(
    project: String, tenant: String?, account: AccountID, issuedAt: Timestamp,
    expiresAt: Timestamp, authTime: Timestamp, startedAt: Timestamp? = nil, provider: ProviderID,
    secondFactor: SessionGrant.Factor?, claims: JSONValue, sessionClaimNames: Set<String>? = nil
  ) {
    self.init(
      project: project, tenant: tenant, account: account, issuedAt: issuedAt,
      expiresAt: expiresAt, authTime: authTime, startedAt: startedAt, provider: provider,
      secondFactor: secondFactor, claims: claims, sessionClaimNames: sessionClaimNames,
      identityMark: nil, mark: .untold)
  }

  init(
    project: String, tenant: String?, account: AccountID, issuedAt: Timestamp,
    expiresAt: Timestamp, authTime: Timestamp, startedAt: Timestamp? = nil, provider: ProviderID,
    secondFactor: SessionGrant.Factor?, claims: JSONValue, sessionClaimNames: Set<String>? = nil,
    identityMark: String?, mark: ShownMark
  ) {
    self.mark = mark
    self.identityMark = identityMark
    self.project = project
    self.tenant = tenant
    self.account = account
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
    self.authTime = authTime
    self.startedAt = startedAt
    self.provider = provider
    self.secondFactor = secondFactor
    self.claims = claims
    self.sessionClaimNames = sessionClaimNames
  }

  /// The token's project or tenant.
  public var scope: Scope { Scope(project: project, tenant: tenant) }

  /// Returns the caller for operations of the account's own session.
  ///
  /// The session of a signed token began at ``authTime``. Firebase's emulator compares the `iat` of an unsigned token,
  /// in whole seconds, with the account's `validSince`, so its session counts as begun at the end of that second.
  ///
  /// `identity` is the identity with which the session began, from ``standing(on:)``.
  public func caller(_ identity: IdentityKey?) -> Caller {
    var caller = Caller(
      scope: scope,
      authority: .session(
        account, signedInAt: startedAt ?? authTime, secondFactor: secondFactor != nil,
        identity: identity))
    caller.mark = mark
    return caller
  }
}
