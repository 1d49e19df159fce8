import AuthCore
import BuiltInProviders

/// One sign-in through a plug-in of kind oidc.
struct OIDCSignIn {
  let core: LoadedPlugin
  let oidc: OIDCTemplate
  let session: PluginSession
  private let verifier: IDTokenVerifier

  init(_ core: LoadedPlugin, _ oidc: OIDCTemplate, _ session: PluginSession) {
    self.core = core
    self.oidc = oidc
    self.session = session
    verifier = IDTokenVerifier(keys: core.host.keys)
  }

  func verify(_ credential: Credential) async throws -> VerifiedIdentity {
    guard credential.builder == AuthorizationGrant.builderName else {
      let token = try credential.required("idToken")
      let document = oidc.token.keys == nil ? try await discovered() : nil
      let accessToken = credential.optional("accessToken")
      let claims = try await verifier.verify(
        token, by: try declaration(document), nonce: credential.optional("nonce"),
        accessToken: accessToken, now: session.now)
      return try await identity(claims, accessToken: accessToken.map { Secret($0) }, document)
    }
    let document = try await discoveredIfNeeded()
    let signIn = try await verifier.signIn(
      with: credential, at: try client(document), by: try declaration(document), now: session.now)
    return try await identity(signIn.claims, accessToken: signIn.tokens.accessToken, document)
  }

  private func identity(
    _ claims: IDTokenClaims, accessToken: Secret<String>?, _ document: DiscoveryDocument?
  ) async throws -> VerifiedIdentity {
    session.use(claims.uses)
    let said = claims.all.removing(VerifiedIdentity.transportClaims)
    var profile = said
    let asks = oidc.asksUserInfo ?? core.declaration.isThin(said)
    if asks, let accessToken, let endpoint = try await userInfo(document) {
      let more = try await session.ask(endpoint, accessToken: accessToken, step: .profile)
      // OpenID Connect Core 5.3.2: the token could have been exchanged for another person's.
      guard more["sub"]?.stringValue?.isExactly(claims.subject) == true else {
        throw AuthError(
          .invalidCredential, "The vendor gave the profile of another subject than the ID token's.",
          field: "sub", remedy: "Sign in with the provider again.", step: .profile)
      }
      profile = said.claims(over: more)
    }
    let identity = try await core.identity(profile, accessToken: accessToken, session)
    return identity.verified(
      core.declaration.id, issuer: keyIssuer(claims.issuer), uses: session.uses)
  }

  /// The issuer in the identity's key.
  ///
  /// Equal subjects of two issuers are two people, so the key names the issuer if there may be several.
  private func keyIssuer(_ issuer: String) -> String {
    let isList = oidc.token.issuer.names.contains { name in
      core.declaration.ownSettings.contains { $0.name == name && $0.type == .list }
    }
    return isList ? issuer : ""
  }

  private func userInfo(_ document: DiscoveryDocument?) async throws -> RequestTemplate? {
    if let declared = oidc.flow.userInfo { return declared }
    guard oidc.usesDiscovery else { return nil }
    let known: DiscoveryDocument
    if let document { known = document } else { known = try await discovered() }
    let endpoint = try known.userInfoEndpoint.map { try declared($0, "userinfo_endpoint") }
    return endpoint.flatMap { URLTemplate($0) }.map { RequestTemplate(url: $0) }
  }

  func authorizationURL(_ request: AuthorizationGrant) async throws -> String {
    try client(try await discoveredIfNeeded()).authorizationURL(
      request, scopes: session.scopes, parameters: try session.parameters(oidc.flow),
      hasPKCE: oidc.flow.hasPKCE)
  }

  func callbackIssuer() async throws -> CallbackIssuer {
    let issuers = try session.filler.urls(oidc.token.issuer)
    guard issuers.count == 1 else { return CallbackIssuer(nil, isRequired: false) }
    let isPromised =
      try await discoveredIfNeeded()?.authorizationResponseIssParameterSupported ?? false
    return CallbackIssuer(issuers[0], isRequired: isPromised)
  }

