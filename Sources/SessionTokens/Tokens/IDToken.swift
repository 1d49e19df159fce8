public import AuthCore

/// What a verified ID token or session cookie says.
public struct IDToken: Sendable, Hashable {
  public let project: String
  public let tenant: String?
  public let account: AccountID
  public let issuedAt: Timestamp
  public let expiresAt: Timestamp
  /// When the person showed who they are.
  public let authTime: Timestamp
  /// When the session counts as begun, where that is another moment than ``authTime``.
  let startedAt: Timestamp?
  /// Firebase's `sign_in_provider`; empty where an unsigned token names none.
  public let provider: ProviderID
  public let secondFactor: SessionGrant.Factor?
  /// Every claim as it stands in the token.
  public let claims: JSONValue
  /// The names of the claims that are the session's own; nil where an unsigned token does not tell.
  public let sessionClaimNames: Set<String>?
  /// The mark of the identity that the session began with; nil if the token names none.
  let identityMark: String?
  /// The mark that the account's sessions had when this one began; an unsigned token does not tell.
  let mark: ShownMark

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

  public var scope: Scope { Scope(project: project, tenant: tenant) }

  /// The account's own session, as the graph wants it named.
  ///
  /// A signed token's began at ``authTime``. Firebase's emulator compares an unsigned one's `iat`, in whole
  /// seconds, with the account's `validSince`: such a session counts as begun at the end of that second.
  ///
  /// `identity` is the one that the session began with, by ``standing(on:)``.
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
