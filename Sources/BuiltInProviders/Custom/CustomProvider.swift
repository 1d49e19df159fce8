public import AuthCore

/// Signs in by custom token: a server that the admin trusts names the account.
///
/// A custom token can be used until it expires, as in Firebase; it lives an hour at most.
public struct CustomProvider: AuthProvider {
  /// The ID `custom`.
  public let id = ProviderID.custom
  private let verifier: IDTokenVerifier
  private let serviceAccounts: ServiceAccountKeys?

  /// Looks up the public keys of a project's service account by its address; empty if there is none.
  public typealias ServiceAccountKeys =
    @Sendable (_ issuer: String, _ project: String) async throws -> [String]

  /// Makes the provider, which makes no network requests: its keys are configured, or of service accounts.
  public init(keys: KeyCache, serviceAccounts: ServiceAccountKeys? = nil) {
    verifier = IDTokenVerifier(keys: keys)
    self.serviceAccounts = serviceAccounts
  }

  /// The provider's builder and configuration fields.
  public var manifest: ProviderManifest {
    ProviderManifest(
      name: "Custom token", kind: .custom,
      builders: [
        CredentialBuilder(
          "customToken",
          fields: [CredentialField("token", secret: true, "the token that your server made")])
      ],
      configuration: [
        ConfigurationField(
          "publicKeys", .names,
          "the issuers that may make tokens: each name with its key, PEM or JWK"),
        ConfigurationField(
          "signingKey", .secret, "the key that this server makes tokens with itself, as PEM"),
        ConfigurationField("issuer", .text, "the name in tokens made with the signing key"),
      ])
  }

  /// Verifies a custom token; every refusal is `invalid-custom-token`.
  ///
  /// Throws `operation-not-allowed` if no issuer is configured and no service account that may sign tokens made it.
  public func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    guard credential.builder == "customToken" else { throw credential.unknownBuilder }
    let token = try credential.required("token")
    // Read before the check only to choose the key that has to pass it.
    let parts = CompactToken(token)
    guard let parts, let issuer = parts.claims?["iss"]?.stringValue, !issuer.isEmpty else {
      guard context.settings.isConfigured else { throw Self.notConfigured }
      throw Self.refusal("This is no custom token.")
    }
    var key = try Self.key(of: issuer, context.settings)
    if key == nil {
      key = try await serviceAccountKey(of: issuer, for: parts, context.scope)
    }
    guard let key else {
      guard context.settings.isConfigured else { throw Self.notConfigured }
      throw Self.refusal("The custom token's issuer is not configured.", field: "iss")
    }
    let claims: IDTokenClaims
    do {
      claims = try await verifier.verify(
        token, by: Self.declaration(issuer, key), nonce: nil, now: context.now)
    } catch let error as AuthError where Self.refusals.contains(error.code) {
      throw Self.refusal(
        error.message.replacing("ID token", with: "custom token"),
        field: error.field == "idToken" ? "token" : error.field)
    }
    return try identity(claims, context.scope)
  }

  /// The verifier's codes for a refused token.
  private static let refusals: Set<AuthError.Code> = [.invalidCredential, .missingOrInvalidNonce]

  /// Declares that only the issuer's own key verifies its tokens.
  private static func declaration(_ issuer: String, _ key: String) -> IDTokenDeclaration {
    IDTokenDeclaration(
      issuers: [issuer], audiences: [CustomTokenIssuer.audience], keys: .fixed([key]),
      algorithms: SigningKey.algorithms, nonce: NonceRule(.none, form: .plain))
  }

  /// Checks the rules that only custom tokens have.
  private func identity(_ token: IDTokenClaims, _ scope: Scope) throws -> VerifiedIdentity {
    guard token.subject.isExactly(token.issuer) else {
      throw Self.refusal("The subject of a custom token is its issuer.", field: "sub")
    }
    let lifetime = token.expiresAt.milliseconds - token.issuedAt.milliseconds
    guard lifetime <= CustomTokenIssuer.maximumLifetime * 1000 else {
      throw Self.refusal("The custom token lives for more than an hour.", field: "exp")
    }
    guard (token.all["tenant_id"] ?? .null) == .optional(scope.tenant) else {
      throw Self.refusal("The custom token is for another tenant.", field: "tenant_id")
    }
    guard let uid = token.all["uid"]?.stringValue,
      let account = try? AccountID(validating: uid)
    else {
      throw Self.refusal("The uid is text of 1 to 128 printable characters.", field: "uid")
    }
    var identity = VerifiedIdentity(
      provider: id, key: nil, claims: try Self.claims(token.all["claims"]))
    identity.account = account
    return identity
  }

  /// Reads the claims of the session, by the rules for an account's custom claims.
  private static func claims(_ value: JSONValue?) throws(AuthError) -> JSONValue {
    guard let value, value != .null else { return .object([:]) }
    guard case .object(let members) = value else {
      throw refusal("The claims of a custom token are one JSON object.", field: "claims")
    }
    do {
      return .object(try CustomClaims(members).members)
    } catch {
      throw refusal(error.message, field: "claims")
    }
  }

  /// The key of an issuer; nil if the issuer may make no tokens.
  private static func key(of issuer: String, _ settings: ProviderSettings) throws -> String? {
    if let text = settings.text(issuer, of: "publicKeys") {
      return try PublicKeyText(text, field: "publicKeys").text
    }
    guard let signingKey = try settings.secret("signingKey"), !signingKey.reveal().isEmpty,
      try settings.required("issuer") == issuer
    else { return nil }
    return try SigningKey(pem: signingKey, field: "signingKey").jwk.text
  }

  /// The key of a service account that signed a token, or another one of its keys; nil if there is no such account.
  ///
  /// Tokens of some SDKs name no key, and an account has several ones for a while.
  private func serviceAccountKey(
    of issuer: String, for token: CompactToken, _ scope: Scope
  ) async throws -> String? {
    let keys = try await serviceAccounts?(issuer, scope.project) ?? []
    let signer = keys.first { text in
      let checker = (try? JSONValue(text: text)).flatMap {
        VerificationKey(jwk: $0)?.checkers[.rs256]
      }
      return checker?.accepts(token.signature, of: token.signedPart) ?? false
    }
    return signer ?? keys.last
  }

  private static let notConfigured = AuthError(
    .operationNotAllowed,
    "No service account that may sign custom tokens made this one, and no other issuer is configured.",
    field: "publicKeys",
    remedy:
      "Use the file of a service account with the scope accounts:write that is not revoked, or set an issuer with "
      + "providers.configure(\"custom\", { publicKeys = { [\"ISSUER\"] = \"PEM\" } }).",
    step: .credential)

  private static func refusal(_ message: String, field: String? = nil) -> AuthError {
    AuthError(
      .invalidCustomToken, message, field: field, remedy: "Have your server make a new token.",
      step: .token)
  }
}
