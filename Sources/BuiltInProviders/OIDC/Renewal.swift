package import AuthCore

/// A vendor's answer to a refresh token.
package enum Renewal: Sendable {
  case token(IDTokenClaims, accessToken: Secret<String>?)
  /// The answer of the userinfo endpoint, for a vendor that gave no new ID token (OpenID Connect Core 12.2).
  case userInfo(subject: String, JSONValue)
}

extension IDTokenVerifier {
  /// Renews an identity's claims; the caller compares the subject with the known one.
  package func renew(
    _ refreshToken: Secret<String>, at client: OAuthClient, by declaration: IDTokenDeclaration,
    now: Timestamp
  ) async throws -> Renewal {
    let tokens = try await client.refresh(refreshToken)
    if let idToken = tokens.idToken {
      var declaration = declaration
      // The token comes straight from the vendor and answers no request that has a nonce.
      declaration.nonce = NonceRule(.ignored, form: .plain)
      let claims = try await verify(
        idToken.reveal(), by: declaration, nonce: nil,
        accessToken: tokens.accessToken?.reveal(), now: now)
      return .token(claims, accessToken: tokens.accessToken)
    }
    guard let accessToken = tokens.accessToken, client.endpoints.userInfo != nil else {
      throw AuthError(
        .invalidCredential, "The vendor renewed the sign-in without a subject.",
        remedy: "Sign in with the provider again.", step: .exchange)
    }
    let profile = try await client.userInfo(accessToken: accessToken, expectedSubject: nil)
    guard let subject = profile["sub"]?.stringValue, !subject.isEmpty else {
      throw AuthError(
        .invalidCredential, "The vendor's profile has no subject.", field: "sub",
        remedy: "Sign in with the provider again.", step: .profile)
    }
    return .userInfo(subject: subject, profile)
  }
}
