package import AuthCore

extension ProviderDeclaration {
  /// Facebook, by access token, Limited Login or authorization code.
  ///
  /// The identity is the user ID that Facebook made for the app. Facebook does not say whether an address belongs to
  /// the person, so no address counts as verified. Documentation: developers.facebook.com/docs/facebook-login.
  package static var facebook: ProviderDeclaration {
    let issuer = "https://www.facebook.com"
    // The proof that our app sent a token: its HMAC under the app's secret.
    let proof: @Sendable (Secret<String>, any ProviderSession) throws -> [String: String] = {
      ["proof": try $1.settings.requiredSecret("appSecret").proof(of: $0)]
    }
    var facebook = ProviderDeclaration(
      .facebook,
      ProviderManifest(
        name: "Facebook", kind: .oauth2,
        builders: [.accessToken, .idToken("limitedLogin", needsNonce: true), .code],
        hosts: ["graph.facebook.com", "limited.facebook.com", "www.facebook.com"],
        issuers: [issuer],
        configuration: [
          // Facebook gives a person a different ID for each app.
          ConfigurationField("appID", .text, required: true, namesSubjects: true, "the app's ID"),
          ConfigurationField(
            "appSecret", .secret, "the app's secret; not needed for Limited Login alone"),
          ConfigurationField(
            "graphVersion", .text, "the version of the Graph API; \(GraphVersion.usual) by default"
          ),
          .endpoints(["authorize", "token", "debugToken", "me", "permissions", "keys"]),
          .privateHosts, .events,
        ]))
    facebook.values = { ["graph": try GraphVersion.configured($0)] }
    facebook.client = { _, session, _ in
      let secret = try session.settings.requiredSecret("appSecret")
      return (try session.settings.required("appID"), .body(secret))
    }
    facebook.browser = BrowserRule(
      authorize: "https://www.facebook.com/{graph}/dialog/oauth",
      token: "https://graph.facebook.com/{graph}/oauth/access_token",
      scopes: ["public_profile", "email"])
    facebook.idToken = IDTokenRule(
      issuers: { _ in [issuer] },
      keys: "https://limited.facebook.com/.well-known/oauth/openid/jwks/", nonce: .required
    ) { session, _ in [try session.settings.required("appID")] }
    facebook.idToken?.builder = "limitedLogin"
    facebook.events = .facebook
    facebook.callbackIssuer = { _ in issuer }
    var inspection = TokenInspection(
      request: RequestTemplate(
        "https://graph.facebook.com/{graph}/debug_token",
        query: ["input_token": "{token}", "access_token": "{appID}|{secret}"]),
      endpoint: "debugToken", envelope: "data", clients: ["app_id"], subject: "user_id",
      validity: "is_valid", kind: ("type", "USER"), expiry: "expires_at", hasNumbers: true)
    inspection.values = { ["secret": try $0.settings.requiredSecret("appSecret").reveal()] }
    facebook.app = inspection.check { [try $0.settings.required("appID")] }
    facebook.app?.includesCodes = true
    facebook.userInfo.endpoint = "me"
    facebook.userInfo.request = RequestTemplate(url: "https://graph.facebook.com/{graph}/me")
    facebook.userInfo.request?.query = [
      "fields": "id,name,email,picture", "appsecret_proof": "{proof}",
    ]
    facebook.userInfo.values = proof
    facebook.identity = { answer, _ in
      guard let profile = answer.userInfo else {
        var identity = try answer.standardIdentity(.facebook)
        identity.emailVerified = false
        return identity
      }
      let key = IdentityKey(.facebook, subject: profile["id"]?.identifier ?? "")
      var identity = VerifiedIdentity(provider: .facebook, key: key, claims: profile)
      identity.profile.displayName = PersonName.said(profile["name"])
      identity.profile.photoURL = PersonName.said(profile["picture"]?["data"]?["url"])
      identity.setEmail(profile["email"]?.stringValue, verified: false)
      return identity
    }
    var permissions = RequestTemplate(url: "https://graph.facebook.com/{graph}/me/permissions")
    permissions.method = .delete
    permissions.query = ["appsecret_proof": "{proof}"]
    facebook.revocation = .confirmed(
      by: "success", permissions, at: "permissions", values: proof)
    return facebook
  }
}

extension ProviderID {
  package static let facebook = ProviderID("facebook.com")
}
