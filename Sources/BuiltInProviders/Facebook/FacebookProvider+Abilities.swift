public import AuthCore

extension FacebookProvider: AuthorizationFlow {
  /// Returns Facebook's authorization URL.
  public func authorizationURL(
    _ request: AuthorizationGrant, _ context: VerificationContext
  ) async throws -> String {
    try client(context.settings).authorizationURL(
      request, scopes: ["public_profile", "email"],
      parameters: request.parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  /// Returns the issuer that a callback may name.
  public func callbackIssuer(_ context: VerificationContext) async throws -> CallbackIssuer {
    CallbackIssuer(Self.issuer, isRequired: false)
  }

  func client(_ settings: ProviderSettings) throws -> OAuthClient {
    let version = try Self.version(settings)
    return OAuthClient(
      transport: transport,
      endpoints: OAuthEndpoints(
        authorize: settings.endpoint(
          "authorize", usually: "https://www.facebook.com/\(version)/dialog/oauth"),
        token: settings.endpoint(
          "token", usually: "https://graph.facebook.com/\(version)/oauth/access_token"),
        userInfo: nil, introspection: nil, revocation: nil, privateHosts: settings.privateHosts),
      clientID: try settings.required("appID"),
      authentication: .body(try settings.requiredSecret("appSecret")))
  }

  func graph(_ settings: ProviderSettings) throws -> FacebookGraph {
    let base = "https://graph.facebook.com/\(try Self.version(settings))"
    return FacebookGraph(
      provider: id, transport: transport, appID: try settings.required("appID"),
      appSecret: try settings.requiredSecret("appSecret"),
      debugToken: settings.endpoint("debugToken", usually: "\(base)/debug_token"),
      me: settings.endpoint("me", usually: "\(base)/me"),
      permissions: settings.endpoint("permissions", usually: "\(base)/me/permissions"),
      privateHosts: settings.privateHosts)
  }
}

extension FacebookProvider: Revoking {
  /// Removes the permissions that the person granted the app.
  ///
  /// Throws `operation-not-allowed` for a refresh token, which Facebook does not have.
  public func revoke(_ token: RevocationToken, _ context: VerificationContext) async throws {
    let graph = try graph(context.settings)
    switch token {
    case .accessToken(let token): try await graph.revokePermissions(with: token)
    case .authorizationCode(let code, let redirectURI):
      let tokens = try await client(context.settings).exchange(
        code: code.reveal(), redirectURI: redirectURI ?? "", codeVerifier: nil)
      guard let token = tokens.accessToken else { return }
      try await graph.revokePermissions(with: token)
    case .refreshToken:
      throw AuthError(
        .operationNotAllowed, "Facebook has no refresh tokens.", field: "refreshToken",
        remedy: "Revoke an access token.", step: .token)
    }
  }
}
