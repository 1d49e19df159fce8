public import AuthCore
import Crypto
import Foundation

/// Where a vendor's OAuth 2 flow goes.
public struct OAuthEndpoints: Sendable, Hashable {
  public var authorize: String
  public var token: String
  public var userInfo: String?
  public var introspection: String?
  public var revocation: String?
  /// Hosts that may be private and without TLS.
  public var privateHosts: [String]

  public init(
    authorize: String, token: String, userInfo: String? = nil, introspection: String? = nil,
    revocation: String? = nil, privateHosts: [String] = []
  ) {
    self.authorize = authorize
    self.token = token
    self.userInfo = userInfo
    self.introspection = introspection
    self.revocation = revocation
    self.privateHosts = privateHosts
  }
}

/// How our client shows the vendor who it is (RFC 6749, section 2.3).
public enum ClientAuthentication: Sendable {
  /// A public client: its ID alone.
  case none
  /// `client_secret_basic`.
  case basic(Secret<String>)
  /// `client_secret_post`.
  case body(Secret<String>)
}

/// The one OAuth 2 flow: authorization code with PKCE (RFC 6749, RFC 7636), and what one does with its tokens.
///
/// State, nonce and the callback's issuer are the graph's matter. Every error carries the step at which it broke.
public struct OAuthClient: Sendable {
  public let endpoints: OAuthEndpoints
  public let clientID: String
  private let transport: any HTTPTransport
  private let authentication: ClientAuthentication

  public init(
    transport: any HTTPTransport, endpoints: OAuthEndpoints, clientID: String,
    authentication: ClientAuthentication
  ) {
    self.transport = transport
    self.endpoints = endpoints
    self.clientID = clientID
    self.authentication = authentication
  }

  /// Where the browser has to go.
  ///
  /// Nothing in `parameters` replaces what the flow itself says.
  public func authorizationURL(
    _ grant: AuthorizationGrant, scopes: [String], parameters: [(name: String, value: String)] = []
  ) -> String {
    var all = scopes
    for scope in grant.scopes where !all.contains(scope) { all.append(scope) }
    var fields: [(name: String, value: String)] = [
      ("response_type", "code"), ("client_id", clientID), ("redirect_uri", grant.redirectURI),
    ]
    if !all.isEmpty { fields.append(("scope", all.joined(separator: " "))) }
    fields += [
      ("state", grant.state), ("nonce", grant.nonce),
      ("code_challenge", Self.challenge(grant.codeVerifier)), ("code_challenge_method", "S256"),
    ]
    let own = Set(fields.map(\.name))
    return URLText.adding(
      fields + parameters.filter { !own.contains($0.name) }, to: endpoints.authorize)
  }

  /// The PKCE challenge of a verifier (RFC 7636, section 4.2).
  static func challenge(_ verifier: Secret<String>) -> String {
    Base64URL.text(SHA256.hash(data: Data(verifier.reveal().utf8)))
  }

  /// Exchanges an authorization code.
  ///
  /// Throws `invalid-credential` where the vendor refuses, or `network-request-failed`; step `exchange`.
  public func exchange(
    code: String, redirectURI: String, codeVerifier: String?
  ) async throws -> TokenResponse {
    var fields = [
      (name: "grant_type", value: "authorization_code"), (name: "code", value: code),
      (name: "redirect_uri", value: redirectURI),
    ]
    if let codeVerifier { fields.append((name: "code_verifier", value: codeVerifier)) }
    return try await tokens(fields)
  }

  /// Renews tokens; throws like ``exchange(code:redirectURI:codeVerifier:)``.
  public func refresh(_ refreshToken: Secret<String>) async throws -> TokenResponse {
    try await tokens([
      (name: "grant_type", value: "refresh_token"),
      (name: "refresh_token", value: refreshToken.reveal()),
    ])
  }

  private func tokens(
    _ fields: [(name: String, value: String)]
  ) async throws -> TokenResponse {
    let request = authenticated(endpoints.token, fields)
    let response = try TokenResponse(try await transport.object(request, at: .exchange))
    return response
  }

