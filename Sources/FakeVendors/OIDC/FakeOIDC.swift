public import AuthCore

/// A fake OpenID provider such as companies run: discovery, PKCE, introspection, revocation.
public struct FakeOIDC: FakeVendor {
  /// The settings of the fake provider.
  public struct Configuration: Sendable {
    /// The prefix of every path, such as `/realms/work`; the issuer ends with it.
    public var path = ""
    /// The path of the key set, behind ``path``.
    public var keysPath = "/jwks"
    /// The issuer; nil for the server's URL and ``path``.
    public var issuer: String?
    /// The prefix of the addresses in the discovery document; nil for the server's URL and ``path``.
    public var endpointsURL: String?
    /// The algorithm of ID tokens.
    public var algorithm = SigningAlgorithm.rs256
    /// True if every app needs PKCE.
    public var requiresPKCE = true
    /// True if the userinfo endpoint answers every access token, even if the app did not request `openid`.
    ///
    /// Such an answer is complete, because the scopes are not OpenID's.
    public var describesWithoutOpenID = false
    /// True if every authorization answer has `iss` (RFC 9207), as the discovery document then says.
    public var sendsIssuer = true
    /// The accepted methods of client authentication.
    public var clientAuthentication = Set(FakeClient.Authentication.allCases)
    /// The registered apps.
    public var clients = [FakeClient.web, .foreign]
    /// The people with an account at the provider.
    public var people = [FakePerson.ada, .bo]
    /// The time that tokens are checked and made with.
    public var clock: @Sendable () -> Timestamp

    /// Makes the usual settings.
    public init(clock: @escaping @Sendable () -> Timestamp = { .now() }) { self.clock = clock }
  }

  /// The server that listens.
  public let server: VendorServer
  /// The paths and answers.
  public let endpoints: any VendorEndpoints
  private let path: String
  private let keysPath: String

  /// Starts the provider on a free port.
  ///
  /// - `configuration`: The settings.
  /// - `port`: The port, or 0 for a free one.
  public static func start(
    _ configuration: Configuration = Configuration(), port: Int = 0
  ) async throws -> FakeOIDC {
    let server = try await VendorServer.start(port: port)
    let records = VendorRecords(
      name: "oidc", url: server.url,
      issuer: configuration.issuer ?? server.url(configuration.path),
      algorithm: configuration.algorithm, clients: configuration.clients,
      people: configuration.people, clock: configuration.clock)
    let endpoints = OIDCEndpoints(records: records, configuration: configuration)
    server.answer(with: endpoints.answer)
    return FakeOIDC(
      server: server, endpoints: endpoints, path: configuration.path,
      keysPath: configuration.keysPath)
  }

  /// The URL of the discovery document.
  public var discoveryURL: String { server.url("\(path)/.well-known/openid-configuration") }
  /// The URL of the key set.
  public var keysURL: String { server.url(path + keysPath) }
  /// The URL of the authorization endpoint.
  public var authorizationURL: String { server.url("\(path)/authorize") }
  /// The URL of the token endpoint.
  public var tokenURL: String { server.url("\(path)/token") }
  /// The URL of the userinfo endpoint.
  public var userInfoURL: String { server.url("\(path)/userinfo") }
  /// The URL of the introspection endpoint.
  public var introspectionURL: String { server.url("\(path)/introspect") }
  /// The URL of the revocation endpoint.
  public var revocationURL: String { server.url("\(path)/revoke") }
}
