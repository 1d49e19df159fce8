import AuthCore

/// A plug-in whose credentials come to the app without a browser's detour.
struct LuaPlainProvider: LuaProvider {
  let core: PluginCore
}

/// A plug-in with a `verify` of its own, whose vendor signs in with a browser.
struct LuaBrowserProvider: LuaProvider, AuthorizationFlow {
  let core: PluginCore

  func authorizationURL(
    _ request: AuthorizationGrant, _ context: VerificationContext
  ) async throws -> String {
    let session = try PluginSession(core.declaration, core.host, context)
    core.beginFlow(at: core.host.clock())
    return try await core.reportingFaults(session) {
      try await core.scriptedAddress(request, session)
    }
  }

  /// The issuer of the one kind of token that it takes; where there are several, a callback may be any's.
  func callbackIssuer(_ context: VerificationContext) async throws -> CallbackIssuer {
    guard core.declaration.tokens.count == 1, let token = core.declaration.tokens.values.first
    else { return CallbackIssuer(nil, isRequired: false) }
    let session = try PluginSession(core.declaration, core.host, context)
    let issuers = try session.filler.urls(token.issuer)
    return CallbackIssuer(issuers.count == 1 ? issuers[0] : nil, isRequired: false)
  }

  func credentialFields(
    from callback: [String: String]
  ) throws(AuthError) -> [String: String] {
    guard case .custom(let custom) = core.declaration.flow, let browser = custom.authorize else {
      return [:]
    }
    var fields: [String: String] = [:]
    for (field, parameter) in browser.callback {
      guard parameter != "*" else {
        fields[field] = URLText.form(
          callback.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) })
        continue
      }
      fields[field] = callback[parameter]
    }
    let declared = core.declaration.builders.first { $0.name == AuthorizationGrant.builderName }
    let missing = declared?.fields.first { field in
      field.isRequired && browser.callback[field.name] != nil
        && fields[field.name, default: ""].isEmpty
    }
    if let missing {
      throw .refusedCallback(
        "it has no \(browser.callback[missing.name] ?? missing.name)",
        field: missing.name)
    }
    return fields
  }
}

/// A plug-in of kind oauth2 or oidc with the authorization code flow.
struct LuaOAuthProvider: LuaProvider, AuthorizationFlow, Revoking, Refreshing {
  let core: PluginCore

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
      .operationNotAllowed, "The provider \(id) signs nobody in with a browser.",
      remedy: "Make one of its credentials instead.", step: .state)
  }
}
