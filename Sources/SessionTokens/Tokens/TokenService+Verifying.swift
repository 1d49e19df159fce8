public import AuthCore

extension TokenService {
  /// The seconds by which another server's clock may be ahead.
  static let clockDifference: Int64 = 60

  /// Checks an ID token's signature, issuer, audience and times, but not whether its session was ended.
  ///
  /// Throws `invalid-user-token` or `user-token-expired`. Unsigned style checks as little as Firebase's emulator:
  /// it accepts any token of any signer and project that names a user and has a `firebase` claim.
  public func verify(idToken: String, project: String) async throws -> IDToken {
    guard let token = UncheckedIDToken(idToken) else { throw AuthError.invalidUserToken }
    return try await verify(token, project: project)
  }

  /// Checks an ID token that was already parsed to find its scope.
  public func verify(_ token: UncheckedIDToken, project: String) async throws -> IDToken {
    try await verify(
      token, .idToken, issuer: configuration.issuerPrefix + project, project: project)
  }

  /// Checks a session cookie like an ID token.
  ///
  /// Neither is accepted as the other.
  public func verify(sessionCookie: String, project: String) async throws -> IDToken {
    guard let token = UncheckedIDToken(sessionCookie) else { throw AuthError.invalidUserToken }
    return try await verify(
      token, .sessionCookie, issuer: configuration.cookieIssuerPrefix + project,
      project: project)
  }

  /// Returns the session of a refresh token.
  ///
  /// Throws `invalid-refresh-token`, or `user-not-found` if its account was deleted.
  ///
  /// The graph decides whether the session may continue. Unsigned style stores nothing: the session is what the token
  /// says, and counts as begun now, because the emulator checks only that the account exists.
  public func session(
    ofRefreshToken token: String, project: String
  ) async throws -> (scope: Scope, session: SessionRecord) {
    switch style {
    case .signed:
      guard let read = RefreshToken(token) else { throw AuthError.invalidRefreshToken }
      let scope = Scope(project: project, tenant: read.tenant)
      let digest = read.digest
      let session = try await store.read(from: .replica) { try $0.session(digest, in: scope) }
      guard let session else {
        let memory = SessionRecord.memory(of: digest, until: clock())
        let wasDeleted = try await store.read { try $0.oneTimeRecord(memory.id, in: scope) }
        throw wasDeleted == nil ? AuthError.invalidRefreshToken : AuthError.accountDeleted
      }
      return (scope, session)
    case .unsigned:
      guard let read = EmulatorRefreshToken(token), read.project == project else {
        throw AuthError.invalidRefreshToken
      }
      let now = clock()
      let session = SessionRecord(
        id: RefreshToken.digest(of: token), account: read.account, provider: read.provider,
        identity: nil, signedInAt: now, secondFactor: read.secondFactor, claims: read.claims,
        createdAt: now)
      return (Scope(project: project, tenant: read.tenant), session)
    }
  }

  private func verify(
    _ token: UncheckedIDToken, _ use: KeyUse, issuer: String, project: String
  ) async throws -> IDToken {
    guard style != .unsigned else { return try unchecked(token, project) }
    try await checkSignature(token, use, project)
    return try checked(token, issuer: issuer, project: project)
  }

  private func checkSignature(_ token: UncheckedIDToken, _ use: KeyUse, _ project: String)
    async throws
  {
    guard let id = token.header["kid"]?.stringValue,
      !TokenParts.refusedMembers.contains(where: { token.header[$0] != nil }),
      token.header["typ"].map({ $0.stringValue?.lowercased() == "jwt" }) ?? true,
      let key = try await keys.published(id, use, project: project),
      // The key determines the algorithm; a header with another one is an attack (RFC 8725 section 3.1).
      token.header["alg"]?.stringValue == key.algorithm.rawValue, key.didSign(token.parts)
    else { throw AuthError.invalidUserToken }
  }

  private func checked(
    _ token: UncheckedIDToken, issuer: String, project: String
  ) throws -> IDToken {
    let claims = token.claims
    let now = clock().milliseconds / 1000
    guard claims["iss"]?.stringValue == issuer, claims["aud"]?.stringValue == project,
      let subject = claims["sub"]?.stringValue, !subject.isEmpty,
      claims["user_id"]?.stringValue == subject,
      let issuedAt = claims.moment("iat"), let expiresAt = claims.moment("exp"),
      let authTime = claims.moment("auth_time"),
      // `auth_time` may be in the future: a session begins after the event that ended earlier ones, even if the clock
      // is behind.
      issuedAt <= now + Self.clockDifference, let firebase = claims["firebase"],
      let provider = firebase["sign_in_provider"]?.stringValue
    else { throw AuthError.invalidUserToken }
    guard now < expiresAt else { throw AuthError.userTokenExpired }
    let session = SessionHeader(token.header, authTime: authTime)
    return IDToken(
      project: project, tenant: firebase["tenant"]?.stringValue, account: AccountID(subject),
      issuedAt: Timestamp(milliseconds: issuedAt * 1000),
      expiresAt: Timestamp(milliseconds: expiresAt * 1000), authTime: session.authTime,
      provider: ProviderID(provider), secondFactor: firebase.secondFactor, claims: claims,
      sessionClaimNames: Set(session.claimNames), identityMark: session.identity,
      mark: .of(session.mark))
  }

  /// Reads a token without checks.
  ///
  /// Missing values are as if the token had been issued now.
  private func unchecked(_ token: UncheckedIDToken, _ project: String) throws -> IDToken {
    guard let uid = token.claims["user_id"]?.stringValue, !uid.isEmpty,
      let firebase = token.claims["firebase"], case .object = firebase
    else { throw AuthError.invalidUserToken }
    let claims = token.claims
    let issuedAt = claims.moment("iat") ?? clock().milliseconds / 1000
    let expiresAt = claims.moment("exp") ?? issuedAt + Self.lifetime
    let authTime = claims.moment("auth_time") ?? issuedAt
    return IDToken(
      project: project, tenant: firebase["tenant"]?.stringValue, account: AccountID(uid),
      issuedAt: Timestamp(milliseconds: issuedAt * 1000),
      expiresAt: Timestamp(milliseconds: expiresAt * 1000),
      authTime: Timestamp(milliseconds: authTime * 1000),
      startedAt: Timestamp(milliseconds: issuedAt * 1000 + 999),
      provider: ProviderID(firebase["sign_in_provider"]?.stringValue ?? ""),
      secondFactor: firebase.secondFactor, claims: claims)
  }
}

extension JSONValue {
  fileprivate var secondFactor: SessionGrant.Factor? {
    guard let kind = self["sign_in_second_factor"]?.stringValue,
      let id = self["second_factor_identifier"]?.stringValue
    else { return nil }
    return SessionGrant.Factor(kind: kind, id: id)
  }
}
