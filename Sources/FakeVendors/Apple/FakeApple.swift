public import AuthCore
import Crypto
import Foundation

/// A fake Sign in with Apple: form posts, signed client secrets, and ID tokens only.
///
/// As at Apple, the name comes once, beside the first code that an app gets for a person, and is never in a token.
public struct FakeApple: FakeVendor {
  /// The JSON type of `email_verified` and `is_private_email`; Apple has used both types.
  public enum FlagSpelling: Sendable {
    case text, boolean
  }

  /// The settings of the fake vendor.
  public struct Configuration: Sendable {
    /// The `iss` of tokens, which has to be the `aud` of a client secret.
    public var issuer = "https://appleid.apple.com"
    /// The developer team that has to sign client secrets.
    public var teamID = "FAKETEAM01"
    /// The developer's key, whose private half signs an app's client secrets.
    public var developerKey = SigningKey.p256(keyID: "FAKEKEY001")
    /// The JSON type of the flags.
    public var flags = FlagSpelling.text
    /// The registered apps.
    ///
    /// Their own secrets are ignored: Apple's are signed.
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
  /// The developer's key; an app is configured with its ID and its ``SigningKey/privateKeyPEM``.
  public let developerKey: SigningKey
  /// The developer team.
  public let teamID: String

  /// Starts the vendor on a free port.
  ///
  /// - `configuration`: The settings.
  /// - `port`: The port, or 0 for a free one.
  public static func start(
    _ configuration: Configuration = Configuration(), port: Int = 0
  ) async throws -> FakeApple {
    let server = try await VendorServer.start(port: port)
    let records = VendorRecords(
      name: "apple", url: server.url, issuer: configuration.issuer,
      clients: configuration.clients, people: configuration.people, clock: configuration.clock)
    let endpoints = AppleEndpoints(records: records, configuration: configuration)
    server.answer(with: endpoints.answer)
    return FakeApple(
      server: server, endpoints: endpoints, developerKey: configuration.developerKey,
      teamID: configuration.teamID)
  }

  /// The URL of the discovery document.
  public var discoveryURL: String { server.url("/.well-known/openid-configuration") }
  /// The URL of the key set.
  public var keysURL: String { server.url("/auth/keys") }
  /// The URL of the authorization endpoint.
  public var authorizationURL: String { server.url("/auth/authorize") }
  /// The URL of the token endpoint.
  public var tokenURL: String { server.url("/auth/token") }
  /// The URL of the revocation endpoint.
  public var revocationURL: String { server.url("/auth/revoke") }

  /// Signs a client secret as an app has to.
  ///
  /// - `clientID`: The app's service or bundle ID.
  /// - `seconds`: The lifetime; Apple accepts at most 15 777 000, half a year.
  /// - `claims`: Claims that replace the usual ones; null leaves a claim out.
  public func clientSecret(
    for clientID: String = FakeClient.web.id, seconds: Int64 = 300,
    claims: [String: JSONValue] = [:]
  ) throws -> String {
    let now = endpoints.records.clock().milliseconds / 1000
    let usual: [String: JSONValue] = [
      "iss": .string(teamID), "sub": .string(clientID), "aud": .string(issuer),
      "iat": .integer(now), "exp": .integer(now + seconds),
    ]
    let all = usual.merging(claims) { _, given in given }.filter { $0.value != .null }
    return try developerKey.jws(.object(all))
  }

  /// The nonce as apps that follow Apple's SDKs send it: SHA-256, as hex.
  public static func hashed(nonce: String) -> String {
    SHA256.hash(data: Data(nonce.utf8)).hexadecimal
  }
}
