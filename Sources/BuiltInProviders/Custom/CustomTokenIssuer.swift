public import AuthCore

/// Makes custom tokens, with which a developer's own server names the account to sign in.
///
/// The claims are those of Firebase's custom tokens, so that its Admin SDKs make the same ones:
/// firebase.google.com/docs/auth/admin/create-custom-tokens.
public struct CustomTokenIssuer: Sendable {
  /// The audience of every custom token, the same for every project.
  public static let audience =
    "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
  /// The longest lifetime of a custom token, in seconds.
  public static let maximumLifetime: Int64 = 3600

  /// The issuer that the tokens name.
  public let issuer: String
  private let key: SigningKey

  /// Makes an issuer from a private key in PEM, either on the curve P-256 (ES256) or of RSA (RS256).
  ///
  /// Throws `operation-not-allowed` for any other key.
  public init(issuer: String, privateKey: Secret<String>, keyID: String? = nil) throws {
    self.issuer = issuer
    key = try SigningKey(pem: privateKey, field: "privateKey", keyID: keyID ?? "")
  }

  /// Makes a token that signs in as the account, and creates the account if it does not exist.
  ///
  /// The lifetime is in seconds, at most ``maximumLifetime``. Throws `invalid-uid` for an account ID that no
  /// account can have, and `invalid-argument` for a lifetime that is not allowed.
  public func token(
    for account: AccountID, claims: CustomClaims? = nil, tenant: String? = nil, now: Timestamp,
    lifetime: Int64 = maximumLifetime
  ) throws -> Secret<String> {
    _ = try AccountID(validating: account.rawValue)
    guard (1...Self.maximumLifetime).contains(lifetime) else {
      throw AuthError(
        .invalidArgument, "A custom token lives for 1 to \(Self.maximumLifetime) seconds.",
        field: "lifetime", remedy: "Choose a lifetime inside that.")
    }
    let seconds = now.milliseconds / 1000
    var members: [String: JSONValue] = [
      "iss": .string(issuer), "sub": .string(issuer), "aud": .string(Self.audience),
      "iat": .integer(seconds), "exp": .integer(seconds + lifetime),
      "uid": .string(account.rawValue),
    ]
    members["claims"] = claims.map { .object($0.members) }
    members["tenant_id"] = tenant.map(JSONValue.string)
    return Secret(try key.sign(.object(members)))
  }

  /// The public key as JSON text (a JWK), for the configuration of the server that verifies the tokens.
  public var publicKey: String { key.jwk.text }
}
