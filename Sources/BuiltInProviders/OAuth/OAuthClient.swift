public import AuthCore

/// The addresses of a vendor's authorization server.
public struct OAuthEndpoints: Sendable, Hashable {
  /// The authorization endpoint, which a browser opens.
  public var authorize: String
  /// The token endpoint.
  public var token: String
  /// The userinfo endpoint (OpenID Connect Core 5.3).
  public var userInfo: String?
  /// The introspection endpoint (RFC 7662).
  public var introspection: String?
  /// The revocation endpoint (RFC 7009).
  public var revocation: String?
  /// Hosts, as `host` or `host:port`, that an admin allowed to be private and without TLS.
  public var privateHosts: [String]

  /// Makes the endpoints from addresses.
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

  /// Makes the endpoints from an issuer's discovery document.
  public init(_ document: DiscoveryDocument, privateHosts: [String] = []) {
    self.init(
      authorize: document.authorizationEndpoint, token: document.tokenEndpoint,
      userInfo: document.userInfoEndpoint, introspection: document.introspectionEndpoint,
      revocation: document.revocationEndpoint, privateHosts: privateHosts)
  }
}

/// A client's authentication at the authorization server (RFC 6749 section 2.3).
public enum ClientAuthentication: Sendable, Hashable {
  /// No secret: an app on people's devices.
  case none
  /// `client_secret_basic`: ID and secret in the header `Authorization`.
  case basic(Secret<String>)
  /// `client_secret_post`: ID and secret in the form.
  case body(Secret<String>)
}

/// An OAuth 2 client: the authorization code flow with PKCE, and the requests that follow it.
///
/// It holds no state of a sign-in; the graph keeps that.
public struct OAuthClient: Sendable {
  let transport: any HTTPTransport
  /// The addresses of the authorization server.
  public let endpoints: OAuthEndpoints
  /// The ID under which the vendor knows the client.
  public let clientID: String
  let authentication: ClientAuthentication
  /// The form of the requests to the token endpoint.
  package var tokenRequest = TokenRequest()
  /// The address and form of renewals, if they are not those of the token endpoint.
  package var renewal: (url: String, request: TokenRequest)?
  /// The text between scopes.
  package var scopeSeparator = " "

  /// Makes a client.
  public init(
    transport: any HTTPTransport, endpoints: OAuthEndpoints, clientID: String,
    authentication: ClientAuthentication
  ) {
    self.transport = transport
    self.endpoints = endpoints
    self.clientID = clientID
    self.authentication = authentication
  }
}
