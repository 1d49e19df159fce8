public import AuthCore
import Crypto
import Foundation

/// A fake Facebook: the login dialog, the Graph API, and the ID tokens of Limited Login.
///
/// Graph paths may begin with a version, such as `/v24.0`. A person has one subject for all apps here; at Facebook
/// the subject differs for each app.
public struct FakeFacebook: FakeVendor {
  /// The settings of the fake vendor.
  public struct Configuration: Sendable {
    /// The `iss` of Limited Login; Facebook's own name, although the server is here.
    public var issuer = "https://www.facebook.com"
    /// True if the Graph API refuses calls without `appsecret_proof`, as an app can demand in its settings.
    public var requiresProof = true
    /// True if `debug_token` describes another app's tokens too, as it does for apps of one developer.
    ///
    /// Otherwise it says only that such a token is not valid.
    public var inspectsForeignTokens = true
    /// The registered apps, each of which needs a secret.
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
  ) async throws -> FakeFacebook {
    let server = try await VendorServer.start(port: port)
    let records = VendorRecords(
      name: "facebook", url: server.url, issuer: configuration.issuer,
      clients: configuration.clients, people: configuration.people, clock: configuration.clock)
    let endpoints = FacebookEndpoints(records: records, configuration: configuration)
    server.answer(with: endpoints.answer)
    return FakeFacebook(server: server, endpoints: endpoints)
  }

  /// The URL of the Graph API, without a version or a final slash.
  public var graphURL: String { server.url }
  /// The URL of the key set.
  public var keysURL: String { server.url(FacebookEndpoints.keys) }
  /// The URL of the login dialog.
  public var authorizationURL: String { server.url("/v24.0/dialog/oauth") }
  /// The URL of the token endpoint.
  public var tokenURL: String { server.url("/v24.0/oauth/access_token") }
  /// The URL that inspects access tokens.
  public var debugTokenURL: String { server.url("/v24.0/debug_token") }
  /// The URL of the profile.
  public var meURL: String { server.url("/v24.0/me") }
  /// The URL of the granted permissions.
  public var permissionsURL: String { server.url("/v24.0/me/permissions") }

  /// The proof that a call with an access token comes from the app: HMAC-SHA256 under its secret, as hex.
  public static func proof(of accessToken: String, secret: String) -> String {
    HMAC<SHA256>.authenticationCode(
      for: Data(accessToken.utf8), using: SymmetricKey(data: Data(secret.utf8))
    ).hexadecimal
  }
}
