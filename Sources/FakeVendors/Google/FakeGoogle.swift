public import AuthCore

/// Plays Google's accounts: ID tokens, `tokeninfo`, the profile, the web flow and revocation.
///
/// As with the real one, a refresh token is given only where `access_type=offline` was asked for, and
/// `tokeninfo` writes every value as text.
public struct FakeGoogle: FakeVendor {
  /// What can be chosen about it.
  public struct Configuration: Sendable {
    /// What stands in `iss`; the real one's name, though the server is here.
    public var issuer = "https://accounts.google.com"
    public var clients = [FakeClient.web, .foreign]
    public var people = [FakePerson.ada, .bo]
    public var clock: @Sendable () -> Timestamp = { .now() }

    public init() {}
  }

  public let server: VendorServer
  public let endpoints: any VendorEndpoints

  /// Starts it on a port that is free.
  ///
  /// - `configuration`: What is chosen.
  /// - `port`: The port, or 0 for one that is free.
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

  public var discoveryURL: String { server.url("/.well-known/openid-configuration") }
  public var keysURL: String { server.url(GoogleEndpoints.keys) }
  public var authorizationURL: String { server.url(GoogleEndpoints.authorization) }
  public var tokenURL: String { server.url("/token") }
  public var tokenInfoURL: String { server.url("/tokeninfo") }
  public var userInfoURL: String { server.url("/v1/userinfo") }
  public var revocationURL: String { server.url("/revoke") }
}
