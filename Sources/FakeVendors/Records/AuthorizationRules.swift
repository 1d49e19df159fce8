import AuthCore

/// What one vendor allows and sends at its authorization endpoint.
struct AuthorizationRules: Sendable {
  var responseTypes: Set<String> = ["code"]
  var requiresPKCE = false
  /// Sends `iss` (RFC 9207).
  var sendsIssuer = false
  var allowsFormPost = false
  /// Names a refresh token is given for: always, or only where offline access was asked for.
  var refreshTokenNeedsOfflineAccess = false
  var codePrefix = ""
  /// What stands beside `access_denied` where the person says no.
  var denial: [String: String] = [:]
}

/// What somebody at a browser said when the vendor asked.
enum BrowserChoice: Sendable {
  case person(FakePerson)
  /// The person does not want to sign in.
  case cancelled
  /// Nobody is signed in, and nobody may be asked.
  case nobody
}

extension VendorRecords {
  /// Tells which app asks, and where its answer goes.
  ///
  /// Throws where the person must not be sent back: an unknown app or redirect URI (RFC 6749, 4.1.2.1).
  func registered(
    _ query: RequestFields
  ) throws(OAuthRefusal) -> (client: FakeClient, redirectURI: String) {
    guard let client = client(query["client_id"] ?? "") else {
      throw OAuthRefusal("invalid_client", "There is no app with this client_id.")
    }
    guard let redirect = query["redirect_uri"],
      client.redirectURIs.isEmpty || client.redirectURIs.contains(redirect)
    else { throw OAuthRefusal("redirect_uri_mismatch", "The app has not registered this address.") }
    return (client, redirect)
  }

  /// Answers an authorization request as somebody said; where nobody was asked, as the person who is signed
  /// in and consents, unless a cookie says no.
  ///
  /// Throws where the person must not be sent back: an unknown app or redirect URI (RFC 6749, 4.1.2.1).
  func authorize(
    _ request: VendorRequest, _ rules: AuthorizationRules, choice: BrowserChoice? = nil,
    adding extra: (Grant, _ code: String) -> [String: String] = { _, _ in [:] }
  ) throws(OAuthRefusal) -> AuthorizationAnswer {
    let query = request.query
    let app = try registered(query)
    let mode = AuthorizationAnswer.Mode(rawValue: query["response_mode"] ?? "query")
    var parameters: [String: String]
    do {
      let choice = choice ?? self.choice(at: request)
      parameters = try granted(query, choice, to: app, by: rules, adding: extra)
    } catch {
      parameters = ["error": error.error, "error_description": error.reason]
      if error.error == "access_denied" { parameters.merge(rules.denial) { _, given in given } }
    }
    parameters["state"] = altered(query["state"], misbehavior.responseState)
    if rules.sendsIssuer || misbehavior.responseIssuer != .honest {
      parameters["iss"] = altered(issuer, misbehavior.responseIssuer)
    }
    return AuthorizationAnswer(
      redirectURI: app.redirectURI, parameters: parameters,
      mode: rules.allowsFormPost ? mode ?? .query : .query)
  }

  private func choice(at request: VendorRequest) -> BrowserChoice {
    guard let person = person(at: request) else { return .nobody }
    return request.cookie("consent") == "no" ? .cancelled : .person(person)
  }

  private func granted(
    _ query: RequestFields, _ choice: BrowserChoice,
    to app: (client: FakeClient, redirectURI: String), by rules: AuthorizationRules,
    adding extra: (Grant, _ code: String) -> [String: String]
  ) throws(OAuthRefusal) -> [String: String] {
    try checkQuery(query, rules)
    let person: FakePerson
    switch choice {
    case .person(let somebody): person = somebody
    case .cancelled: throw OAuthRefusal("access_denied", "The person said no.")
    case .nobody: throw OAuthRefusal("login_required", "Nobody is signed in.")
    }
    let grant = Grant(
      person: person, clientID: app.client.id,
      // Facebook separates scopes by commas, everybody else by spaces.
      scopes: query["scope"]?.split { $0 == " " || $0 == "," }.map(String.init) ?? [],
      redirectURI: app.redirectURI, challenge: query["code_challenge"], nonce: query["nonce"],
      wantsRefreshToken: !rules.refreshTokenNeedsOfflineAccess || query["access_type"] == "offline",
      issuedAt: clock())
    let code = issueCode(grant, prefix: rules.codePrefix)
    return extra(grant, code).merging(["code": code]) { _, code in code }
  }

  /// Checks what the app asks for, before anybody is bothered with it.
  func checkQuery(
    _ query: RequestFields, _ rules: AuthorizationRules
  ) throws(OAuthRefusal) {
    if let name = query.repeatedName {
      throw OAuthRefusal("invalid_request", "\(name) was sent more than once.")
    }
    guard rules.responseTypes.contains(query["response_type"] ?? "") else {
      throw OAuthRefusal("unsupported_response_type", "This response_type is not offered.")
    }
    let modes = rules.allowsFormPost ? ["query", "form_post"] : ["query"]
    guard modes.contains(query["response_mode"] ?? "query") else {
      throw OAuthRefusal("invalid_request", "This response_mode is not offered.")
    }
    guard !rules.requiresPKCE || query["code_challenge"] != nil else {
      throw OAuthRefusal("invalid_request", "PKCE is required.")
    }
    // RFC 7636, 4.3: without a method the challenge is the verifier itself, which protects nothing.
    guard query["code_challenge"] == nil || query["code_challenge_method"] == "S256" else {
      throw OAuthRefusal("invalid_request", "Only S256 is offered.")
    }
  }

  private func altered(_ honest: String?, _ lie: VendorMisbehavior.Parameter) -> String? {
    switch lie {
    case .honest: honest
    case .missing: nil
    case .replaced(let text): text
    }
  }
}