  /// The vendor's profile of a person.
  ///
  /// Throws `invalid-credential` naming `sub` where it speaks of another subject than the expected one
  /// (OpenID Connect Core 5.3.2), `operation-not-allowed` where there is no such endpoint, or
  /// `network-request-failed`; step `profile`.
  public func userInfo(
    accessToken: Secret<String>, expectedSubject: String?
  ) async throws -> JSONValue {
    let url = try endpoint(endpoints.userInfo, "userInfo", .profile)
    var request = HTTPRequest(url, accept: "application/json", privateHosts: endpoints.privateHosts)
    request.headers.append((name: "Authorization", value: "Bearer \(accessToken.reveal())"))
    let profile = try await transport.object(request, at: .profile)
    guard let subject = profile["sub"]?.stringValue, !subject.isEmpty else {
      throw AuthError(
        .invalidCredential, "The provider's profile names no subject.", field: "sub",
        remedy: "Ask for the scope openid.", step: .profile)
    }
    guard expectedSubject == nil || subject.utf8.elementsEqual((expectedSubject ?? "").utf8) else {
      throw AuthError(
        .invalidCredential, "The provider's profile is of another person.", field: "sub",
        remedy: "Sign in again.", step: .profile)
    }
    return profile
  }

  /// What the vendor says about a token (RFC 7662).
  ///
  /// Throws `invalid-credential` where it is not active, `operation-not-allowed` where there is no such
  /// endpoint, or `network-request-failed`; step `token`.
  public func introspect(_ token: Secret<String>) async throws -> JSONValue {
    let url = try endpoint(endpoints.introspection, "introspection", .token)
    let request = authenticated(url, [(name: "token", value: token.reveal())])
    let answer = try await transport.object(request, at: .token)
    guard answer["active"] == .bool(true) else {
      throw AuthError(
        .invalidCredential, "The token is not active any more.", remedy: "Sign in again.",
        step: .token)
    }
    return answer
  }

  /// Revokes a token (RFC 7009); one that is over already is no error.
  ///
  /// The hint is `access_token` or `refresh_token`. Throws `operation-not-allowed` where there is no such
  /// endpoint, or what the vendor refuses with.
  public func revoke(_ token: Secret<String>, hint: String?) async throws {
    let url = try endpoint(endpoints.revocation, "revocation", .token)
    var fields = [(name: "token", value: token.reveal())]
    if let hint { fields.append((name: "token_type_hint", value: hint)) }
    _ = try await transport.answer(authenticated(url, fields), at: .token)
  }

  private func endpoint(
    _ url: String?, _ name: String, _ step: FlowStep
  ) throws(AuthError) -> String {
    guard let url, !url.isEmpty else {
      throw AuthError(
        .operationNotAllowed, "The provider has no \(name) endpoint.", field: "endpoints",
        remedy: "Configure endpoints.\(name), if it has one.", step: step)
    }
    return url
  }

  /// A form that shows who our client is.
  private func authenticated(
    _ url: String, _ fields: [(name: String, value: String)]
  ) -> HTTPRequest {
    var fields = fields
    var authorization: String?
    switch authentication {
    case .none: fields.append((name: "client_id", value: clientID))
    case .body(let secret):
      fields.append((name: "client_id", value: clientID))
      fields.append((name: "client_secret", value: secret.reveal()))
    case .basic(let secret):
      // RFC 6749, section 2.3.1: both are form-encoded before they are joined.
      let pair = "\(URLText.escaped(clientID)):\(URLText.escaped(secret.reveal()))"
      authorization = "Basic \(Data(pair.utf8).base64EncodedString())"
    }
    var request = HTTPRequest.form(url, fields)
    request.headers.append((name: "Accept", value: "application/json"))
    if let authorization {
      request.headers.append((name: "Authorization", value: authorization))
    }
    request.privateHosts = endpoints.privateHosts
    return request
  }
}
