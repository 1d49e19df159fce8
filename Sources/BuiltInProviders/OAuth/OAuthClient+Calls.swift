public import AuthCore
import Foundation

/// The requests to the authorization server.
extension OAuthClient {
  /// Exchanges an authorization code for tokens.
  ///
  /// - Parameters:
  ///   - code: the code of the callback.
  ///   - redirectURI: the address of the callback, exactly as in the authorization request.
  ///   - codeVerifier: the PKCE verifier of the request.
  /// - Returns: the tokens, which are not verified yet.
  /// - Throws: `invalid-credential` with the server's error code if the server refuses, and
  ///   `network-request-failed`; at the step `exchange`.
  public func exchange(
    code: String, redirectURI: String, codeVerifier: String?
  ) async throws -> TokenResponse {
    var fields = [
      (name: "grant_type", value: "authorization_code"), (name: "code", value: code),
      (name: "redirect_uri", value: redirectURI),
    ]
    if let codeVerifier { fields.append((name: "code_verifier", value: codeVerifier)) }
    return try await tokens(fields, secrets: [code, codeVerifier ?? ""], of: "code")
  }

  /// Renews tokens; throws as ``exchange(code:redirectURI:codeVerifier:)`` does.
  ///
  /// If the answer has no refresh token, the old one stays valid (RFC 6749 section 6).
  public func refresh(_ refreshToken: Secret<String>) async throws -> TokenResponse {
    let fields = [
      (name: "grant_type", value: "refresh_token"),
      (name: "refresh_token", value: refreshToken.reveal()),
    ]
    return try await tokens(
      fields, secrets: [refreshToken.reveal()], of: "refreshToken", at: renewal)
  }

  /// Reads the profile of an access token's owner (OpenID Connect Core 5.3).
  ///
  /// - Parameters:
  ///   - accessToken: the token.
  ///   - expectedSubject: the subject of the ID token. An answer with another subject is refused, because it would
  ///     be another person's profile.
  /// - Returns: the claims, with a `sub` that is a text and not empty.
  /// - Throws: `invalid-credential` and `network-request-failed`, at the step `profile`; `operation-not-allowed` if
  ///   there is no such endpoint.
  public func userInfo(
    accessToken: Secret<String>, expectedSubject: String?
  ) async throws -> JSONValue {
    var request = HTTPRequest(.get, try endpoint(endpoints.userInfo, "userInfo", .profile))
    request.headers = [
      ("Authorization", "Bearer \(accessToken.reveal())"), ("Accept", "application/json"),
    ]
    request.privateHosts = endpoints.privateHosts
    let exchange = VendorExchange(transport: transport, step: .profile)
    let answer = OAuthAnswer(exchange: exchange, request: request, secrets: [accessToken.reveal()])
    let response = try await exchange.send(request)
    guard response.status != 401, response.status != 403 else {
      throw answer.refusal("refuses the access token (HTTP \(response.status))", "accessToken")
    }
    let profile = try answer.object(response, about: "accessToken")
    guard let subject = profile["sub"]?.stringValue, !subject.isEmpty else {
      throw answer.refusal("gave a profile without a subject", "sub")
    }
    // OpenID Connect Core 5.3.2: the token could have been exchanged for another person's.
    guard expectedSubject.map(subject.isExactly) != false else {
      throw answer.refusal("gave the profile of another subject than the ID token's", "sub")
    }
    return profile
  }

  /// Asks whether a token is valid, and for its details (RFC 7662).
  ///
  /// The caller has to compare the client that the token was issued to (`client_id`, `aud`).
  ///
  /// - Parameter token: an access or a refresh token.
  /// - Returns: the answer, whose `active` is true.
  /// - Throws: `invalid-credential` if the token is not valid or the server refuses to answer, and
  ///   `network-request-failed`, at the step `token`; `operation-not-allowed` if there is no such endpoint.
  public func introspect(_ token: Secret<String>) async throws -> JSONValue {
    let url = try endpoint(endpoints.introspection, "introspection", .token)
    let fields = [(name: "token", value: token.reveal())]
    let (answer, response) = try await post(url, fields, secrets: [token.reveal()], .token)
    let state = try answer.object(response, about: "token")
    guard state["active"] == true else {
      throw answer.refusal("says that the token is not in force", "token")
    }
    return state
  }

