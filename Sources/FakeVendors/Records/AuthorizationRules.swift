import AuthCore

/// One vendor's rules for its authorization endpoint.
struct AuthorizationRules: Sendable {
  var responseTypes: Set<String> = ["code"]
  var requiresPKCE = false
  /// True if answers have `iss` (RFC 9207).
  var sendsIssuer = false
  var allowsFormPost = false
  /// True if only requests for offline access get a refresh token.
  var refreshTokenNeedsOfflineAccess = false
  var codePrefix = ""
  /// The parameters beside `access_denied` if the person declines.
  var denial: [String: String] = [:]
}

/// A person's choice on the vendor's page.
enum BrowserChoice: Sendable {
  case person(FakePerson)
  /// The person does not want to sign in.
  case cancelled
  /// No person is signed in, and the vendor may not ask.
  case signedOut
}

extension VendorRecords {
  /// Finds the requesting app and the address for its answer.
  ///
  /// Throws if the answer must not reach the app, because the app or the redirect URI is unknown (RFC 6749,
  /// 4.1.2.1).
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

  /// Answers an authorization request by the given choice.
  ///
  /// Without a choice the signed-in person consents, unless a cookie declines. Throws if the answer must not reach
  /// the app, because the app or the redirect URI is unknown (RFC 6749, 4.1.2.1).
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
    guard let person = person(at: request) else { return .signedOut }
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
    case .person(let chosen): person = chosen
    case .cancelled: throw OAuthRefusal("access_denied", "The person said no.")
    case .signedOut: throw OAuthRefusal("login_required", "No person is signed in.")
    }
    let grant = Grant(
      person: person, clientID: app.client.id,
      // Facebook separates scopes by commas, every other vendor by spaces.
      scopes: query["scope"]?.split { $0 == " " || $0 == "," }.map(String.init) ?? [],
      redirectURI: app.redirectURI, challenge: query["code_challenge"], nonce: query["nonce"],
      wantsRefreshToken: !rules.refreshTokenNeedsOfflineAccess || query["access_type"] == "offline",
      issuedAt: clock())
    let code = issueCode(grant, prefix: rules.codePrefix)
    return extra(grant, code).merging(["code": code]) { _, code in code }
  }

  /// Checks the app's request before a person sees it.
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
