import AuthCore

/// The vendor's endpoints, tokens and documents.
extension ProviderUse {
  /// True if authorization requests have a nonce, which the ID token has to repeat.
  var sendsNonce: Bool {
    guard let rule = declaration.idToken else {
      return declaration.browser?.scopes(session).contains("openid") == true
    }
    return rule.repeatsNonce
  }

  func authorizationURL(_ grant: AuthorizationGrant) async throws -> String {
    guard let browser = declaration.browser else { throw AuthError.noBrowserFlow(declaration.id) }
    if let address = browser.address { return try await address(grant, session) }
    return try client(for: .authorize, try await document()).authorizationURL(
      grant, scopes: browser.scopes(session), parameters: try session.filled(browser.parameters),
      defaults: browser.defaults(session), hasPKCE: browser.usesPKCE(session), hasNonce: sendsNonce)
  }

  func callbackIssuer() async throws -> CallbackIssuer {
    guard let issuer = try declaration.callbackIssuer(session) else {
      return CallbackIssuer(nil, isRequired: false)
    }
    let isPromised = try await document()?.authorizationResponseIssParameterSupported ?? false
    return CallbackIssuer(issuer, isRequired: isPromised)
  }

  func claims(
    _ token: String, isExchanged: Bool, nonce: String?, accessToken: String?,
    _ document: DiscoveryDocument?, rule: NonceRule? = nil
  ) async throws -> IDTokenClaims {
    var requirements = try requirements(of: token, isExchanged: isExchanged, document)
    requirements.nonce = rule ?? requirements.nonce
    return try await IDTokenVerifier(keys: session.keys).verify(
      token, by: requirements, nonce: nonce, accessToken: accessToken, now: session.now)
  }

  /// The requirements of a token under the settings.
  func requirements(
    of token: String, isExchanged: Bool, _ document: DiscoveryDocument?
  ) throws -> IDTokenDeclaration {
    guard let rule = declaration.idToken else {
      throw AuthError(.internalError, "The provider \(declaration.id) accepts no ID tokens.")
    }
    let declared = try session.endpoint("keys", rule.keys)
      .map { url throws(AuthError) in try session.allowed(url, forBrowser: false) }
    let found = try declared ?? document.map { try session.discovered($0.jwksURI, "jwks_uri") }
    guard let keys = found else { throw missingEndpoint("keys") }
    return try rule.declaration(
      VendorToken(
        text: token, isExchanged: isExchanged, keys: .jwks(url: keys), document: document), session)
  }

  /// Asks userinfo; nil if the vendor has no such endpoint.
  func userInfo(
    _ token: Secret<String>, expecting subject: String?, _ document: DiscoveryDocument?
  ) async throws -> JSONValue? {
    let rule = declaration.userInfo
    var request = rule.request
    if request == nil {
      var found = document
      if found == nil, declaration.discovery?.isReadForUserInfo == true {
        found = try await discovered()
      }
      let url =
        try session.endpoint(rule.endpoint, nil)
        ?? found?.userInfoEndpoint.map { try session.discovered($0, "userinfo_endpoint") }
      request = url.map { RequestTemplate(url: URLTemplate(stringLiteral: $0)) }
    }
    guard let request else { return nil }
    if rule.isStandard {
      let client = OAuthClient(
        transport: session.network,
        endpoints: OAuthEndpoints(
          authorize: "", token: "",
          userInfo: try session.endpoint(rule.endpoint, usually: request.url),
          privateHosts: session.privateHosts), clientID: "", authentication: .none)
      return try await client.userInfo(accessToken: token, expectedSubject: subject)
    }
    let profile = try await session.ask(
      request, at: rule.endpoint, with: token, filling: try rule.values(token, session),
      step: .profile)
    // OpenID Connect Core 5.3.2: the token could have been exchanged for another person's.
    guard
      declaration.idToken == nil || declaration.app != nil
        || profile["sub"]?.stringValue?.isExactly(subject ?? "") == true
    else {
      throw AuthError(
        .invalidCredential, "The vendor gave the profile of another subject than the ID token's.",
        field: "sub", remedy: "Sign in with the provider again.", step: .profile)
    }
    return profile
  }

