package import AuthCore

/// What a vendor says when it is asked again with a refresh token.
package enum Renewal: Sendable {
  case token(IDTokenClaims, accessToken: Secret<String>?)
  /// A vendor need not give an ID token again (OpenID Connect Core 12.2); then its userinfo endpoint is asked.
  case userInfo(subject: String, JSONValue)
}

extension IDTokenVerifier {
  /// Renews what a vendor said; the caller compares the subject with the one that it knows.
  package func renew(
    _ refreshToken: Secret<String>, at client: OAuthClient, by declaration: IDTokenDeclaration,
    now: Timestamp
  ) async throws -> Renewal {
    let tokens = try await client.refresh(refreshToken)
    if let idToken = tokens.idToken {
      var declaration = declaration
      // The token comes straight from the vendor, for no request that a nonce could belong to.
      declaration.nonce = NonceRule(.ignored, form: .plain)
      let claims = try await verify(
        idToken.reveal(), by: declaration, nonce: nil,
        accessToken: tokens.accessToken?.reveal(), now: now)
      return .token(claims, accessToken: tokens.accessToken)
    }
    guard let accessToken = tokens.accessToken, client.endpoints.userInfo != nil else {
      throw AuthError(
        .invalidCredential, "The vendor renewed the sign-in without saying whose it is.",
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
