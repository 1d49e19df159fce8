public import AuthCore
import BuiltInProviders

/// Gives and takes ID tokens, refresh tokens and session cookies; the claims are Firebase's.
///
/// Only a ``SessionGrant`` gets tokens, and there is one way to make one of those.
public struct TokenService: Sendable {
  /// How tokens are made.
  public enum Style: Sendable, Hashable {
    /// Signed with the project's newest key of this kind, one of ``TokenService/algorithms``.
    case signed(SigningAlgorithm)
    /// Firebase's emulator: `alg: none`, and refresh tokens that say what they are in base64.
    case unsigned
  }

  public struct Tokens: Sendable {
    public let idToken: Secret<String>
    public let refreshToken: Secret<String>
    /// In seconds.
    public let lifetime: Int64

    public init(idToken: Secret<String>, refreshToken: Secret<String>, lifetime: Int64) {
      self.idToken = idToken
      self.refreshToken = refreshToken
      self.lifetime = lifetime
    }
  }

  /// What an admin chooses about tokens.
  public struct Configuration: Sendable, Hashable {
    /// What stands before the project in the `iss` of ID tokens.
    ///
    /// Firebase's Admin SDKs take no other one than the default.
    public var issuerPrefix = "https://securetoken.google.com/"
    /// What stands before the project in the `iss` of session cookies.
    public var cookieIssuerPrefix = "https://session.firebase.google.com/"
    /// For how many seconds a new key is published before it signs; at least 600.
    public var keyOverlap: Int64 = 3600

    public init() {}
  }

  /// The algorithms that tokens are signed with.
  public static let algorithms = TokenSigner.algorithms
  /// The seconds for which an ID token is good.
  public static let lifetime: Int64 = 3600
  /// The seconds for which a session cookie may be good: five minutes to two weeks.
  public static let cookieLifetimes: ClosedRange<Int64> = 300...1_209_600

  public let style: Style
  public let configuration: Configuration
  /// The keys of signed tokens.
  public let keys: SigningKeys
  let store: any AccountStore
  let clock: @Sendable () -> Timestamp

  public init(
    style: Style, store: any AccountStore, secrets: any SecretSealing,
    configuration: Configuration = Configuration(),
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) {
    self.style = style
    self.store = store
    self.configuration = configuration
    self.clock = clock
    keys = SigningKeys(
      store: store, secrets: secrets, overlap: configuration.keyOverlap, clock: clock)
  }

  /// Firebase's name of a provider in `sign_in_provider`.
  public static func signInProvider(_ provider: ProviderID) -> ProviderID {
    provider == .emailLink ? .password : provider
  }

  /// Tokens of a new session.
  ///
  /// The session was committed with the change that allows it, by a graph that opens its sessions by this service. Throws
  /// `claims-too-large` if nobody would take the token; an account and a session within their bounds never get there.
  public func issue(_ grant: SessionGrant, _ account: Account) async throws -> Tokens {
    guard grant.account == account.id else { throw AuthError.tokensOfAnotherAccount }
    let authTime = authTime(grant, account)
    let refreshToken: String
    switch style {
    case .signed:
      guard let kept = grant.refreshToken else { throw AuthError.sessionWasNotOpened }
      refreshToken = kept.reveal()
    case .unsigned: refreshToken = describe(grant, account, authTime)
    }
    return try await tokens(
      grant, account, claims: grant.claims, authTime: authTime, refreshToken: refreshToken)
  }

  /// New tokens of a session that goes on; the refresh token stays the same.
  public func renew(
    _ session: SessionRecord, _ grant: SessionGrant, _ account: Account, refreshToken: String
  ) async throws -> Tokens {
    guard grant.account == account.id, session.account == account.id else {
      throw AuthError.tokensOfAnotherAccount
    }
    var authTime = grant.signedInAt
    if style == .unsigned {
      let told = EmulatorRefreshToken(refreshToken)?.authTime
      authTime = told.map { Timestamp(milliseconds: $0 * 1000) } ?? Self.lastSignIn(grant, account)
    }
    async let kept: Void = keepUse(of: session, in: account.scope)
    let tokens = try await tokens(
      grant, account, claims: session.claims, authTime: authTime, refreshToken: refreshToken)
    await kept
    return tokens
  }

  /// How old a session's note of its use may be, in milliseconds.
  private static let ageOfUse: Int64 = 86_400_000

  /// Notes once a day that a session was used, so that one that is used does not end for want of use.
  ///
  /// A store that cannot be written now keeps nobody from a refresh.
  private func keepUse(of session: SessionRecord, in scope: Scope) async {
    let now = clock()
    let noted = (session.usedAt ?? session.createdAt).milliseconds
    guard style != .unsigned, now.milliseconds - noted >= Self.ageOfUse else { return }
    try? await store.write { writer in
      guard var record = try writer.session(session.id, in: scope) else { return }
      record.usedAt = now
      try writer.begin(record, in: scope)
    }
  }

