public import AuthCore

/// Signs in with a Facebook account, by access token, Limited Login or authorization code.
///
/// The identity is the user ID that Facebook made for the app. Facebook does not say whether an address belongs to
/// the person, so no address counts as verified. Documentation: developers.facebook.com/docs/facebook-login.
public struct FacebookProvider: AuthProvider {
  /// The ID `facebook.com`.
  public let id = ProviderID("facebook.com")
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
      name: "Facebook", kind: .oauth2, builders: Self.builders,
      hosts: ["graph.facebook.com", "limited.facebook.com", "www.facebook.com"],
      issuers: [Self.issuer],
      configuration: [
        // Facebook gives a person a different ID for each app.
        ConfigurationField("appID", .text, required: true, namesSubjects: true, "the app's ID"),
        ConfigurationField(
          "appSecret", .secret, "the app's secret; not needed for Limited Login alone"),
        ConfigurationField(
          "graphVersion", .text, "the version of the Graph API; \(Self.usualVersion) by default"),
        .endpoints(["authorize", "token", "debugToken", "me", "permissions", "keys"]),
        .privateHosts,
      ])
  }

  static let issuer = "https://www.facebook.com"
  private static let usualVersion = "v19.0"

  private static let builders = [
    CredentialBuilder(
      "accessToken",
      fields: [CredentialField("accessToken", secret: true, "a user's access token for the app")]),
    CredentialBuilder(
      "limitedLogin",
      fields: [
        CredentialField("idToken", secret: true, "the ID token of Limited Login"),
        CredentialField("nonce", secret: true, "the raw nonce of the request"),
      ]),
    CredentialBuilder(
      AuthorizationGrant.builderName, fields: AuthorizationGrant.credentialFields),
  ]

  /// Verifies a Facebook credential.
  ///
  /// Throws `invalid-credential`, `missing-or-invalid-nonce`, `network-request-failed`, and `operation-not-allowed`
  /// if the provider is not set up.
  public func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    switch credential.builder {
    case "accessToken":
      let token = Secret(try credential.required("accessToken"))
      return try await graph(context.settings).identity(of: token, now: context.now)
    case "limitedLogin":
      let token = try credential.required("idToken")
      let claims = try await verifier.verify(
        token, by: try declaration(context.settings), nonce: try credential.required("nonce"),
        now: context.now)
      return identity(claims)
    case AuthorizationGrant.builderName:
      return try await verifyCode(credential, context)
    default:
      throw credential.unknownBuilder
    }
  }

  /// Exchanges the code; if an ID token comes too, both tokens have to be about the same person.
  private func verifyCode(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let settings = context.settings
    let code = try credential.required("code")
    let redirectURI = try credential.required("redirectURI")
    let tokens = try await client(settings).exchange(
      code: code, redirectURI: redirectURI, codeVerifier: credential.optional("codeVerifier"))
    guard let accessToken = tokens.accessToken else {
      throw AuthError(
        .invalidCredential, "Facebook gave no access token for the authorization code.",
        remedy: "Sign in with Facebook again.", step: .exchange)
    }
    var identity = try await graph(settings).identity(of: accessToken, now: context.now)
    if let idToken = tokens.idToken {
      var declaration = try declaration(settings)
      declaration.nonce = NonceRule(.required, form: .plain)
      let claims = try await verifier.verify(
        idToken.reveal(), by: declaration, nonce: try credential.required("nonce"),
        accessToken: accessToken.reveal(), now: context.now)
      guard identity.key?.subject.isExactly(claims.subject) == true else {
        throw AuthError(
          .invalidCredential, "Facebook's two tokens belong to different people.", field: "sub",
          remedy: "Sign in with Facebook again.", step: .token)
      }
      identity.uses = claims.uses
    }
    return identity
  }

  private func identity(_ claims: IDTokenClaims) -> VerifiedIdentity {
    var identity = VerifiedIdentity(id, token: claims)
    // Facebook promises nothing about addresses, so the claim does not count.
    identity.emailVerified = false
    return identity
  }

  func declaration(_ settings: ProviderSettings) throws -> IDTokenDeclaration {
    IDTokenDeclaration(
      issuers: [Self.issuer], audiences: [try settings.required("appID")],
      keys: .jwks(
        url: settings.endpoint(
          "keys", usually: "https://limited.facebook.com/.well-known/oauth/openid/jwks/")),
      algorithms: [.rs256], nonce: NonceRule(.required, form: .either),
      privateHosts: settings.privateHosts)
  }

  /// The configured version; throws `operation-not-allowed` if it is malformed.
  static func version(_ settings: ProviderSettings) throws(AuthError) -> String {
    let version = settings.text("graphVersion") ?? usualVersion
    guard version.wholeMatch(of: /v[0-9]{1,3}\.[0-9]{1,3}/) != nil else {
      throw AuthError(
        .operationNotAllowed, "The version of the Graph API has another shape.",
        field: "graphVersion", remedy: "Write it as \(usualVersion).", step: .credential)
    }
    return version
  }
}
