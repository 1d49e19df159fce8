package import AuthCore

/// A vendor's verified answer about a person, before it becomes an identity.
package struct VendorAnswer: Sendable {
  package var credential: Credential?
  /// The claims of the ID token, if there is one.
  package var claims: IDTokenClaims?
  /// The issuer in the identity's key.
  package var issuer = ""
  /// The answer of the userinfo endpoint, if it was asked.
  package var userInfo: JSONValue?
  package var accessToken: Secret<String>?
  /// The answer of the token endpoint, if there was a code or a refresh token.
  package var tokens: TokenResponse?

  /// The claims and the userinfo together; the signed claims win.
  package var profile: JSONValue {
    guard let claims else { return userInfo ?? .object([:]) }
    let said = claims.all.removing(VerifiedIdentity.transportClaims)
    return userInfo.map { said.claims(over: $0) } ?? said
  }

  /// Makes the identity from standard claims; throws `invalid-credential` if there is no subject.
  package func standardIdentity(_ id: ProviderID) throws(AuthError) -> VerifiedIdentity {
    guard let claims else {
      guard let subject = userInfo?["sub"]?.stringValue, !subject.isEmpty, let userInfo else {
        throw AuthError(
          .invalidCredential, "The vendor's profile has no subject.", field: "sub",
          remedy: "Sign in with the provider again.", step: .profile)
      }
      var identity = VerifiedIdentity(
        provider: id, key: IdentityKey(id, subject: subject), claims: userInfo)
      identity.complete(with: userInfo)
      return identity
    }
    var identity = VerifiedIdentity(id, issuer: issuer, token: claims)
    if let userInfo { identity.complete(with: userInfo) }
    return identity
  }
}