  /// Revokes a token (RFC 7009); a token unknown to the server counts as revoked.
  ///
  /// - Parameters:
  ///   - token: an access or a refresh token.
  ///   - hint: `access_token` or `refresh_token`, if it is known.
  /// - Throws: `invalid-credential` if the server refuses, and `network-request-failed`, at the step `exchange`;
  ///   `operation-not-allowed` if there is no such endpoint.
  public func revoke(_ token: Secret<String>, hint: String?) async throws {
    let url = try endpoint(endpoints.revocation, "revocation", .exchange)
    var fields = [(name: "token", value: token.reveal())]
    if let hint { fields.append((name: "token_type_hint", value: hint)) }
    let (answer, response) = try await post(url, fields, secrets: [token.reveal()], .exchange)
    guard !(200..<300).contains(response.status) else { return }
    _ = try answer.object(response, about: "token")
  }

  private func tokens(
    _ fields: [(name: String, value: String)], secrets: [String], of field: String,
    at place: (url: String, request: TokenRequest)? = nil
  ) async throws -> TokenResponse {
    let (answer, response) = try await send(
      fields, as: place?.request ?? tokenRequest, to: place?.url ?? endpoints.token,
      secrets: secrets, step: .exchange)
    return try TokenResponse(try answer.object(response, about: field), answer)
  }

  private func endpoint(
    _ url: String?, _ name: String, _ step: FlowStep
  ) throws(AuthError) -> String {
    guard let url else {
      throw AuthError(
        .operationNotAllowed, "There is no \(name) endpoint.", field: "endpoints",
        remedy: "Configure endpoints.\(name), if the vendor has one.", step: step)
    }
    return url
  }
}

/// The authentication of the client.
extension OAuthClient {
  private func post(
    _ url: String, _ fields: [(name: String, value: String)], secrets: [String], _ step: FlowStep
  ) async throws -> (answer: OAuthAnswer, response: HTTPResponse) {
    var usual = TokenRequest()
    usual.names = tokenRequest.names.filter { $0.key.hasPrefix("client_") && !$0.value.isEmpty }
    return try await send(fields, as: usual, to: url, secrets: secrets, step: step)
  }

  private func send(
    _ fields: [(name: String, value: String)], as form: TokenRequest, to url: String,
    secrets: [String], step: FlowStep
  ) async throws -> (answer: OAuthAnswer, response: HTTPResponse) {
    var fields = fields
    let namesType = form.headers.keys.contains { $0.lowercased() == "accept" }
    var headers = namesType ? [] : [(name: "Accept", value: "application/json")]
    var secrets = secrets
    switch authentication {
    case .none: fields.append(("client_id", clientID))
    case .body(let secret):
      fields += [("client_id", clientID), ("client_secret", secret.reveal())]
      secrets.append(secret.reveal())
    case .basic(let secret):
      // RFC 6749 section 2.3.1: both are form-encoded first, so that a colon in the ID does not split the pair.
      let pair = "\(URLText.escaped(clientID)):\(URLText.escaped(secret.reveal()))"
      headers.append(("Authorization", "Basic \(Data(pair.utf8).base64EncodedString())"))
      secrets.append(secret.reveal())
    }
    var request = form.request(url, fields)
    request.headers += headers
    request.privateHosts = endpoints.privateHosts
    let exchange = VendorExchange(transport: transport, step: step)
    let response = try await exchange.send(request)
    return (OAuthAnswer(exchange: exchange, request: request, secrets: secrets), response)
  }
}
