public import AuthCore

/// Signs in with a Google account, by ID token, access token or authorization code.
///
/// The token's `sub` identifies the person, never an address. Documentation:
/// developers.google.com/identity/openid-connect.
public struct GoogleProvider: AuthProvider {
  /// The ID `google.com`.
  public let id = ProviderID.google
  let transport: any HTTPTransport
  let verifier: IDTokenVerifier

  /// Makes the provider; `keys` is the process's shared cache of public keys.
  public init(transport: any HTTPTransport, keys: KeyCache) {
    self.transport = transport
    verifier = IDTokenVerifier(keys: keys)
  }

  /// The provider's builders and configuration fields.
  public var manifest: ProviderManifest {
    ProviderManifest(
      name: "Google", kind: .oidc, builders: Self.builders,
      hosts: [
        "accounts.google.com", "oauth2.googleapis.com", "openidconnect.googleapis.com",
        "www.googleapis.com",
      ],
      issuers: Self.issuers,
      configuration: [
        ConfigurationField(
          "clientIDs", .list, required: true,
          "the client IDs of all your apps; the first one is used for authorization codes"),
        ConfigurationField("clientSecret", .secret, "the first client's secret"),
        ConfigurationField(
          "hostedDomains", .list, "the only Workspace domains whose members may sign in"),
        .endpoints(["authorize", "token", "keys", "tokenInfo", "userInfo", "revocation"]),
        .privateHosts,
      ])
  }

  /// The two spellings of Google's one issuer.
  static let issuers = ["https://accounts.google.com", "accounts.google.com"]

  private static let builders = [
    CredentialBuilder(
      "idToken",
      fields: [
        CredentialField("idToken", secret: true, "the ID token that Google gave the app"),
        CredentialField(
          "accessToken", secret: true, required: false, "the access token from the same sign-in"),
        CredentialField(
          "nonce", secret: true, required: false, "the raw nonce of the request"),
      ]),
    CredentialBuilder(
      "accessToken",
      fields: [CredentialField("accessToken", secret: true, "an access token of the app")]),
    CredentialBuilder(
      AuthorizationGrant.builderName, fields: AuthorizationGrant.credentialFields),
  ]

  /// Verifies a Google credential.
  ///
  /// Throws `invalid-credential`, `missing-or-invalid-nonce`, `network-request-failed`, and `operation-not-allowed`
  /// if the provider is not set up.
  public func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    switch credential.builder {
    case "idToken": try await verifyIDToken(credential, context)
    case "accessToken":
      try await verifyAccessToken(try credential.required("accessToken"), context.settings)
    case AuthorizationGrant.builderName: try await verifyCode(credential, context)
    default: throw credential.unknownBuilder
    }
  }

  private func verifyIDToken(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let token = try credential.required("idToken")
    let claims = try await verifier.verify(
      token, by: try declaration(context.settings), nonce: credential.optional("nonce"),
      accessToken: credential.optional("accessToken"), now: context.now)
    return try identity(claims, context.settings)
  }

  private func verifyCode(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let signIn = try await verifier.signIn(
      with: credential, at: try client(context.settings),
      by: try declaration(context.settings), now: context.now)
    return try identity(signIn.claims, context.settings)
  }

  func identity(_ claims: IDTokenClaims, _ settings: ProviderSettings) throws -> VerifiedIdentity {
    try checkHostedDomain(claims.all["hd"], settings)
    return VerifiedIdentity(id, token: claims)
  }

  /// Refuses accounts outside the configured Workspace domains.
  func checkHostedDomain(_ domain: JSONValue?, _ settings: ProviderSettings) throws(AuthError) {
    let domains = settings.list("hostedDomains")
    guard !domains.isEmpty else { return }
    guard let domain = domain?.stringValue, domains.contains(where: { $0 == domain }) else {
      throw AuthError(
        .invalidCredential, "The Google account is not in a Workspace domain that may sign in.",
        field: "hd", remedy: "Sign in with an account of your organization.", step: .token)
    }
  }

  func declaration(_ settings: ProviderSettings) throws -> IDTokenDeclaration {
    IDTokenDeclaration(
      issuers: Self.issuers, audiences: try settings.requiredList("clientIDs"),
      keys: .jwks(
        url: settings.endpoint("keys", usually: "https://www.googleapis.com/oauth2/v3/certs")),
      algorithms: [.rs256], nonce: NonceRule(.optional, form: .either),
      privateHosts: settings.privateHosts)
  }
}