  /// A session cookie with the claims of an ID token, for a number of seconds.
  ///
  /// Throws `invalid-argument` where the number is not in ``cookieLifetimes``.
  public func sessionCookie(for token: IDToken, lifetime: Int64) async throws -> Secret<String> {
    guard Self.cookieLifetimes.contains(lifetime) else {
      throw AuthError(
        .invalidArgument, "A session cookie is good for five minutes to two weeks.",
        field: "validDuration", remedy: "Choose 300 to 1,209,600 seconds.", step: .token)
    }
    guard case .object(var claims) = token.claims else { throw AuthError.invalidUserToken }
    // A cookie is not older than the token that it is made of.
    let now = max(clock(), token.issuedAt).milliseconds / 1000
    claims["iss"] = .string(configuration.cookieIssuerPrefix + token.project)
    claims["iat"] = .integer(now)
    claims["exp"] = .integer(now + lifetime)
    var session = SessionHeader(authTime: token.authTime)
    session.identity = token.identityMark
    if case .of(let mark) = token.mark { session.mark = mark }
    let cookie = try await text(
      of: JSONWriter.bytes(of: .object(claims)), session, for: .sessionCookie,
      project: token.project)
    return Secret(try Self.usable(cookie))
  }

  /// A token that says something other than who signed in, such as an event for a function of the app's;
  /// signed with the project's key for ID tokens where tokens are signed.
  public func sign(_ claims: JSONValue, project: String) async throws -> String {
    try await text(
      of: JSONWriter.bytes(of: claims), SessionHeader(authTime: clock()), for: .idToken,
      project: project)
  }

  /// A refresh token that says itself what its session is.
  private func describe(
    _ grant: SessionGrant, _ account: Account, _ authTime: Timestamp
  ) -> String {
    let isLastSignIn = authTime == Self.lastSignIn(grant, account)
    return EmulatorRefreshToken(
      account: account, provider: Self.signInProvider(grant.provider),
      secondFactor: grant.secondFactor, claims: grant.claims,
      authTime: isLastSignIn ? nil : authTime.milliseconds / 1000
    ).text
  }

  private func tokens(
    _ grant: SessionGrant, _ account: Account, claims session: JSONValue, authTime: Timestamp,
    refreshToken: String
  ) async throws -> Tokens {
    let claims = TokenClaims(
      account: account, provider: grant.provider, authTime: authTime,
      secondFactor: grant.secondFactor, session: session,
      issuer: configuration.issuerPrefix + account.scope.project, issuedAt: issuedAt(account),
      lifetime: Self.lifetime)
    let header = SessionHeader(
      authTime: authTime, claimNames: claims.namesOfSession, identity: grant.identity,
      mark: grant.mark)
    let idToken = try await text(
      of: claims.bytes, header, for: .idToken, project: account.scope.project)
    return Tokens(
      idToken: Secret(try Self.usable(idToken)), refreshToken: Secret(refreshToken),
      lifetime: Self.lifetime)
  }

  /// A token that is not too large to be taken again; nothing is left out of one that is.
  private static func usable(_ token: String) throws(AuthError) -> String {
    guard token.utf8.count <= UncheckedIDToken.maximumBytes else { throw .tokenTooLarge }
    return token
  }

  /// When the person showed who they are.
  ///
  /// In the emulator it is the account's last sign-in. But a session that goes on where it ended all others
  /// counts from that moment, or the Admin SDKs would hold its tokens for revoked.
  private func authTime(_ grant: SessionGrant, _ account: Account) -> Timestamp {
    guard style == .unsigned else { return grant.signedInAt }
    let last = Self.lastSignIn(grant, account)
    guard let cut = account.validSince, cut > last, cut <= grant.signedInAt else { return last }
    return cut
  }

  /// When a token is issued: not before the account's `validSince`, which some Admin SDKs compare with `iat`.
  ///
  /// The emulator does so, too, whatever the clock says. A signed token is ahead no further than verifiers take.
  private func issuedAt(_ account: Account) -> Timestamp {
    let now = clock()
    guard let since = account.validSince, since > now else { return now }
    let latest = now.adding(seconds: Self.clockDifference)
    return style == .unsigned || since <= latest ? since : now
  }

  private static func lastSignIn(_ grant: SessionGrant, _ account: Account) -> Timestamp {
    account.lastSignInAt ?? account.details.lastRefreshAt ?? grant.signedInAt
  }

  /// A token of claims that are written already.
  private func text(
    of claims: [UInt8], _ session: SessionHeader, for use: KeyUse, project: String
  ) async throws -> String {
    switch style {
    case .unsigned:
      TokenParts.text(
        signedPart: TokenParts.signedPart(header: Self.unsignedHeader, claims: claims))
    case .signed(let algorithm):
      try await keys.signing(use, algorithm, project: project)
        .sign(claims, session)
    }
  }

  private static let unsignedHeader = CompactHeader.encoded(algorithm: "none")
}

extension TokenService: SessionOpening {
  /// A session that a store keeps, if tokens are signed; the emulator's refresh tokens say themselves what they are.
  public func open(
    _ grant: SessionGrant, in scope: Scope, at now: Timestamp
  ) -> OpenedSession? {
    guard style != .unsigned else { return nil }
    let token = RefreshToken(tenant: scope.tenant)
    return OpenedSession(
      record: SessionRecord(
        id: token.digest, account: grant.account,
        provider: Self.signInProvider(grant.provider), identity: grant.identity,
        signedInAt: grant.signedInAt, secondFactor: grant.secondFactor, claims: grant.claims,
        createdAt: now, mark: grant.mark),
      refreshToken: Secret(token.text))
  }
}
