/// The session that a verified credential opens.
struct CredentialSession: Sendable {
  let path: SignInPath
  /// The second factor that was shown with the credential.
  let factor: SessionGrant.Factor?
  /// The provider's data for this session alone, as from a SAML assertion; or null.
  let attributes: JSONValue

  init(
    _ path: SignInPath, showing factor: SessionGrant.Factor? = nil,
    telling attributes: JSONValue = .null
  ) {
    self.path = path
    self.factor = factor
    self.attributes = attributes
  }

  /// Returns the function that allows the session after the decision on the credential.
  func allow(for identity: VerifiedIdentity, _ quirks: EmulatorQuirks) -> Verdict.Allow {
    { account, verdict throws(AuthError) in
      try SessionGrant.allow(
        path, account, provider: identity.provider, identity: identity.key, at: verdict.at,
        isNoted: true, shown: factor, claims: claims(of: identity, verdict.sessionClaims),
        quirks: quirks)
    }
  }

  /// Returns the claims of the session: the provider's with those of the app's functions, or a custom token's.
  private func claims(of identity: VerifiedIdentity, _ said: JSONValue?) -> JSONValue {
    guard case .object(var claims) = attributes else {
      return said ?? (identity.account == nil ? .null : identity.claims)
    }
    if case .object(let said)? = said { claims.merge(said) { own, _ in own } }
    return .object(claims)
  }
}
