public import AuthCore

/// Signs in at an OpenID Connect provider that an admin configured, by ID token or authorization code.
///
/// Endpoints and keys come from the configuration or from the issuer's discovery document (OpenID Connect Discovery
/// 1.0), never from a token. The identity is the token's `sub`, which no configuration can change.
public struct OIDCProvider: AuthProvider {
  /// The ID of the provider, such as `oidc.work`.
  public let id: ProviderID
  let transport: any HTTPTransport
  let discovery: DiscoveryCache
  let verifier: IDTokenVerifier

  /// Makes the provider; `keys` and `discovery` are the process's shared caches.
  public init(
    _ id: ProviderID, transport: any HTTPTransport, keys: KeyCache, discovery: DiscoveryCache
  ) {
    self.id = id
    self.transport = transport
    self.discovery = discovery
    verifier = IDTokenVerifier(keys: keys)
  }

  /// The provider's builders and configuration fields.
  public var manifest: ProviderManifest {
    ProviderManifest(
      name: "OpenID Connect (\(id))", kind: .oidc, builders: Self.builders,
      configuration: Self.configuration)
  }

  private static let builders = [
    CredentialBuilder(
      "idToken",
      fields: [
        CredentialField("idToken", secret: true, "the ID token that the provider gave the app"),
        CredentialField(
          "accessToken", secret: true, required: false, "the access token from the same sign-in"),
        CredentialField(
          "nonce", secret: true, required: false, "the raw nonce of the request"),
      ]),
    CredentialBuilder(
      AuthorizationGrant.builderName, fields: AuthorizationGrant.credentialFields),
  ]

  private static let configuration = [
    ConfigurationField(
      "issuer", .url, required: true, namesSubjects: true,
      "the issuer, exactly as its tokens name it"),
    ConfigurationField(
      "otherIssuers", .list,
      "further issuers with the same keys; equal subjects of two issuers are different people"),
    // OpenID Connect Core 1.0, section 8: a pairwise subject differs for each client.
    ConfigurationField(
      "clientID", .text, required: true, namesSubjects: true,
      sharedIf: ConfigurationField.SharedSubjects("subjectType", is: "public"),
      "your client's ID"),
    ConfigurationField(
      "subjectType", .text,
      "public if the issuer gives all clients the same subjects; otherwise pairwise, the default"),
    ConfigurationField("audiences", .list, "further client IDs whose ID tokens are accepted"),
    ConfigurationField("clientSecret", .secret, "your client's secret, if it has one"),
    ConfigurationField(
      "clientAuthentication", .text, "none, basic or post; by default what the provider offers"),
    ConfigurationField(
      "algorithms", .list, "the signing algorithms; by default those that the provider offers"),
    ConfigurationField("requiresNonce", .flag, "refuses ID tokens without a nonce"),
    ConfigurationField(
      "scopes", .list, "the requested scopes, by default openid, email and profile"),
    ConfigurationField("displayName", .text, "the name that people see"),
    ConfigurationField(
      "responseType", .text, "code or idToken: what the project's clients sign in with"),
    .endpoints([
      "authorize", "token", "keys", "userInfo", "introspection", "revocation",
    ]),
    .privateHosts,
  ]

  /// Verifies a credential of the provider.
  ///
  /// Throws `invalid-credential`, `missing-or-invalid-nonce`, `network-request-failed`, and `operation-not-allowed`
  /// if the provider is not set up.
  public func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    switch credential.builder {
    case "idToken":
      let token = try credential.required("idToken")
      let setup = try await setup(context.settings, needing: ["keys"])
      let accessToken = credential.optional("accessToken")
      let claims = try await verifier.verify(
        token, by: setup.declaration, nonce: credential.optional("nonce"),
        accessToken: accessToken, now: context.now)
      return try await identity(claims, setup, accessToken: accessToken.map { Secret($0) })
    case AuthorizationGrant.builderName:
      let setup = try await setup(context.settings)
      let signIn = try await verifier.signIn(
        with: credential, at: try setup.client(), by: setup.declaration, now: context.now)
      return try await identity(signIn.claims, setup, accessToken: signIn.tokens.accessToken)
    default:
      throw credential.unknownBuilder
    }
  }

  /// Makes the identity; asks the userinfo endpoint if the token leaves out parts of the profile.
  func identity(
    _ claims: IDTokenClaims, _ setup: OIDCSetup, accessToken: Secret<String>?
  ) async throws -> VerifiedIdentity {
    // Equal subjects of two issuers are two people, so every issuer but the first is part of the key.
    let issuer = claims.issuer.isExactly(setup.issuer) ? "" : claims.issuer
    var identity = VerifiedIdentity(id, issuer: issuer, token: claims)
    guard claims.isThin, let accessToken, setup.userInfoEndpoint != nil else {
      return identity
    }
    let profile = try await setup.resourceClient.userInfo(
      accessToken: accessToken, expectedSubject: claims.subject)
    identity.complete(with: profile)
    return identity
  }
}
