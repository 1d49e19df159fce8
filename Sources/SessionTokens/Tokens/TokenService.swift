public import AuthCore

/// Issues and verifies ID tokens, refresh tokens and session cookies with Firebase's claims.
///
/// Tokens are issued only for a ``SessionGrant``, which only one function makes.
public struct TokenService: Sendable {
  /// The way tokens are made.
  public enum Style: Sendable, Hashable {
    /// Signed with the project's newest key of this kind, one of ``TokenService/algorithms``.
    case signed(SigningAlgorithm)
    /// Unsigned (`alg: none`) as in Firebase's emulator, with refresh tokens that contain their session in base64.
    case unsigned
  }

  /// The tokens of a session.
  public struct Tokens: Sendable {
    /// The ID token.
    public let idToken: Secret<String>
    /// The refresh token.
    public let refreshToken: Secret<String>
    /// The validity of the ID token in seconds.
    public let lifetime: Int64

    /// Makes a pair of tokens.
    public init(idToken: Secret<String>, refreshToken: Secret<String>, lifetime: Int64) {
      self.idToken = idToken
      self.refreshToken = refreshToken
      self.lifetime = lifetime
    }
  }

  /// The settings of tokens that an admin chooses.
  public struct Configuration: Sendable, Hashable {
    /// The prefix of the project in the `iss` of ID tokens.
    ///
    /// Firebase's Admin SDKs accept only the default.
    public var issuerPrefix = "https://securetoken.google.com/"
    /// The prefix of the project in the `iss` of session cookies.
    public var cookieIssuerPrefix = "https://session.firebase.google.com/"
    /// The seconds for which a new key is published before it signs; at least 600.
    public var keyOverlap: Int64 = 3600

    /// Makes a configuration with Firebase's prefixes.
    public init() {}
  }

  /// The algorithms that can sign tokens.
  public static let algorithms = SigningKey.algorithms
  /// The validity of an ID token in seconds.
  public static let lifetime: Int64 = 3600
  /// The permitted validity of a session cookie in seconds: five minutes to two weeks.
  public static let cookieLifetimes: ClosedRange<Int64> = 300...1_209_600

  /// The way tokens are made.
  public let style: Style
  /// The settings of tokens.
  public let configuration: Configuration
  /// The keys that sign tokens.
  public let keys: SigningKeys
  let store: any AccountStore
  let clock: @Sendable () -> Timestamp

  /// Makes the service of a store; `secrets` seals the signing keys.
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

  /// Returns Firebase's name of a provider for `sign_in_provider`.
  public static func signInProvider(_ provider: ProviderID) -> ProviderID {
    provider == .emailLink ? .password : provider
  }

  /// Issues the tokens of a new session.
  ///
  /// The session must be committed, by a graph that opens its sessions with this service. Throws `claims-too-large` if
  /// the token exceeds the size that servers accept, which the bounds of accounts and sessions prevent.
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

  /// Issues new tokens for an existing session; the refresh token stays the same.
  public func renew(
    _ session: SessionRecord, _ grant: SessionGrant, _ account: Account, refreshToken: String
  ) async throws -> Tokens {
    guard grant.account == account.id, session.account == account.id else {
      throw AuthError.tokensOfAnotherAccount
    }
    var authTime = grant.signedInAt
    if style == .unsigned {
      let emulated = EmulatorRefreshToken(refreshToken)?.authTime
      authTime =
        emulated.map { Timestamp(milliseconds: $0 * 1000) } ?? Self.lastSignIn(grant, account)
    }
    async let kept: Void = keepUse(of: session, in: account.scope)
    let tokens = try await tokens(
      grant, account, claims: session.claims, authTime: authTime, refreshToken: refreshToken)
    await kept
    return tokens
  }

  /// The milliseconds after which a session's last use is recorded again.
  private static let ageOfUse: Int64 = 86_400_000

  /// Records once a day that a session was used, so that it does not expire as unused.
  ///
  /// If the store cannot be written now, the refresh succeeds anyway.
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

  /// Makes a session cookie with the claims of an ID token and a validity in seconds.
  ///
  /// Throws `invalid-argument` if the validity is not in ``cookieLifetimes``.
  public func sessionCookie(for token: IDToken, lifetime: Int64) async throws -> Secret<String> {
    guard Self.cookieLifetimes.contains(lifetime) else {
      throw AuthError(
        .invalidArgument, "A session cookie is valid for five minutes to two weeks.",
        field: "validDuration", remedy: "Choose 300 to 1,209,600 seconds.", step: .token)
    }
    guard case .object(var claims) = token.claims else { throw AuthError.invalidUserToken }
    // A cookie is not older than the token from which it is made.
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

  /// Makes a token of any claims, such as an event for a function of the app.
  ///
  /// It is signed with the project's key for ID tokens, unless the style is unsigned.
  public func sign(_ claims: JSONValue, project: String) async throws -> String {
    try await text(
      of: JSONWriter.bytes(of: claims), SessionHeader(authTime: clock()), for: .idToken,
      project: project)
  }

  /// Makes the emulator's refresh token, which contains its session.
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

  /// Returns the token; throws if it exceeds the size that servers accept.
  private static func usable(_ token: String) throws(AuthError) -> String {
    guard token.utf8.count <= UncheckedIDToken.maximumBytes else { throw .tokenTooLarge }
    return token
  }

  /// Returns the time at which the person signed in.
  ///
  /// In the emulator it is the account's last sign-in. If the session has ended all others since, it is the time of
  /// that change, so that the Admin SDKs do not treat its tokens as revoked.
  private func authTime(_ grant: SessionGrant, _ account: Account) -> Timestamp {
    guard style == .unsigned else { return grant.signedInAt }
    let last = Self.lastSignIn(grant, account)
    guard let cut = account.validSince, cut > last, cut <= grant.signedInAt else { return last }
    return cut
  }

  /// Returns the time of issue, at least the account's `validSince`, which some Admin SDKs compare with `iat`.
  ///
  /// The emulator does the same. A signed token is ahead of the clock only as far as verifiers accept.
  private func issuedAt(_ account: Account) -> Timestamp {
    let now = clock()
    guard let since = account.validSince, since > now else { return now }
    let latest = now.adding(seconds: Self.clockDifference)
    return style == .unsigned || since <= latest ? since : now
  }

  private static func lastSignIn(_ grant: SessionGrant, _ account: Account) -> Timestamp {
    account.lastSignInAt ?? account.details.lastRefreshAt ?? grant.signedInAt
  }

  /// Makes a token of claims that are already encoded.
  private func text(
    of claims: [UInt8], _ session: SessionHeader, for use: KeyUse, project: String
  ) async throws -> String {
    switch style {
    case .unsigned:
      CompactToken(header: Self.unsignedHeader, payload: claims).text
    case .signed(let algorithm):
      try await keys.signing(use, algorithm, project: project)
        .sign(claims, session)
    }
  }

  private static let unsignedHeader = Array(#"{"alg":"none","typ":"JWT"}"#.utf8)
}

extension TokenService: SessionOpening {
  /// Makes a session for the store; returns nil if tokens are unsigned.
  ///
  /// The emulator's refresh tokens need no stored session.
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
