public import AuthCore

extension AppleProvider: AuthorizationFlow {
  /// Returns Apple's authorization URL for the scopes `openid`, `email` and `name`.
  public func authorizationURL(
    _ request: AuthorizationGrant, _ context: VerificationContext
  ) async throws -> String {
    // With a scope, Apple answers only by POST.
    let parameters = request.parameters.merging(["response_mode": "form_post"]) { given, _ in
      given
    }
    return try browserClient(context.settings).authorizationURL(
      request, scopes: ["openid", "email", "name"],
      parameters: parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  /// Returns the issuer that a callback may name.
  public func callbackIssuer(_ context: VerificationContext) async throws -> CallbackIssuer {
    CallbackIssuer(
      context.settings.endpoint("issuer", usually: Self.usualIssuer), isRequired: false)
  }

  /// Takes the code and the name, which Apple posts as `user` on the first sign-in only.
  public func credentialFields(
    from callback: [String: String]
  ) throws(AuthError) -> [String: String] {
    guard let code = callback["code"], !code.isEmpty else {
      throw .refusedCallback("it has no code", field: "code")
    }
    var fields = ["code": code]
    fields["fullName"] = AppleName(callback["user"])?.text
    return fields
  }

  /// The client ID for sign-in in a browser.
  func serviceID(_ settings: ProviderSettings) throws -> String {
    let clientIDs = try settings.requiredList("clientIDs")
    return settings.text("serviceID") ?? clientIDs[0]
  }

  /// The client ID of the app itself, whose codes have no redirect URI.
  private func bundleID(_ settings: ProviderSettings) throws -> String {
    let serviceID = settings.text("serviceID")
    let clientIDs = try settings.requiredList("clientIDs")
    return clientIDs.first { $0 != serviceID } ?? clientIDs[0]
  }

  /// A client for the authorization URL, which needs no secret.
  private func browserClient(_ settings: ProviderSettings) throws -> OAuthClient {
    OAuthClient(
      transport: transport, endpoints: endpoints(settings), clientID: try serviceID(settings),
      authentication: .none)
  }

  /// A client that authenticates with a secret made now.
  func client(
    _ settings: ProviderSettings, _ clientID: String, now: Timestamp
  ) throws -> OAuthClient {
    OAuthClient(
      transport: transport, endpoints: endpoints(settings), clientID: clientID,
      authentication: .body(try clientSecret(settings, clientID, now: now)))
  }

  /// Signs the client secret: a token that names the team and its client.
  ///
  /// Apple accepts lifetimes of up to six months; this secret lives for five minutes, because each exchange makes
  /// its own.
  private func clientSecret(
    _ settings: ProviderSettings, _ clientID: String, now: Timestamp
  ) throws -> Secret<String> {
    let signer = try SigningKey(
      pem: try settings.requiredSecret("privateKey"), field: "privateKey")
    guard signer.algorithm == .es256 else {
      throw AuthError(
        .operationNotAllowed, "Apple's private keys are on the curve P-256.",
        field: "privateKey", remedy: "Give the text of the .p8 file.", step: .credential)
    }
    let seconds = now.milliseconds / 1000
    let claims: JSONValue = [
      "iss": .string(try settings.required("teamID")), "sub": .string(clientID),
      "aud": .string(settings.endpoint("issuer", usually: Self.usualIssuer)),
      "iat": .integer(seconds), "exp": .integer(seconds + 300),
    ]
    return Secret(try signer.sign(claims, keyID: try settings.required("keyID")))
  }

  private func endpoints(_ settings: ProviderSettings) -> OAuthEndpoints {
    let base = Self.usualIssuer
    return OAuthEndpoints(
      authorize: settings.endpoint("authorize", usually: "\(base)/auth/authorize"),
      token: settings.endpoint("token", usually: "\(base)/auth/token"), userInfo: nil,
      introspection: nil,
      revocation: settings.endpoint("revocation", usually: "\(base)/auth/revoke"),
      privateHosts: settings.privateHosts)
  }
}

extension AppleProvider: Revoking {
  /// Revokes tokens at Apple.
  ///
  /// An authorization code without a redirect URI was given to an app on a device and is exchanged with the app's
  /// client ID. Any other code is exchanged with the service's.
  public func revoke(_ token: RevocationToken, _ context: VerificationContext) async throws {
    let settings = context.settings
    let clientID =
      switch token {
      case .authorizationCode(_, redirectURI: .none): try bundleID(settings)
      case .authorizationCode, .accessToken, .refreshToken: try serviceID(settings)
      }
    try await client(settings, clientID, now: context.now).revoke(token)
  }
}

extension AppleProvider: Refreshing {
  /// Renews the identity with a refresh token; throws `user-mismatch` if Apple names another subject.
  public func refresh(
    _ refreshToken: Secret<String>, of key: IdentityKey, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let settings = context.settings
    let clientID = try serviceID(settings)
    let renewed = try await verifier.renew(
      refreshToken, at: try client(settings, clientID, now: context.now),
      by: try declaration(settings, audiences: [clientID]), now: context.now)
    guard case .token(let claims, _) = renewed else {
      throw AuthError(
        .invalidCredential, "Apple renewed the sign-in without an ID token.",
        remedy: "Sign in with Apple again.", step: .exchange)
    }
    let identity = identity(claims, name: nil)
    if let renewedKey = identity.key { try key.requireSame(renewedKey) }
    return identity
  }
}
