import AuthCore

extension ProviderDeclaration {
  /// Apple, by ID token or authorization code.
  ///
  /// The identity is the token's `sub`, which Apple issues for a developer team. A relay address is the account's
  /// address, as in Firebase, and matches on Apple's word alone (``TrustPolicy/trusts(_:for:)``). Documentation:
  /// developer.apple.com/documentation/signinwithapplerestapi.
  package static var apple: ProviderDeclaration {
    let fullName = CredentialField(
      "fullName", required: false, "the name, which Apple sends only once")
    let host = "https://appleid.apple.com"
    var apple = ProviderDeclaration(
      .apple,
      ProviderManifest(
        name: "Apple", kind: .oidc,
        builders: [.idToken(needsNonce: true).adding(fullName), .code.adding(fullName)],
        hosts: ["appleid.apple.com"], issuers: [host],
        configuration: [
          ConfigurationField(
            "clientIDs", .list, required: true, "the bundle IDs and service IDs of your apps"),
          ConfigurationField(
            "serviceID", .text,
            "the service ID for sign-in in a browser; by default the first of clientIDs"),
          ConfigurationField("teamID", .text, "your team's ID; needed for codes and revoking"),
          ConfigurationField("keyID", .text, "the ID of the private key"),
          ConfigurationField("privateKey", .secret, "the private key of Apple's .p8 file"),
          .endpoints(["authorize", "token", "keys", "revocation", "issuer"]), .privateHosts,
          .events,
        ]))
    apple.client = { use, session, _ in
      let ids = try session.settings.requiredList("clientIDs")
      let service = session.settings.text("serviceID")
      var id = service ?? ids[0]
      // A code without a redirect URI was given to an app on a device.
      if use == .exchangeOfDevice { id = ids.first { $0 != service } ?? ids[0] }
      return (id, use == .authorize ? .none : .body(try secret(of: id, session)))
    }
    apple.browser = BrowserRule(
      authorize: "https://appleid.apple.com/auth/authorize",
      token: "https://appleid.apple.com/auth/token", scopes: ["openid", "email", "name"])
    // With a scope, Apple answers only by POST.
    apple.browser?.defaults = { _ in [("response_mode", "form_post")] }
    // Apple posts the name once, on the first sign-in.
    apple.browser?.optional = { callback in ["fullName": name(in: callback["user"])] }
    apple.idToken = IDTokenRule(
      // Apple's SDKs send the SHA-256 of the raw nonce; pages in a browser send the nonce itself.
      issuers: { [try issuer($0)] }, keys: "https://appleid.apple.com/auth/keys", nonce: .required,
      textBooleans: true
    ) { session, isExchanged in
      let ids = try session.settings.requiredList("clientIDs")
      return isExchanged ? [session.settings.text("serviceID") ?? ids[0]] : ids
    }
    apple.callbackIssuer = { try issuer($0) }
    apple.revocation = .standard("https://appleid.apple.com/auth/revoke")
    apple.renewal = .standard
    apple.events = .apple
    apple.identity = { answer, _ in
      var identity = try answer.standardIdentity(.apple)
      let name = name(in: answer.credential?.optional("fullName"))
      identity.profile.displayName = name ?? identity.profile.displayName
      let isRelay = answer.claims?.flag("is_private_email") == true
      if isRelay || identity.profile.hasRelayAddress, case .object(var claims) = identity.claims {
        claims["is_private_email"] = true
        identity.claims = .object(claims)
      }
      return identity
    }
    apple.check = { try $0.checkSigningKey("privateKey") }
    return apple
  }

  private static func issuer(_ session: any ProviderSession) throws -> String {
    try session.endpoint("issuer", usually: "https://appleid.apple.com")
  }

  private static func secret(
    of clientID: String, _ session: any ProviderSession
  ) throws -> Secret<String> {
    // Apple accepts lifetimes of up to six months.
    try SignedClientSecret(session: session, field: "privateKey").secret(
      issuer: session.settings.required("teamID"), clientID: clientID,
      audience: issuer(session), keyID: session.settings.required("keyID"))
  }

  /// A name as plain text, or in the JSON that Apple posts to a page as `user`.
  private static func name(in given: String?) -> String? {
    let user = given.flatMap { try? JSONValue(text: $0) }
    var parts = [given.map { JSONValue.string($0) }]
    if let user, case .object = user {
      parts = ["firstName", "middleName", "lastName"].map { user["name"]?[$0] }
    }
    return PersonName.joined(parts)?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
