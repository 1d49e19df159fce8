public import AuthCore

/// Decides whether an ID token is genuine; the only place that does.
///
/// It executes an ``IDTokenDeclaration`` and refuses what is not declared (OpenID Connect Core 3.1.3.7,
/// RFC 8725). The token itself never says where keys come from: no request goes to an address in it.
public struct IDTokenVerifier: Sendable {
  private let keys: KeyCache

  public init(keys: KeyCache) {
    self.keys = keys
  }

  /// Verifies a token.
  ///
  /// - Parameters:
  ///   - token: a compact JWS of up to 16 KiB.
  ///   - declaration: what the token has to say.
  ///   - nonce: the nonce as the credential gives it, before any hashing.
  ///   - accessToken: what the token's `at_hash` has to fit to, where it has one.
  ///   - now: the time to compare `exp`, `nbf` and `iat` with.
  /// - Returns: the claims.
  /// - Throws: `invalid-credential` naming the claim or header member at fault,
  ///   `missing-or-invalid-nonce`, or `network-request-failed` where the issuer's keys cannot be had;
  ///   all of them at the step `token`.
  public func verify(
    _ token: String, by declaration: IDTokenDeclaration, nonce: String?,
    accessToken: String? = nil, now: Timestamp
  ) async throws -> IDTokenClaims {
    let parts = try AdmittedToken(token, algorithms: declaration.algorithms)
    let check = ClaimCheck(parts, declaration, now: now)
    // Before the signature, so that a token of a foreign issuer makes nobody fetch keys.
    let issuer = try check.issuer()
    let checker = try await keys.checker(
      declaration.keys, parts.keyID, parts.algorithm, privateHosts: declaration.privateHosts)
    guard checker.accepts(parts.signature, of: parts.signedPart) else {
      throw AuthError.refusedToken(
        "The ID token's signature is not its issuer's.", field: "idToken",
        remedy: "Pass the token on as the provider gave it.")
    }
    try check.nonce(given: nonce)
    if let accessToken { try check.accessTokenHash(accessToken) }
    return try check.claims(issuer: issuer)
  }
}