  /// The discovery document, unless every endpoint needed is configured or declared.
  func document(
    needing names: [String] = ["authorize", "token", "keys"]
  ) async throws -> DiscoveryDocument? {
    guard declaration.discovery != nil else { return nil }
    let declared = [
      "authorize": declaration.browser?.authorize, "token": declaration.browser?.token,
      "keys": declaration.idToken?.keys,
    ]
    let isComplete = try names.allSatisfy { name in
      try session.endpoint(name, declared[name] ?? nil) != nil
    }
    return isComplete ? nil : try await discovered()
  }

  private func discovered() async throws -> DiscoveryDocument? {
    guard let rule = declaration.discovery else { return nil }
    let issuer = try rule.issuer(session)
    return try await session.discovery.document(
      of: issuer, privateHosts: session.privateHosts,
      at: try session.allowed(issuer, forBrowser: false))
  }

  func client(
    for use: ClientUse, _ document: DiscoveryDocument?
  ) throws -> OAuthClient {
    let browser = declaration.browser
    guard
      let authorize = try session.endpoint("authorize", browser?.authorize)
        ?? document?.authorizationEndpoint
    else { throw missingEndpoint("authorize") }
    guard
      let token = try session.endpoint("token", browser?.token)
        ?? document.map({ try session.discovered($0.tokenEndpoint, "token_endpoint") })
    else { throw missingEndpoint("token") }
    guard let client = try declaration.client?(use, session, document) else {
      throw AuthError.noBrowserFlow(declaration.id)
    }
    var revocation: String?
    if case .standard(let url) = declaration.revocation {
      revocation = try session.endpoint("revocation", url) ?? document?.revocationEndpoint
    }
    var made = OAuthClient(
      transport: session.network,
      endpoints: OAuthEndpoints(
        // Only a browser opens this address, so the transport does not check it.
        authorize: try session.allowed(authorize, forBrowser: true), token: token,
        revocation: revocation, privateHosts: session.privateHosts),
      clientID: client.id, authentication: client.authentication)
    guard let browser else { return made }
    made.scopeSeparator = browser.scopeSeparator
    made.tokenRequest = try browser.request.filled(session)
    made.renewal = try browser.refresh.map {
      (try session.endpoint("refresh", usually: $0.url), try $0.request.filled(session))
    }
    return made
  }

  private func missingEndpoint(_ name: String) -> AuthError {
    AuthError(
      .operationNotAllowed, "The provider \(declaration.id) names no \(name) endpoint.",
      field: "endpoints",
      remedy: "Configure endpoints.\(name) if the provider has that setting, or use its other "
        + "credentials.", step: .credential)
  }

  func revoke(_ token: RevocationToken, by revocation: Revocation) async throws {
    if case .function(let revoke) = revocation { return try await revoke(token, session) }
    let document = try await document()
    let use: ClientUse =
      switch token {
      case .authorizationCode(_, redirectURI: .none): .exchangeOfDevice
      case .authorizationCode: .exchange
      case .accessToken, .refreshToken: .revoke
      }
    let client = try client(for: use, document)
    if case .standard = revocation, client.endpoints.revocation == nil {
      throw missingEndpoint("revocation")
    }
    func end(_ token: Secret<String>, isRefresh: Bool) async throws {
      if case .each(let end) = revocation { return try await end(token, isRefresh, session) }
      try await client.revoke(token, hint: isRefresh ? "refresh_token" : "access_token")
    }
    switch token {
    case .accessToken(let token): try await end(token, isRefresh: false)
    case .refreshToken(let token): try await end(token, isRefresh: true)
    case .authorizationCode(let code, let redirectURI):
      let tokens = try await client.exchange(
        code: code.reveal(), redirectURI: redirectURI ?? "", codeVerifier: nil)
      // The refresh token first, because it could renew the other.
      if let token = tokens.refreshToken { try await end(token, isRefresh: true) }
      if let token = tokens.accessToken { try await end(token, isRefresh: false) }
    }
  }
}
