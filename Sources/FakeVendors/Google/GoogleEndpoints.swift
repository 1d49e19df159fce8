import AuthCore

/// The paths and answers of ``FakeGoogle``.
struct GoogleEndpoints: VendorEndpoints {
  static let keys = "/oauth2/v3/certs"
  static let authorization = "/o/oauth2/v2/auth"
  static let risc = "/.well-known/risc-configuration"

  let records: VendorRecords

  var accessTokenPrefix: String { "ya29." }

  func answer(_ request: VendorRequest) -> VendorResponse? {
    switch request.path {
    case "/.well-known/openid-configuration": discovery(document)
    case Self.risc:
      .json(["issuer": .string("\(records.issuer)/"), "jwks_uri": records.endpoint(Self.keys)])
    case Self.keys: keySet(maximumAge: 19_800)
    case Self.authorization: authorizationPage(request)
    case "/token":
      token(
        request, allowing: [.post, .basic, .none],
        givesIDToken: { $0.scopes.contains("openid") }, refreshTokenPrefix: "1//")
    case "/tokeninfo": tokenInfo(request)
    case "/v1/userinfo": userInfo(request)
    case "/revoke": revocation(request)
    default: attackerPages(request)
    }
  }

  func authorization(_ request: VendorRequest) throws(OAuthRefusal) -> AuthorizationAnswer {
    guard request.path == Self.authorization else {
      throw OAuthRefusal("not_found", "This is not the authorization endpoint.", status: 404)
    }
    return try records.authorize(
      request, AuthorizationRules(refreshTokenNeedsOfflineAccess: true, codePrefix: "4/"))
  }

  func claims(for person: FakePerson, audience: String, nonce: String?) -> [String: JSONValue] {
    usualClaims(for: person, audience: audience, nonce: nonce)
      .merging(["azp": .string(audience)]) { claim, _ in claim }
  }

  private var document: [String: JSONValue] {
    [
      "issuer": .string(records.issuer), "jwks_uri": records.endpoint(Self.keys),
      "authorization_endpoint": records.endpoint(Self.authorization),
      "token_endpoint": records.endpoint("/token"),
      "userinfo_endpoint": records.endpoint("/v1/userinfo"),
      "revocation_endpoint": records.endpoint("/revoke"), "response_types_supported": ["code"],
      "subject_types_supported": ["public"],
      "id_token_signing_alg_values_supported": ["RS256"],
      "scopes_supported": ["openid", "email", "profile"],
      "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
      "code_challenge_methods_supported": ["S256"],
    ]
  }
}

extension GoogleEndpoints {
  private func tokenInfo(_ request: VendorRequest) -> VendorResponse {
    let token = request.query["access_token"] ?? request.form["access_token"]
    guard let grant = records.grant(ofAccessToken: token) else {
      return .json(
        ["error": "invalid_token", "error_description": "Invalid Value"], status: 400)
    }
    let person = records.person(of: grant)
    let left = (grant.expiresAt.milliseconds - records.clock().milliseconds) / 1000
    var members: [String: JSONValue] = [
      "azp": .string(grant.clientID), "aud": .string(grant.clientID),
      "sub": .string(person.subject), "scope": .string(grant.scopes.joined(separator: " ")),
      "exp": .string(String(grant.expiresAt.milliseconds / 1000)),
      "expires_in": .string(String(left)), "access_type": "online",
    ]
    if grant.scopes.contains("email"), let email = person.email {
      members["email"] = .string(email)
      members["email_verified"] = person.emailVerified.map { .string($0 ? "true" : "false") }
    }
    return .json(.object(members))
  }

  private func userInfo(_ request: VendorRequest) -> VendorResponse {
    guard let grant = records.grant(ofAccessToken: request.bearerToken) else {
      return .json(
        ["error": "invalid_request", "error_description": "Invalid Credentials"], status: 401)
    }
    let person = records.misbehavior.profilePerson ?? records.person(of: grant)
    var members = profile(of: person)
    if !grant.scopes.contains("email") {
      members["email"] = nil
      members["email_verified"] = nil
    }
    if !grant.scopes.contains("profile") {
      members["name"] = nil
      members["picture"] = nil
    }
    return .json(.object(members))
  }

  private func revocation(_ request: VendorRequest) -> VendorResponse {
    guard request.method == "POST", let token = request.form["token"] ?? request.query["token"],
      records.revoke(token)
    else {
      return .json(
        ["error": "invalid_token", "error_description": "Token expired or revoked"], status: 400)
    }
    return .json([:])
  }
}
