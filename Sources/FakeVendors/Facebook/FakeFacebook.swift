public import AuthCore
import Crypto
import Foundation

/// Plays Facebook: the login dialog, the Graph API, and the ID tokens of limited login.
///
/// Graph paths may begin with a version, such as `/v19.0`, or not. People have one subject for all apps
/// here; the real one has another for each app.
public struct FakeFacebook: FakeVendor {
  /// What can be chosen about it.
  public struct Configuration: Sendable {
    /// What stands in `iss` of limited login; the real one's name, though the server is here.
    public var issuer = "https://www.facebook.com"
    /// The Graph API refuses calls without `appsecret_proof`, as an app can demand in its settings.
    public var requiresProof = true
    /// `debug_token` tells an app also of another app's token, as it does where one developer has both.
    ///
    /// Otherwise it says only that the token is not valid.
    public var inspectsForeignTokens = true
    /// Each needs a secret.
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
  ) async throws -> FakeFacebook {
    let server = try await VendorServer.start(port: port)
    let records = VendorRecords(
      name: "facebook", url: server.url, issuer: configuration.issuer,
      clients: configuration.clients, people: configuration.people, clock: configuration.clock)
    let endpoints = FacebookEndpoints(records: records, configuration: configuration)
    server.answer(with: endpoints.answer)
    return FakeFacebook(server: server, endpoints: endpoints)
  }

  /// The Graph API without a version or a slash at the end.
  public var graphURL: String { server.url }
  public var keysURL: String { server.url(FacebookEndpoints.keys) }
  public var authorizationURL: String { server.url("/v19.0/dialog/oauth") }
  public var tokenURL: String { server.url("/v19.0/oauth/access_token") }
  public var debugTokenURL: String { server.url("/v19.0/debug_token") }
  public var meURL: String { server.url("/v19.0/me") }
  public var permissionsURL: String { server.url("/v19.0/me/permissions") }

  /// The proof that a call with an access token comes from the app: HMAC-SHA256 under its secret, as hex.
  public static func proof(of accessToken: String, secret: String) -> String {
    HMAC<SHA256>.authenticationCode(
      for: Data(accessToken.utf8), using: SymmetricKey(data: Data(secret.utf8))
    ).hexadecimal
  }
}
