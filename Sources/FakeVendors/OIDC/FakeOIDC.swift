public import AuthCore

/// Plays an OpenID provider of the kind that companies run: discovery, PKCE, introspection, revocation.
public struct FakeOIDC: FakeVendor {
  /// What can be chosen about the provider.
  public struct Configuration: Sendable {
    /// What stands before every path, such as `/realms/work`; the issuer ends with it.
    public var path = ""
    /// Where the key set is, behind ``path``.
    public var keysPath = "/jwks"
    /// A name of its own for the issuer, where it is not the server's URL and ``path``.
    public var issuer: String?
    /// What stands before the paths in the discovery document, where it is not the server's URL and ``path``.
    public var endpointsURL: String?
    public var algorithm = SigningAlgorithm.rs256
    public var requiresPKCE = true
    /// Describes the person of any access token at the userinfo endpoint, also where the app did not ask for
    /// `openid`; then whole, for the scopes are not OpenID's.
    public var describesWithoutOpenID = false
    /// Sends `iss` with every authorization answer (RFC 9207), and says so in the discovery document.
    public var sendsIssuer = true
    public var clientAuthentication = Set(ClientAuthentication.allCases)
    public var clients = [FakeClient.web, .foreign]
    public var people = [FakePerson.ada, .bo]
    public var clock: @Sendable () -> Timestamp = { .now() }

    public init() {}
  }

  public let server: VendorServer
  public let endpoints: any VendorEndpoints
  private let path: String
  private let keysPath: String

  /// Starts the provider on a port that is free.
  ///
  /// - `configuration`: What is chosen.
  /// - `port`: The port, or 0 for one that is free.
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

  public var discoveryURL: String { server.url("\(path)/.well-known/openid-configuration") }
  public var keysURL: String { server.url(path + keysPath) }
  public var authorizationURL: String { server.url("\(path)/authorize") }
  public var tokenURL: String { server.url("\(path)/token") }
  public var userInfoURL: String { server.url("\(path)/userinfo") }
  public var introspectionURL: String { server.url("\(path)/introspect") }
  public var revocationURL: String { server.url("\(path)/revoke") }
}
