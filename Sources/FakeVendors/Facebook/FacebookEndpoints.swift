import AuthCore

/// The paths of ``FakeFacebook``, its dialog and its tokens.
struct FacebookEndpoints: VendorEndpoints {
  static let keys = "/.well-known/oauth/openid/jwks/"

  let records: VendorRecords
  let configuration: FakeFacebook.Configuration

  var accessTokenPrefix: String { "EAAG" }

  func answer(_ request: VendorRequest) -> VendorResponse? {
    switch Self.unversioned(request.path) {
    case "/.well-known/openid-configuration", "/.well-known/openid-configuration/":
      discovery(document)
    case Self.keys, String(Self.keys.dropLast()): keySet(maximumAge: 3600)
    case "/dialog/oauth": authorizationPage(request)
    case "/oauth/access_token": exchange(request)
    case "/debug_token": graph { () throws(GraphRefusal) in try inspection(request) }
    case "/me": graph { () throws(GraphRefusal) in try me(request) }
    case "/me/permissions": graph { () throws(GraphRefusal) in try removal(request) }
    default:
      attackerPages(request) ?? GraphRefusal.unknownPath.response
    }
  }

  func authorization(_ request: VendorRequest) throws(OAuthRefusal) -> AuthorizationAnswer {
    guard Self.unversioned(request.path) == "/dialog/oauth" else {
      throw OAuthRefusal("not_found", "This is not the login dialog.", status: 404)
    }
    return try records.authorize(
      request,
      AuthorizationRules(
        codePrefix: "AQ",
        denial: [
          "error_code": "200", "error_reason": "user_denied",
          "error_description": "Permissions error",
        ]))
  }

  /// Leaves out `email_verified`, which Limited Login does not have.
  func claims(for person: FakePerson, audience: String, nonce: String?) -> [String: JSONValue] {
    usualClaims(for: person, audience: audience, nonce: nonce)
      .filter { $0.key != "email_verified" }
      .merging(["jti": .string(VendorRecords.secret(""))]) { claim, _ in claim }
  }

  /// The path without its version, as in `/v24.0/me`.
  static func unversioned(_ path: String) -> String {
    let parts = path.split(separator: "/", maxSplits: 1)
    guard parts.count == 2, parts[0].hasPrefix("v"), Double(parts[0].dropFirst()) != nil else {
      return path
    }
    return "/\(parts[1])"
  }

  private var document: [String: JSONValue] {
    [
      "issuer": .string(records.issuer), "jwks_uri": records.endpoint(Self.keys),
      "authorization_endpoint": records.endpoint("/dialog/oauth"),
      "token_endpoint": records.endpoint("/oauth/access_token"),
      "response_types_supported": ["code"], "subject_types_supported": ["pairwise"],
      "id_token_signing_alg_values_supported": ["RS256"],
    ]
  }

  private func graph(_ answer: () throws(GraphRefusal) -> JSONValue) -> VendorResponse {
    do throws(GraphRefusal) {
      return .json(try answer())
    } catch {
      return error.response
    }
  }
}

extension FacebookEndpoints {
  /// Answers a code with an access token, by GET or POST, and with an ID token if `openid` was requested.
  private func exchange(_ request: VendorRequest) -> VendorResponse {
    let fields = request.method == "POST" && !request.form.isEmpty ? request.form : request.query
    do {
      if let error = records.misbehavior.tokenError { throw GraphRefusal.flow(error) }
      guard let client = records.client(fields["client_id"] ?? ""), client.secret != nil,
        client.secret == fields["client_secret"]
      else { throw GraphRefusal.flow("Error validating client secret.") }
      let grant = try records.redeemCode(fields, by: client)
      return try tokens(for: grant)
    } catch let refusal as GraphRefusal {
      return refusal.response
    } catch let refusal as OAuthRefusal {
      return GraphRefusal.flow(refusal.reason).response
    } catch {
      return Self.broken
    }
  }

  private func tokens(for grant: Grant) throws -> VendorResponse {
    var members: [String: JSONValue] = [
      "access_token": .string(records.issueAccessToken(grant, prefix: accessTokenPrefix)),
      "token_type": "bearer", "expires_in": .integer(grant.lifetime),
    ]
    let lies = records.misbehavior
    if grant.scopes.contains("openid"), !lies.omitsIDToken {
      members["id_token"] = .string(
        try idToken(
          for: records.person(of: grant), audience: grant.clientID, nonce: grant.nonce,
          hostile: lies.idToken))
    }
    return .json(.object(members))
  }
}