  func revoke(_ token: RevocationToken) async throws {
    try await client(try await discoveredIfNeeded()).revoke(token)
  }

  func refresh(
    _ refreshToken: Secret<String>, of key: IdentityKey
  ) async throws -> VerifiedIdentity {
    let document = try await discoveredIfNeeded()
    let renewed = try await verifier.renew(
      refreshToken, at: try client(document), by: try declaration(document), now: session.now)
    guard case .token(let claims, let accessToken) = renewed else {
      throw AuthError(
        .invalidCredential, "The vendor renewed the sign-in without an ID token.",
        remedy: "Sign in with the provider again.", step: .exchange)
    }
    let identity = try await identity(claims, accessToken: accessToken, document)
    if let renewedKey = identity.key { try key.requireSame(renewedKey) }
    return identity
  }
}

extension OIDCSignIn {
  private func declaration(_ document: DiscoveryDocument?) throws -> IDTokenDeclaration {
    let template = oidc.token
    let found =
      try template.keys.map { try session.filler.url($0) }
      ?? document.map { try declared($0.jwksURI, "jwks_uri") }
    guard let keys = found else {
      throw AuthError(
        .pluginFailed, "The plug-in and its vendor name no keys.", field: "keys",
        remedy: "Write keys = \"https://…\" in the plug-in.")
    }
    return IDTokenDeclaration(
      issuers: try session.filler.urls(template.issuer),
      audiences: [try session.settings.required("clientID")] + session.settings.list("audiences"),
      keys: .jwks(url: try session.transport.address(keys)), algorithms: template.algorithms,
      nonce: NonceRule(template.nonce, form: .either), maximumAge: template.maximumAge,
      booleansMayBeText: template.booleansMayBeText, privateHosts: session.transport.privateHosts)
  }

  private func client(_ document: DiscoveryDocument?) throws -> OAuthClient {
    if oidc.flow.token == nil, let document {
      _ = try declared(document.tokenEndpoint, "token_endpoint")
    }
    let offered = document?.tokenEndpointAuthMethods ?? []
    // A provider that names no method takes Basic (OpenID Connect Discovery 3).
    let usual: OAuthTemplate.Authentication =
      document != nil && (offered.isEmpty || offered.contains("client_secret_basic"))
      ? .basic : .post
    return try session.client(oidc.flow, oidc.authentication ?? usual, discovered: document)
  }

  /// Checks an address of the discovery document.
  ///
  /// Throws `network-request-failed` if the plug-in does not declare its host: a document does not extend the hosts
  /// that a plug-in may request.
  private func declared(_ url: String, _ member: String) throws(AuthError) -> String {
    guard (try? session.transport.address(url)) != nil else {
      throw AuthError(
        .networkRequestFailed,
        "The discovery document names a \(member) on \(URLText.host(of: url) ?? "no host"), "
          + "which the plug-in does not declare.",
        field: member, remedy: "Check the vendor, or add the host to the plug-in's hosts.",
        step: .exchange)
    }
    return url
  }

  private func discoveredIfNeeded() async throws -> DiscoveryDocument? {
    let isComplete =
      oidc.token.keys != nil && oidc.flow.authorize != nil && oidc.flow.token != nil
    return isComplete || !oidc.usesDiscovery ? nil : try await discovered()
  }

  /// The discovery document of the first issuer; the other issuers are expected to agree with it.
  private func discovered() async throws -> DiscoveryDocument {
    guard oidc.usesDiscovery, let issuer = try session.filler.urls(oidc.token.issuer).first else {
      throw AuthError(
        .pluginFailed, "The plug-in has no issuer with a discovery document.", field: "issuer",
        remedy: "Write authorize and token in the plug-in, or let it read the document.")
    }
    return try await core.host.discovery.document(
      of: issuer, privateHosts: session.transport.privateHosts,
      at: try session.transport.address(issuer))
  }
}
