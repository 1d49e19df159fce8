import AuthCore

/// A plug-in of kind oauth2 or oidc with the authorization code flow.
struct LuaOAuthProvider: LuaProvider, AuthorizationFlow, Revoking, Refreshing {
  let core: LoadedPlugin

  func authorizationURL(
    _ request: AuthorizationGrant, _ context: VerificationContext
  ) async throws -> String {
    let session = try PluginSession(core.declaration, core.host, context)
    core.beginFlow(at: core.host.clock())
    return try await core.reportingFaults(session) {
      switch core.declaration.flow {
      case .oauth2(let flow):
        try await OAuthSignIn(core, flow, session).authorizationURL(request)
      case .oidc(let oidc):
        try await OIDCSignIn(core, oidc, session).authorizationURL(request)
      case .custom: throw Self.noFlow(id)
      }
    }
  }

  func callbackIssuer(_ context: VerificationContext) async throws -> CallbackIssuer {
    guard case .oidc(let oidc) = core.declaration.flow else {
      return CallbackIssuer(nil, isRequired: false)
    }
    let session = try PluginSession(core.declaration, core.host, context)
    return try await OIDCSignIn(core, oidc, session).callbackIssuer()
  }

  func revoke(_ token: RevocationToken, _ context: VerificationContext) async throws {
    let session = try PluginSession(core.declaration, core.host, context)
    try await core.reportingFaults(session) {
      switch core.declaration.flow {
      case .oauth2(let flow): try await OAuthSignIn(core, flow, session).revoke(token)
      case .oidc(let oidc): try await OIDCSignIn(core, oidc, session).revoke(token)
      case .custom: throw Self.noFlow(id)
      }
    }
  }

  func refresh(
    _ refreshToken: Secret<String>, of key: IdentityKey, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let session = try PluginSession(core.declaration, core.host, context)
    return try await core.reportingFaults(session) {
      switch core.declaration.flow {
      case .oauth2(let flow):
        try await OAuthSignIn(core, flow, session).refresh(refreshToken, of: key)
      case .oidc(let oidc):
        try await OIDCSignIn(core, oidc, session).refresh(refreshToken, of: key)
      case .custom: throw Self.noFlow(id)
      }
    }
  }

  private static func noFlow(_ id: ProviderID) -> AuthError {
    AuthError(
      .operationNotAllowed, "The provider \(id) has no sign-in by browser.",
      remedy: "Make one of its credentials instead.", step: .state)
  }
}
