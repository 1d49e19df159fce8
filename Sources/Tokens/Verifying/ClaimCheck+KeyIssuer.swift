import AuthCore

extension ClaimCheck {
  /// Checks that the key which signed the token signs for the token's issuer, if the declaration asks for that.
  ///
  /// Microsoft's documentation of access tokens asks for it: a key of the consumers' tenant signs no token of an
  /// organisation, although all tenants publish one key set.
  func keyIssuer(_ issuers: Set<String>?, issuer: String) throws(AuthError) {
    guard declaration.keyIssuer == .sameAsToken, let issuers else { return }
    let tenant = token.claims["tid"]?.stringValue
    let isAllowed = issuers.contains { named in
      guard named.contains(Self.tenantPlace) else { return named.isExactly(issuer) }
      guard let tenant, !tenant.isEmpty else { return false }
      return named.replacing(Self.tenantPlace, with: tenant).isExactly(issuer)
    }
    guard isAllowed else {
      throw .refusedToken(
        "The key that signed the ID token is for another issuer.", field: "kid",
        remedy: "Sign in again, or check the issuer and the keys that are configured.")
    }
  }

  private static let tenantPlace = "{tenantid}"
}
