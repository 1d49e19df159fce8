public import AuthCore
import Crypto
import Foundation

/// Plays Sign in with Apple: form posts, client secrets that are signed, and nothing but ID tokens.
///
/// As with the real one, the name comes once, beside the first code that an app gets for a person, and is
/// never in a token.
public struct FakeApple: FakeVendor {
  /// How Apple writes `email_verified` and `is_private_email`, which it has done in both ways.
  public enum FlagSpelling: Sendable {
    case text, boolean
  }

  /// What can be chosen about it.
  public struct Configuration: Sendable {
    /// What stands in `iss`, and has to stand in `aud` of a client secret.
    public var issuer = "https://appleid.apple.com"
    public var teamID = "FAKETEAM01"
    /// The developer's key, whose private half an app signs its client secrets with.
    public var developerKey = SigningKey.p256(keyID: "FAKEKEY001")
    public var flags = FlagSpelling.text
    /// Their own secrets are not looked at: Apple's are signed.
    public var clients = [FakeClient.web, .foreign]
    public var people = [FakePerson.ada, .bo]
    public var clock: @Sendable () -> Timestamp = { .now() }

    public init() {}
  }

  public let server: VendorServer
  public let endpoints: any VendorEndpoints
  /// The developer's key; an app is set up with its ID and its ``SigningKey/privateKeyPEM``.
  public let developerKey: SigningKey
  public let teamID: String

  /// Starts it on a port that is free.
  ///
  /// - `configuration`: What is chosen.
  /// - `port`: The port, or 0 for one that is free.
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

  public var discoveryURL: String { server.url("/.well-known/openid-configuration") }
  public var keysURL: String { server.url("/auth/keys") }
  public var authorizationURL: String { server.url("/auth/authorize") }
  public var tokenURL: String { server.url("/auth/token") }
  public var revocationURL: String { server.url("/auth/revoke") }

  /// Signs a client secret as an app has to.
  ///
  /// - `clientID`: The app's service or bundle ID.
  /// - `seconds`: How long it is good; Apple takes at most 15 777 000, half a year.
  /// - `claims`: What it says instead of the usual; null leaves a claim out.
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

  /// What an app that follows Apple's SDKs puts into its request for a nonce: SHA-256, as hex.
  public static func hashed(nonce: String) -> String {
    SHA256.hash(data: Data(nonce.utf8)).hexadecimal
  }
}
