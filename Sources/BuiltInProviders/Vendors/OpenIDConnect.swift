import AuthCore

extension ProviderDeclaration {
  /// An OpenID Connect provider that an admin configured, by ID token or authorization code.
  ///
  /// Endpoints and keys come from the configuration or from the issuer's discovery document (OpenID Connect Discovery
  /// 1.0), never from a token. The identity is the token's `sub`, which no configuration can change.
  static func openIDConnect(_ id: ProviderID) -> ProviderDeclaration {
    var openID = ProviderDeclaration(
      id,
      ProviderManifest(
        name: "OpenID Connect (\(id))", kind: .oidc,
        builders: [.idToken(takesAccessToken: true), .code], configuration: openIDSettings))
    openID.client = { _, session, document in
      (
        try session.settings.required("clientID"),
        try session.settings.clientAuthentication(
          offered: document?.tokenEndpointAuthMethods ?? [])
      )
    }
    openID.browser = BrowserRule()
    openID.browser?.scopes = { session in
      let scopes = session.settings.list("scopes")
      return scopes.isEmpty ? ["openid", "email", "profile"] : scopes
    }
    openID.discovery = DiscoveryRule { session in
      let issuer = try session.settings.required("issuer")
      _ = try session.settings.required("clientID")
      return issuer
    }
    openID.idToken = IDTokenRule(keys: nil) { token, session in
      let settings = session.settings
      let presence =
        settings.flag("requiresNonce") == true ? NonceRule.Presence.required : .optional
      return IDTokenDeclaration(
        issuers: [try settings.required("issuer")] + settings.list("otherIssuers"),
        audiences: [try settings.required("clientID")] + settings.list("audiences"),
        keys: token.keys,
        algorithms: try settings.signingAlgorithms(
          offered: token.document?.signingAlgorithms ?? []),
        nonce: NonceRule(presence, form: .either), privateHosts: session.privateHosts)
    }
    // Equal subjects of two issuers are two people, so every issuer but the first is part of the key.
    openID.idToken?.keyIssuer = { issuer, session in
      try session.settings.required("issuer").isExactly(issuer) ? "" : issuer
    }
    openID.userInfo.isStandard = true
    openID.userInfo.asks = .ifThin
    openID.callbackIssuer = { try $0.settings.required("issuer") }
    openID.revocation = .standard(nil)
    openID.renewal = .standard
    openID.events = .openIDConnect
    openID.check = { try $0.checkOpenID() }
    return openID
  }

  private static let openIDSettings = [
    ConfigurationField(
      "issuer", .url, required: true, namesSubjects: true,
      "the issuer, exactly as its tokens name it"),
    ConfigurationField(
      "otherIssuers", .list,
      "further issuers with the same keys; equal subjects of two issuers are different people"),
    // OpenID Connect Core 1.0, section 8: a pairwise subject differs for each client.
    ConfigurationField(
      "clientID", .text, required: true, namesSubjects: true,
      sharedIf: ConfigurationField.SharedSubjects("subjectType", is: "public"),
      "your client's ID"),
    ConfigurationField(
      "subjectType", .text,
      "public if the issuer gives all clients the same subjects; otherwise pairwise, the default"),
    ConfigurationField("audiences", .list, "further client IDs whose ID tokens are accepted"),
    ConfigurationField("clientSecret", .secret, "your client's secret, if it has one"),
    ConfigurationField(
      "clientAuthentication", .text, "none, basic or post; by default what the provider offers"),
    ConfigurationField(
      "algorithms", .list, "the signing algorithms; by default those that the provider offers"),
    ConfigurationField("requiresNonce", .flag, "refuses ID tokens without a nonce"),
    ConfigurationField(
      "scopes", .list, "the requested scopes, by default openid, email and profile"),
    ConfigurationField("displayName", .text, "the name that people see"),
    ConfigurationField(
      "responseType", .text, "code or idToken: what the project's clients sign in with"),
    .endpoints(["authorize", "token", "keys", "userInfo", "introspection", "revocation"]),
    .privateHosts, .issuerEvents,
  ]
}
