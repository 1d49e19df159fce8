import AuthCore

/// The parts that most declarations in Swift share.
extension CredentialBuilder {
  static let code = CredentialBuilder(
    AuthorizationGrant.builderName, fields: AuthorizationGrant.credentialFields)

  static let accessToken = CredentialBuilder(
    "accessToken",
    fields: [CredentialField("accessToken", secret: true, "an access token of the app")])

  static func idToken(
    _ name: String = "idToken", needsNonce: Bool = false, takesAccessToken: Bool = false
  ) -> CredentialBuilder {
    let token = CredentialField(
      "idToken", secret: true, "the ID token that the provider gave the app")
    let nonce = CredentialField(
      "nonce", secret: true, required: needsNonce, "the raw nonce of the request")
    let accessToken = CredentialField(
      "accessToken", secret: true, required: false, "the access token from the same sign-in")
    return CredentialBuilder(
      name, fields: takesAccessToken ? [token, accessToken, nonce] : [token, nonce])
  }

  func adding(_ field: CredentialField) -> CredentialBuilder {
    CredentialBuilder(name, fields: fields + [field])
  }
}

extension IDTokenRule {
  /// Tokens that are signed with RS256; `audiences` gets true for a token that came from the vendor itself.
  init(
    issuers: @escaping @Sendable (any ProviderSession) throws -> [String], keys: URLTemplate,
    nonce: NonceRule.Presence = .optional, textBooleans: Bool = false,
    audiences: @escaping @Sendable (any ProviderSession, _ isExchanged: Bool) throws -> [String]
  ) {
    self.init(keys: keys) { token, session in
      IDTokenDeclaration(
        issuers: try issuers(session), audiences: try audiences(session, token.isExchanged),
        keys: token.keys, algorithms: [.rs256], nonce: NonceRule(nonce, form: .either),
        booleansMayBeText: textBooleans, privateHosts: session.privateHosts)
    }
  }
}
