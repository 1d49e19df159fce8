package import AuthCore

/// The result of an authorization code: the verified claims and the vendor's tokens.
package struct CodeSignIn: Sendable {
  package let claims: IDTokenClaims
  package let tokens: TokenResponse
}

extension IDTokenVerifier {
  /// Exchanges the authorization code of a credential and verifies the ID token that comes back.
  ///
  /// The nonce of the request is required here: without it, a stolen or planted code would be accepted (OpenID
  /// Connect Core 3.1.3.7).
  package func signIn(
    with credential: Credential, at client: OAuthClient, by declaration: IDTokenDeclaration,
    now: Timestamp
  ) async throws -> CodeSignIn {
    let code = try credential.required("code")
    let redirectURI = try credential.required("redirectURI")
    let nonce = try credential.required("nonce")
    var declaration = declaration
    declaration.nonce = NonceRule(.required, form: .plain)
    let tokens = try await client.exchange(
      code: code, redirectURI: redirectURI, codeVerifier: credential.optional("codeVerifier"))
    guard let idToken = tokens.idToken else { throw Self.noIDToken(credential.provider) }
    let claims = try await verify(
      idToken.reveal(), by: declaration, nonce: nonce,
      accessToken: tokens.accessToken?.reveal(), now: now)
    return CodeSignIn(claims: claims, tokens: tokens)
  }

  private static func noIDToken(_ provider: ProviderID) -> AuthError {
    AuthError(
      .invalidCredential, "\(provider) gave no ID token for the authorization code.",
      remedy: "Ask for the scope openid.", step: .exchange)
  }
}

extension OAuthClient {
  /// Revokes a token, or both tokens that an authorization code is exchanged for.
  package func revoke(_ token: RevocationToken, defaultRedirectURI: String? = nil) async throws {
    switch token {
    case .accessToken(let token): try await revoke(token, hint: "access_token")
    case .refreshToken(let token): try await revoke(token, hint: "refresh_token")
    case .authorizationCode(let code, let redirectURI):
      let tokens = try await exchange(
        code: code.reveal(), redirectURI: redirectURI ?? defaultRedirectURI ?? "",
        codeVerifier: nil)
      // The refresh token first, because it could renew the other.
      if let refreshToken = tokens.refreshToken {
        try await revoke(refreshToken, hint: "refresh_token")
      }
      if let accessToken = tokens.accessToken {
        try await revoke(accessToken, hint: "access_token")
      }
    }
  }
}

extension IdentityKey {
  /// Checks that a renewed identity has the same key; throws `user-mismatch`.
  package func requireSame(_ renewed: IdentityKey) throws(AuthError) {
    guard self == renewed else {
      throw AuthError(
        .userMismatch, "\(provider) renewed the sign-in of another subject.", field: "sub",
        remedy: "Sign in again with the provider.", step: .token)
    }
  }
}
