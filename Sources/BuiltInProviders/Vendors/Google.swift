import AuthCore

extension ProviderDeclaration {
  /// Google, by ID token, access token or authorization code.
  ///
  /// The token's `sub` identifies the person, never an address. Documentation:
  /// developers.google.com/identity/openid-connect.
  package static var google: ProviderDeclaration {
    // The two spellings of Google's one issuer.
    let issuers = ["https://accounts.google.com", "accounts.google.com"]
    var google = ProviderDeclaration(
      .google,
      ProviderManifest(
        name: "Google", kind: .oidc,
        builders: [.idToken(takesAccessToken: true), .accessToken, .code],
        hosts: [
          "accounts.google.com", "oauth2.googleapis.com", "openidconnect.googleapis.com",
          "www.googleapis.com",
        ],
        issuers: issuers,
        configuration: [
          ConfigurationField(
            "clientIDs", .list, required: true,
            "the client IDs of all your apps; the first one is used for authorization codes"),
          ConfigurationField("clientSecret", .secret, "the first client's secret"),
          ConfigurationField(
            "hostedDomains", .list, "the only Workspace domains whose members may sign in"),
          .endpoints(["authorize", "token", "keys", "tokenInfo", "userInfo", "revocation", "risc"]),
          .privateHosts, .events,
        ]))
    google.client = { use, session, _ in
      let id = try session.settings.requiredList("clientIDs")[0]
      return use == .revoke
        ? (id, .none) : (id, .body(try session.settings.requiredSecret("clientSecret")))
    }
    var browser = BrowserRule(
      authorize: "https://accounts.google.com/o/oauth2/v2/auth",
      token: "https://oauth2.googleapis.com/token", scopes: ["openid", "email", "profile"])
    // Helps the person to choose the right account; the check is on the claim in the token.
    browser.defaults = { session in
      let domains = session.settings.list("hostedDomains")
      return domains.count == 1 ? [("hd", domains[0])] : []
    }
    google.browser = browser
    google.idToken = IDTokenRule(
      issuers: { _ in issuers }, keys: "https://www.googleapis.com/oauth2/v3/certs"
    ) { session, _ in try session.settings.requiredList("clientIDs") }
    google.callbackIssuer = { _ in issuers[0] }
    let inspection = TokenInspection(
      request: RequestTemplate(
        "https://oauth2.googleapis.com/tokeninfo", query: ["access_token": "{token}"]),
      endpoint: "tokenInfo", clients: ["aud", "azp"], subject: "sub", secondsLeft: "expires_in")
    google.app = inspection.check { try $0.settings.requiredList("clientIDs") }
    google.userInfo.request = RequestTemplate(
      url: "https://openidconnect.googleapis.com/v1/userinfo")
    google.userInfo.isStandard = true
    google.revocation = .standard("https://oauth2.googleapis.com/revoke")
    google.renewal = .standard
    google.events = .google
    google.identity = { answer, session in
      let domains = session.settings.list("hostedDomains")
      guard domains.isEmpty || answer.profile["hd"]?.stringValue.map(domains.contains) == true
      else {
        throw AuthError(
          .invalidCredential, "The Google account is not in a Workspace domain that may sign in.",
          field: "hd", remedy: "Sign in with an account of your organization.", step: .token)
      }
      return try answer.standardIdentity(.google)
    }
    return google
  }
}
