public import AuthCore

/// A fake of Apple's Game Center: the certificate, and the signatures that GameKit gives an app.
///
/// It has no accounts on the web: GameKit on the person's device is ``signature(for:bundleID:at:playerID:)``.
public struct FakeGameCenter: FakeVendor {
  /// The settings of the fake vendor.
  public struct Configuration: Sendable {
    /// The time of signatures, and of the certificate.
    public var clock: @Sendable () -> Timestamp

    /// Makes the usual settings.
    public init(clock: @escaping @Sendable () -> Timestamp = { .now() }) { self.clock = clock }
  }

  /// The result of GameKit's `fetchItems(forIdentityVerificationSignature:)`, and the player.
  public struct Signature: Hashable, Sendable {
    /// The address of the certificate.
    public var publicKeyURL: String
    /// The signature.
    public var signature: [UInt8]
    /// The random bytes that are signed too.
    public var salt: [UInt8]
    /// The time in milliseconds.
    public var timestamp: Int64
    /// The player's ID for the team, or the older one.
    public var playerID: String

    /// The fields of a credential of `gc.apple.com`.
    public var fields: [String: String] {
      [
        "publicKeyURL": publicKeyURL, "signature": Base64.standard.text(signature),
        "salt": Base64.standard.text(salt), "timestamp": String(timestamp),
        playerID.hasPrefix("G:") ? "playerID" : "teamPlayerID": playerID,
      ]
    }
  }

  /// The bundle ID of the usual app.
  public static let bundleID = "com.example.game"
  /// The path of the certificate.
  public static let certificatePath = "/public-key/gc-prod-10.cer"

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
  ) async throws -> FakeGameCenter {
    let server = try await VendorServer.start(port: port)
    let endpoints = GameCenterEndpoints(
      records: VendorRecords(
        name: "gamecenter", url: server.url, issuer: server.url, clients: [], people: [],
        clock: configuration.clock))
    server.answer(with: endpoints.answer)
    return FakeGameCenter(server: server, endpoints: endpoints)
  }

  /// The ID of a person for the developer's team.
  public static func playerID(of person: FakePerson) -> String { "T:_\(person.subject)" }

  /// Signs a person's ID for an app as GameKit does.
  ///
  /// - `person`: The player.
  /// - `bundleID`: The app.
  /// - `time`: The time of the signature; nil for now.
  /// - `playerID`: The ID to sign; nil for the ID for the team.
  public func signature(
    for person: FakePerson, bundleID: String = FakeGameCenter.bundleID, at time: Timestamp? = nil,
    playerID: String? = nil
  ) throws -> Signature {
    let (salt, id) = (RandomBytes.make(8), playerID ?? Self.playerID(of: person))
    let timestamp = (time ?? endpoints.records.clock()).milliseconds
    let eight = (0..<8).map { UInt8(truncatingIfNeeded: timestamp >> (56 - 8 * $0)) }
    let signed = Array(id.utf8) + Array(bundleID.utf8) + eight + salt
    return Signature(
      publicKeyURL: server.url(Self.certificatePath),
      signature: try signingKey.signature(of: signed[...]), salt: salt, timestamp: timestamp,
      playerID: id)
  }
}

/// The one path of ``FakeGameCenter``.
struct GameCenterEndpoints: VendorEndpoints {
  let records: VendorRecords

  func answer(_ request: VendorRequest) -> VendorResponse? {
    guard request.path == FakeGameCenter.certificatePath,
      let certificate = try? records.keys.current().certificate(at: records.clock())
    else { return nil }
    return VendorResponse(
      headers: [
        RequestFields.Field("Content-Type", "application/x-x509-ca-cert"),
        RequestFields.Field("Cache-Control", "max-age=3600"),
      ], body: certificate)
  }

  func authorization(_ request: VendorRequest) throws(OAuthRefusal) -> AuthorizationAnswer {
    throw OAuthRefusal("not_found", "Game Center has no sign-in on the web.", status: 404)
  }

  func claims(for person: FakePerson, audience: String, nonce: String?) -> [String: JSONValue] {
    usualClaims(for: person, audience: audience, nonce: nonce)
  }
}
