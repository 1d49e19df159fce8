import AuthCore

/// The paths and answers of ``FakeOIDC``.
struct OIDCEndpoints: VendorEndpoints {
  let records: VendorRecords
  let configuration: FakeOIDC.Configuration

  func answer(_ request: VendorRequest) -> VendorResponse? {
    guard request.path.hasPrefix(configuration.path) else { return attackerPages(request) }
    return switch request.path.dropFirst(configuration.path.count) {
    case "/.well-known/openid-configuration": discovery(document)
    case configuration.keysPath: keySet(maximumAge: 3600)
    case "/authorize": authorizationPage(request)
    case "/token":
      token(
        request, allowing: configuration.clientAuthentication,
        givesIDToken: { $0.scopes.contains("openid") })
    case "/userinfo": userInfo(request)
    case "/introspect": introspection(request)
    case "/revoke": revocation(request)
    default: attackerPages(request)
    }
  }

  func authorization(_ request: VendorRequest) throws(OAuthRefusal) -> AuthorizationAnswer {
    guard request.path == "\(configuration.path)/authorize" else {
      throw OAuthRefusal("not_found", "This is not the authorization endpoint.", status: 404)
    }
    return try records.authorize(
      request,
      AuthorizationRules(
        requiresPKCE: configuration.requiresPKCE, sendsIssuer: configuration.sendsIssuer,
        allowsFormPost: true))
  }

  func claims(for person: FakePerson, audience: String, nonce: String?) -> [String: JSONValue] {
    usualClaims(for: person, audience: audience, nonce: nonce)
  }

  private var document: [String: JSONValue] {
    [
      "issuer": .string(records.issuer), "jwks_uri": endpoint(configuration.keysPath),
      "authorization_endpoint": endpoint("/authorize"), "token_endpoint": endpoint("/token"),
      "userinfo_endpoint": endpoint("/userinfo"),
      "introspection_endpoint": endpoint("/introspect"),
      "revocation_endpoint": endpoint("/revoke"), "response_types_supported": ["code"],
      "response_modes_supported": ["query", "form_post"], "subject_types_supported": ["public"],
      "grant_types_supported": ["authorization_code", "refresh_token"],
      "id_token_signing_alg_values_supported": [.string(configuration.algorithm.rawValue)],
      "scopes_supported": ["openid", "email", "profile"],
      "token_endpoint_auth_methods_supported": .array(
        configuration.clientAuthentication.map(\.rawValue).sorted().map(JSONValue.string)),
      "code_challenge_methods_supported": ["S256"],
      "authorization_response_iss_parameter_supported": .bool(configuration.sendsIssuer),
    ]
  }

  private func endpoint(_ path: String) -> JSONValue {
    configuration.endpointsURL.map { .string($0 + path) }
      ?? records.endpoint(configuration.path + path)
  }
}

extension OIDCEndpoints {
  private func userInfo(_ request: VendorRequest) -> VendorResponse {
    guard let grant = records.grant(ofAccessToken: request.bearerToken),
      grant.scopes.contains("openid") || configuration.describesWithoutOpenID
    else {
      // RFC 6750, 3.1
      return .json(
        ["error": "invalid_token"], status: 401,
        headers: [RequestFields.Field("WWW-Authenticate", "Bearer error=\"invalid_token\"")])
    }
    let person = records.misbehavior.profilePerson ?? records.person(of: grant)
    var members = profile(of: person)
    if grant.scopes.contains("openid"), !grant.scopes.contains("email") {
      members["email"] = nil
      members["email_verified"] = nil
    }
    return .json(.object(members))
  }

  /// RFC 7662: only an authenticated app gets an answer, and an expired token is only reported as inactive.
  private func introspection(_ request: VendorRequest) -> VendorResponse {
    do {
      _ = try records.client(of: request, allowing: [.basic, .post])
    } catch {
      return error.response
    }
    guard let token = request.form["token"],
      let grant = records.grant(ofAccessToken: token) ?? records.grant(ofRefreshToken: token)
    else { return .json(["active": false]) }
    return .json([
      "active": true, "client_id": .string(grant.clientID), "aud": .string(grant.clientID),
      "sub": .string(grant.person.subject), "iss": .string(records.issuer),
      "scope": .string(grant.scopes.joined(separator: " ")), "token_type": "Bearer",
      "iat": .integer(grant.issuedAt.milliseconds / 1000),
      "exp": .integer(grant.expiresAt.milliseconds / 1000),
    ])
  }

  /// RFC 7009: answers 200 even for an unknown token.
  private func revocation(_ request: VendorRequest) -> VendorResponse {
    do throws(OAuthRefusal) {
      let client = try records.client(of: request, allowing: configuration.clientAuthentication)
      guard let token = request.form["token"] else {
        throw OAuthRefusal("invalid_request", "The token is missing.")
      }
      records.revoke(token, of: client.id)
      return VendorResponse()
    } catch {
      return error.response
    }
  }
}
