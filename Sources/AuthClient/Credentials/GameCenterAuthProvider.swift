import AuthValues
public import Foundation

/// A factory of credentials for Game Center players.
#if canImport(ObjectiveC)
  @objc(FIRGameCenterAuthProvider)
#endif
public final class GameCenterAuthProvider: NSObject {
  /// The provider ID: `gc.apple.com`.
  public static let id = "gc.apple.com"

  /// Throws ``AuthErrorCode/gameKitNotLinked``, because this module links no GameKit on any platform.
  ///
  /// Call GameKit's `fetchItems(forIdentityVerificationSignature:)` and make the credential with
  /// ``credential(_:publicKeyURL:signature:salt:timestamp:)``.
  public static func getCredential() async throws -> AuthCredential {
    throw NSError.auth(
      .gameKitNotLinked,
      message: "This client links no GameKit. Make the credential from the player's signature.")
  }

  /// Calls back on the main queue with the error of ``getCredential()``.
  public static func getCredential(completion: @escaping (AuthCredential?, (any Error)?) -> Void) {
    complete(completion) { try await getCredential() }
  }

  /// Makes a credential of the result of GameKit's `fetchItems(forIdentityVerificationSignature:)`.
  ///
  /// The server accepts it once, and for ten minutes. This is an extension: Firebase's SDK asks GameKit itself.
  public static func credential(
    _ player: GameCenterPlayer, publicKeyURL: URL, signature: Data, salt: Data, timestamp: UInt64
  ) -> AuthCredential {
    var fields = [
      "publicKeyURL": publicKeyURL.absoluteString, "signature": signature.base64EncodedString(),
      "salt": salt.base64EncodedString(), "timestamp": String(timestamp),
    ]
    fields["teamPlayerID"] = player.teamPlayerID
    fields["playerID"] = player.playerID
    fields["displayName"] = player.displayName
    return AuthCredential(provider: id, fields: fields)
  }

  /// The members of a request by the names of the credential's fields.
  static func requestMembers(_ values: FederatedValues) -> [String: JSONValue] {
    let names = [
      "playerID": "playerId", "publicKeyURL": "publicKeyUrl", "teamPlayerID": "teamPlayerId",
    ]
    let members = values.further.map { (names[$0.key] ?? $0.key, JSONValue.string($0.value)) }
    return Dictionary(members, uniquingKeysWith: { first, _ in first })
  }
}

/// The player of a Game Center credential, as `GKLocalPlayer` names them.
#if canImport(ObjectiveC)
  @objc(FIRGameCenterPlayer)
#endif
public final class GameCenterPlayer: NSObject, Sendable {
  /// The ID for the developer's team, which GameKit signs.
  public let teamPlayerID: String
  /// The ID before iOS 13.5, which servers accept only if they are set up to.
  public let playerID: String?
  /// The name to show, which is not signed.
  public let displayName: String?

  /// Makes a player.
  public init(teamPlayerID: String, playerID: String? = nil, displayName: String? = nil) {
    self.teamPlayerID = teamPlayerID
    self.playerID = playerID
    self.displayName = displayName
  }
}
