public import AuthCore

/// Signs in with Apple, by ID token or authorization code.
///
/// The identity is the token's `sub`, which Apple issues for a developer team. A relay address is the account's
/// address, as in Firebase, and matches on Apple's word alone (``TrustPolicy/trusts(_:for:)``). Documentation:
/// developer.apple.com/documentation/signinwithapplerestapi.
public struct AppleProvider: AuthProvider {
  /// The ID `apple.com`.
  public let id = ProviderID.apple
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
      name: "Apple", kind: .oidc, builders: Self.builders, hosts: ["appleid.apple.com"],
      issuers: [Self.usualIssuer],
      configuration: [
        ConfigurationField(
          "clientIDs", .list, required: true, "the bundle IDs and service IDs of your apps"),
        ConfigurationField(
          "serviceID", .text,
          "the service ID for sign-in in a browser; by default the first of clientIDs"),
        ConfigurationField("teamID", .text, "your team's ID; needed for codes and revoking"),
        ConfigurationField("keyID", .text, "the ID of the private key"),
        ConfigurationField("privateKey", .secret, "the private key of Apple's .p8 file"),
        .endpoints(["authorize", "token", "keys", "revocation", "issuer"]),
        .privateHosts,
      ])
  }

  static let usualIssuer = "https://appleid.apple.com"

  private static let builders = [
    CredentialBuilder(
      "idToken",
      fields: [
        CredentialField("idToken", secret: true, "the ID token that Apple gave the app"),
        CredentialField("nonce", secret: true, "the raw nonce of the request"),
        fullName,
      ]),
    CredentialBuilder(
      AuthorizationGrant.builderName, fields: AuthorizationGrant.credentialFields + [fullName]),
  ]

  private static let fullName = CredentialField(
    "fullName", required: false, "the name, which Apple sends only once")

  /// Verifies an Apple credential.
  ///
  /// Throws `invalid-credential`, `missing-or-invalid-nonce`, `network-request-failed`, and `operation-not-allowed`
  /// if the provider is not set up.
  public func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let settings = context.settings
    switch credential.builder {
    case "idToken":
      let token = try credential.required("idToken")
      let nonce = try credential.required("nonce")
      let claims = try await verifier.verify(
        token, by: try declaration(settings, audiences: settings.requiredList("clientIDs")),
        nonce: nonce, now: context.now)
      return identity(claims, name: AppleName(credential.optional("fullName")))
    case AuthorizationGrant.builderName:
      let client = try client(settings, try serviceID(settings), now: context.now)
      let signIn = try await verifier.signIn(
        with: credential, at: client,
        by: try declaration(settings, audiences: [try serviceID(settings)]), now: context.now)
      return identity(signIn.claims, name: AppleName(credential.optional("fullName")))
    default:
      throw credential.unknownBuilder
    }
  }

  /// Makes the identity; for a relay address the claim `is_private_email` becomes a boolean.
  func identity(_ claims: IDTokenClaims, name: AppleName?) -> VerifiedIdentity {
    var identity = VerifiedIdentity(id, token: claims)
    identity.profile.displayName = name?.text ?? identity.profile.displayName
    let isRelay = claims.flag("is_private_email") || identity.profile.hasRelayAddress
    if isRelay, case .object(var members) = identity.claims {
      members["is_private_email"] = true
      identity.claims = .object(members)
    }
    return identity
  }

  func declaration(
    _ settings: ProviderSettings, audiences: [String]
  ) throws -> IDTokenDeclaration {
    IDTokenDeclaration(
      issuers: [settings.endpoint("issuer", usually: Self.usualIssuer)], audiences: audiences,
      keys: .jwks(
        url: settings.endpoint("keys", usually: "https://appleid.apple.com/auth/keys")),
      algorithms: [.rs256],
      // Apple's SDKs send the SHA-256 of the raw nonce; pages in a browser send the nonce itself.
      nonce: NonceRule(.required, form: .either), booleansMayBeText: true,
      privateHosts: settings.privateHosts)
  }
}
