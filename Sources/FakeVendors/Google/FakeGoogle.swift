public import AuthCore

/// A fake of Google's accounts: ID tokens, `tokeninfo`, the profile, the web flow and revocation.
///
/// As at Google, only a request with `access_type=offline` gets a refresh token, and `tokeninfo` writes every value
/// as text.
public struct FakeGoogle: FakeVendor {
  /// The settings of the fake vendor.
  public struct Configuration: Sendable {
    /// The `iss` of tokens; Google's own name, although the server is here.
    public var issuer = "https://accounts.google.com"
    /// The registered apps.
    public var clients = [FakeClient.web, .foreign]
    /// The people with an account at the vendor.
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

  /// Starts the vendor on a free port.
  ///
  /// - `configuration`: The settings.
  /// - `port`: The port, or 0 for a free one.
  public static func start(
    _ configuration: Configuration = Configuration(), port: Int = 0
  ) async throws -> FakeGoogle {
    let server = try await VendorServer.start(port: port)
    let records = VendorRecords(
      name: "google", url: server.url, issuer: configuration.issuer,
      clients: configuration.clients, people: configuration.people, clock: configuration.clock)
    let endpoints = GoogleEndpoints(records: records)
    server.answer(with: endpoints.answer)
    return FakeGoogle(server: server, endpoints: endpoints)
  }

  /// The URL of the discovery document.
  public var discoveryURL: String { server.url("/.well-known/openid-configuration") }
  /// The URL of the key set.
  public var keysURL: String { server.url(GoogleEndpoints.keys) }
  /// The URL of the authorization endpoint.
  public var authorizationURL: String { server.url(GoogleEndpoints.authorization) }
  /// The URL of the token endpoint.
  public var tokenURL: String { server.url("/token") }
  /// The URL that inspects access tokens.
  public var tokenInfoURL: String { server.url("/tokeninfo") }
  /// The URL of the profile.
  public var userInfoURL: String { server.url("/v1/userinfo") }
  /// The URL of the revocation endpoint.
  public var revocationURL: String { server.url("/revoke") }
}
