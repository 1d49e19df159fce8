import AuthCore

/// The paths and answers of ``FakeApple``.
struct AppleEndpoints: VendorEndpoints {
  let records: VendorRecords
  let configuration: FakeApple.Configuration

  func answer(_ request: VendorRequest) -> VendorResponse? {
    switch request.path {
    case "/.well-known/openid-configuration": discovery(document)
    case "/auth/keys": keySet(maximumAge: 3600)
    case "/auth/authorize": authorizationPage(request)
    case "/auth/token": exchange(request)
    case "/auth/revoke": revocation(request)
    default: attackerPages(request)
    }
  }

  func authorization(_ request: VendorRequest) throws(OAuthRefusal) -> AuthorizationAnswer {
    guard request.path == "/auth/authorize" else {
      throw OAuthRefusal("not_found", "This is not the authorization endpoint.", status: 404)
    }
    let scopes = request.query["scope"]?.split(separator: " ") ?? []
    guard
      !scopes.contains(where: { $0 == "name" || $0 == "email" })
        || request.query["response_mode"] == "form_post"
    else {
      throw OAuthRefusal(
        "invalid_request", "response_mode must be form_post when name or email is asked for.")
    }
    return try records.authorize(
      request,
      AuthorizationRules(
        responseTypes: ["code", "code id_token"], allowsFormPost: true, codePrefix: "c",
        denial: ["error": "user_cancelled_authorize"])
    ) { grant, code in extras(grant, code, request.query["response_type"]) }
  }

  func claims(for person: FakePerson, audience: String, nonce: String?) -> [String: JSONValue] {
    var claims = usualClaims(for: person, audience: audience, nonce: nonce)
    claims["name"] = nil
    claims["picture"] = nil
    claims["email_verified"] = person.emailVerified.map(flag)
    if person.email?.lowercased().hasSuffix("@privaterelay.appleid.com") == true {
      claims["is_private_email"] = flag(true)
    }
    claims["auth_time"] = claims["iat"]
    if nonce != nil { claims["nonce_supported"] = true }
    return claims
  }

  /// Returns the hash: apps that follow Apple's SDKs send the hash of their nonce, and the token repeats it.
  func nonceClaim(for rawNonce: String) -> String { FakeApple.hashed(nonce: rawNonce) }

  private func flag(_ value: Bool) -> JSONValue {
    switch configuration.flags {
    case .text: .string(value ? "true" : "false")
    case .boolean: .bool(value)
    }
  }

  /// The fields beside a code: the ID token if it was requested, and the name the first time.
  private func extras(
    _ grant: Grant, _ code: String, _ responseType: String?
  ) -> [String: String] {
    var extras: [String: String] = [:]
    if responseType == "code id_token" {
      extras["id_token"] = try? idToken(
        for: grant.person, audience: grant.clientID, nonce: grant.nonce,
        adding: ["c_hash": halfHash(code)], hostile: records.misbehavior.idToken)
    }
    if grant.scopes.contains("name") || grant.scopes.contains("email"),
      records.introduces(grant.person, to: grant.clientID)
    {
      extras["user"] = introduction(of: grant).text
    }
    return extras
  }

  private func introduction(of grant: Grant) -> JSONValue {
    var members: [String: JSONValue] = [:]
    if grant.scopes.contains("name"), let name = grant.person.name {
      let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
      members["name"] = [
        "firstName": .string(parts.first ?? ""),
        "lastName": .string(parts.count > 1 ? parts[1] : ""),
      ]
    }
    if grant.scopes.contains("email") {
      members["email"] = grant.person.email.map(JSONValue.string)
    }
    return .object(members)
  }

  private var document: [String: JSONValue] {
    [
      "issuer": .string(records.issuer), "jwks_uri": records.endpoint("/auth/keys"),
      "authorization_endpoint": records.endpoint("/auth/authorize"),
      "token_endpoint": records.endpoint("/auth/token"),
      "revocation_endpoint": records.endpoint("/auth/revoke"),
      "response_types_supported": ["code"],
      "response_modes_supported": ["query", "form_post"],
      "subject_types_supported": ["pairwise"],
      "id_token_signing_alg_values_supported": ["RS256"],
      "scopes_supported": ["openid", "email", "name"],
      "token_endpoint_auth_methods_supported": ["client_secret_post"],
    ]
  }
}
