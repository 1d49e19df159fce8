public import AuthCore

/// A fake of Google Play Games: server auth codes, the check of a game's tokens, and the player.
///
/// It has no sign-in on the web: the SDK on the person's device is ``serverAuthCode(for:clientID:)``.
public struct FakePlayGames: FakeVendor {
  /// The settings of the fake vendor.
  public struct Configuration: Sendable {
    /// The registered web clients.
    public var clients = [FakeClient.web, .foreign]
    /// The time that tokens are checked and made with.
    public var clock: @Sendable () -> Timestamp

    /// Makes the usual settings.
    public init(clock: @escaping @Sendable () -> Timestamp = { .now() }) { self.clock = clock }
  }

  /// The project ID of the game that ``FakeClient/web`` belongs to.
  public static let applicationID = "4100000001"

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
  ) async throws -> FakePlayGames {
    let server = try await VendorServer.start(port: port)
    let endpoints = PlayGamesEndpoints(
      records: VendorRecords(
        name: "playgames", url: server.url, issuer: server.url, clients: configuration.clients,
        people: [], clock: configuration.clock))
    server.answer(with: endpoints.answer)
    return FakePlayGames(server: server, endpoints: endpoints)
  }

  /// The URL of the token endpoint.
  public var tokenURL: String { server.url(PlayGamesEndpoints.token) }
  /// The URL that checks a token's game.
  public var verifyURL: String { server.url(PlayGamesEndpoints.verify) }
  /// The URL of the player.
  public var playerURL: String { server.url(PlayGamesEndpoints.player) }

  /// The ID of a person as a player, which is not that of the Google account.
  public static func playerID(of person: FakePerson) -> String { "g\(person.subject)" }

  /// Gives a code for the server, as the SDK does on the person's device.
  ///
  /// - `person`: The player, whom the vendor registers.
  /// - `clientID`: The web client that can exchange the code.
  public func serverAuthCode(
    for person: FakePerson, clientID: String = FakeClient.web.id
  ) -> String {
    let records = endpoints.records
    records.admit(person)
    var grant = Grant(
      person: person, clientID: clientID, scopes: ["games_lite"], issuedAt: records.clock())
    grant.redirectURI = ""
    return records.issueCode(grant, prefix: "4/")
  }
}

/// The paths and answers of ``FakePlayGames``.
struct PlayGamesEndpoints: VendorEndpoints {
  static let token = "/token"
  static let verify = "/games/v1/applications/\(FakePlayGames.applicationID)/verify"
  static let player = "/games/v1/players/me"

  let records: VendorRecords

  var accessTokenPrefix: String { "ya29." }

  func answer(_ request: VendorRequest) -> VendorResponse? {
    switch request.path {
    case Self.token:
      token(
        request, allowing: [.post], givesIDToken: { _ in false }, refreshTokenPrefix: "1//")
    case Self.verify: application(request)
    case Self.player: player(request)
    default: nil
    }
  }

  func authorization(_ request: VendorRequest) throws(OAuthRefusal) -> AuthorizationAnswer {
    throw OAuthRefusal("not_found", "Play Games has no sign-in on the web.", status: 404)
  }

  func claims(for person: FakePerson, audience: String, nonce: String?) -> [String: JSONValue] {
    usualClaims(for: person, audience: audience, nonce: nonce)
  }

  private func application(_ request: VendorRequest) -> VendorResponse {
    guard let grant = records.grant(ofAccessToken: request.bearerToken) else {
      return refusal(401, "UNAUTHENTICATED")
    }
    guard grant.clientID == FakeClient.web.id else { return refusal(403, "PERMISSION_DENIED") }
    let person = records.person(of: grant)
    return .json([
      "kind": "games#applicationVerifyResponse",
      "player_id": .string(FakePlayGames.playerID(of: person)),
      "alternate_player_id": .string("a_\(person.subject)"),
    ])
  }

  private func player(_ request: VendorRequest) -> VendorResponse {
    guard let grant = records.grant(ofAccessToken: request.bearerToken) else {
      return refusal(401, "UNAUTHENTICATED")
    }
    let person = records.misbehavior.profilePerson ?? records.person(of: grant)
    let members: [String: JSONValue] = [
      "kind": "games#player", "playerId": .string(FakePlayGames.playerID(of: person)),
      "displayName": .optional(person.name), "avatarImageUrl": .optional(person.picture),
    ]
    return .json(.object(members.filter { $0.value != .null }))
  }

  private func refusal(_ status: Int, _ name: String) -> VendorResponse {
    .json(["error": ["code": .integer(Int64(status)), "status": .string(name)]], status: status)
  }
}
