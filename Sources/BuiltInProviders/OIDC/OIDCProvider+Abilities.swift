public import AuthCore

extension OIDCProvider: AuthorizationFlow {
  /// Returns the provider's authorization URL.
  public func authorizationURL(
    _ request: AuthorizationGrant, _ context: VerificationContext
  ) async throws -> String {
    let setup = try await setup(context.settings)
    return try setup.client().authorizationURL(
      request, scopes: setup.scopes,
      parameters: request.parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  /// Returns the issuer that a callback names, which is required if the provider promised to name it.
  public func callbackIssuer(_ context: VerificationContext) async throws -> CallbackIssuer {
    let setup = try await setup(context.settings)
    return CallbackIssuer(setup.issuer, isRequired: setup.sendsIssuer)
  }

  /// Reads the configuration, and the discovery document unless the endpoints needed are configured.
  func setup(
    _ settings: ProviderSettings, needing names: [String] = ["authorize", "token", "keys"]
  ) async throws -> OIDCSetup {
    let issuer = try settings.required("issuer")
    _ = try settings.required("clientID")
    let isComplete = names.allSatisfy {
      settings.text($0, of: "endpoints") != nil
    }
    let document =
      isComplete
      ? nil
      : try await discovery.document(of: issuer, privateHosts: settings.privateHosts)
    return try OIDCSetup(settings, document, transport)
  }
}

extension OIDCProvider: Revoking {
  /// Revokes a token at the provider's revocation endpoint (RFC 7009).
  ///
  /// Throws `operation-not-allowed` if the provider has none.
  public func revoke(_ token: RevocationToken, _ context: VerificationContext) async throws {
    let setup = try await setup(context.settings)
    guard setup.revocationEndpoint != nil else { throw setup.missingEndpoint("revocation") }
    try await setup.client().revoke(token)
  }
}

extension OIDCProvider: Refreshing {
  /// Renews the identity with a refresh token; throws `user-mismatch` if the provider names another subject.
  public func refresh(
    _ refreshToken: Secret<String>, of key: IdentityKey, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let setup = try await setup(context.settings)
    let renewed = try await verifier.renew(
      refreshToken, at: try setup.client(), by: setup.declaration, now: context.now)
    switch renewed {
    case .token(let claims, let accessToken):
      let issuer = claims.issuer.isExactly(setup.issuer) ? "" : claims.issuer
      try key.requireSame(IdentityKey(id, issuer: issuer, subject: claims.subject))
      return try await identity(claims, setup, accessToken: accessToken)
    case .userInfo(let subject, let profile):
      // The endpoint belongs to the configured issuer, so its answer counts for no other issuer's subject.
      let renewedKey = IdentityKey(id, subject: subject)
      try key.requireSame(renewedKey)
      var identity = VerifiedIdentity(provider: id, key: renewedKey, claims: profile)
      identity.complete(with: profile)
      return identity
    }
  }
}
