public import AuthCore

/// The addresses of a vendor's authorization server.
public struct OAuthEndpoints: Sendable, Hashable {
  public var authorize: String
  public var token: String
  public var userInfo: String?
  public var introspection: String?
  public var revocation: String?
  /// Hosts, as `host` or `host:port`, that an admin allowed to be private and without TLS.
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

  /// Takes the endpoints that an issuer says it has.
  public init(_ document: DiscoveryDocument, privateHosts: [String] = []) {
    self.init(
      authorize: document.authorizationEndpoint, token: document.tokenEndpoint,
      userInfo: document.userInfoEndpoint, introspection: document.introspectionEndpoint,
      revocation: document.revocationEndpoint, privateHosts: privateHosts)
  }
}

/// How a client shows the authorization server that it is the client (RFC 6749 section 2.3).
public enum ClientAuthentication: Sendable, Hashable {
  /// It has no secret: an app in people's hands.
  case none
  /// `client_secret_basic`: ID and secret in the header `Authorization`.
  case basic(Secret<String>)
  /// `client_secret_post`: ID and secret in the form.
  case body(Secret<String>)
}

/// The one OAuth 2 flow: authorization code with PKCE, and what a client may ask afterwards.
///
/// Holds no state of a sign-in; the graph keeps that.
public struct OAuthClient: Sendable {
  let transport: any HTTPTransport
  public let endpoints: OAuthEndpoints
  public let clientID: String
  let authentication: ClientAuthentication

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
