public import AuthCore

/// Verifies ID tokens; every ID token passes through here.
///
/// It executes an ``IDTokenDeclaration`` and refuses what is not declared (OpenID Connect Core 3.1.3.7, RFC 8725).
/// The token itself never says where keys come from: no request goes to an address in it.
public struct IDTokenVerifier: Sendable {
  private let keys: KeyCache

  /// Makes a verifier; `keys` is the process's shared cache of public keys.
  public init(keys: KeyCache) {
    self.keys = keys
  }

  /// Verifies a token.
  ///
  /// - Parameters:
  ///   - token: a compact JWS of up to 16 KiB.
  ///   - declaration: the requirements of the token.
  ///   - nonce: the nonce as the credential gives it, before any hashing.
  ///   - accessToken: the access token that the token's `at_hash` has to match, if the token has one.
  ///   - code: the authorization code that came beside the token, which the token's `c_hash` has to match.
  ///   - now: the time to compare `exp`, `nbf` and `iat` with.
  /// - Returns: the claims.
  /// - Throws: `invalid-credential` naming the claim or header member at fault, `missing-or-invalid-nonce`, or
  ///   `network-request-failed` if the issuer's keys cannot be fetched; all of them at the step `token`.
  public func verify(
    _ token: String, by declaration: IDTokenDeclaration, nonce: String?,
    accessToken: String? = nil, code: String? = nil, now: Timestamp
  ) async throws -> IDTokenClaims {
    let parts = try AdmittedToken(token, algorithms: declaration.algorithms)
    let check = ClaimCheck(parts, declaration, now: now)
    // The issuer comes before the signature, so that a token of a foreign issuer causes no request for keys.
    let issuer = try check.issuer()
    let key = try await keys.key(of: parts, by: declaration)
    guard key.checker.accepts(parts.signature, of: parts.signedPart) else {
      throw AuthError.refusedToken(
        "The ID token's signature is not its issuer's.", field: "idToken",
        remedy: "Pass the token on as the provider gave it.")
    }
    try check.keyIssuer(key.issuers, issuer: issuer)
    try check.nonce(given: nonce)
    if let accessToken { try check.accessTokenHash(accessToken) }
    if let code { try check.codeHash(code) }
    return try check.claims(issuer: issuer)
  }
}
