public import AuthCore

extension GoogleProvider: AuthorizationFlow {
  /// Returns Google's authorization URL, with `hd` if exactly one Workspace domain is configured.
  public func authorizationURL(
    _ request: AuthorizationGrant, _ context: VerificationContext
  ) async throws -> String {
    let domains = context.settings.list("hostedDomains")
    var parameters = request.parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    // Helps the person to choose the right account; the check is on the claim in the token.
    if domains.count == 1, request.parameters["hd"] == nil { parameters.append(("hd", domains[0])) }
    return try client(context.settings).authorizationURL(
      request, scopes: ["openid", "email", "profile"], parameters: parameters)
  }

  /// Returns the issuer that a callback may name.
  public func callbackIssuer(_ context: VerificationContext) async throws -> CallbackIssuer {
    CallbackIssuer(Self.issuers[0], isRequired: false)
  }

  /// The client that exchanges codes, with the first configured client ID.
  func client(_ settings: ProviderSettings) throws -> OAuthClient {
    OAuthClient(
      transport: transport, endpoints: endpoints(settings),
      clientID: try settings.requiredList("clientIDs")[0],
      authentication: .body(try settings.requiredSecret("clientSecret")))
  }

  /// The client for requests that need no secret.
  func resourceClient(_ settings: ProviderSettings) throws -> OAuthClient {
    OAuthClient(
      transport: transport, endpoints: endpoints(settings),
      clientID: try settings.requiredList("clientIDs")[0], authentication: .none)
  }

  private func endpoints(_ settings: ProviderSettings) -> OAuthEndpoints {
    OAuthEndpoints(
      authorize: settings.endpoint(
        "authorize", usually: "https://accounts.google.com/o/oauth2/v2/auth"),
      token: settings.endpoint("token", usually: "https://oauth2.googleapis.com/token"),
      userInfo: settings.endpoint(
        "userInfo", usually: "https://openidconnect.googleapis.com/v1/userinfo"),
      revocation: settings.endpoint(
        "revocation", usually: "https://oauth2.googleapis.com/revoke"),
      privateHosts: settings.privateHosts)
  }
}

extension GoogleProvider: Revoking {
  /// Revokes the grant that a token belongs to; an expired token is no error.
  public func revoke(_ token: RevocationToken, _ context: VerificationContext) async throws {
    switch token {
    case .authorizationCode: try await client(context.settings).revoke(token)
    case .accessToken, .refreshToken:
      try await resourceClient(context.settings).revoke(token)
    }
  }
}

extension GoogleProvider: Refreshing {
  /// Renews the identity with a refresh token; throws `user-mismatch` if Google names another subject.
  public func refresh(
    _ refreshToken: Secret<String>, of key: IdentityKey, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let client = try client(context.settings)
    let renewed = try await verifier.renew(
      refreshToken, at: client, by: try declaration(context.settings), now: context.now)
    let identity: VerifiedIdentity
    switch renewed {
    case .token(let claims, _): identity = try self.identity(claims, context.settings)
    case .userInfo(let subject, let profile):
      try checkHostedDomain(profile["hd"], context.settings)
      identity = self.identity(subject, profile)
    }
    if let renewedKey = identity.key { try key.requireSame(renewedKey) }
    return identity
  }
}
