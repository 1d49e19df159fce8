#if canImport(ObjectiveC)
  public import Foundation

  /// Credentials of Google Play Games by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension PlayGamesAuthProvider {
    @objc(id) public static var objectiveCID: String { id }

    @objc(credentialWithServerAuthCode:)
    public static func objectiveCCredential(serverAuthCode: String) -> AuthCredential {
      credential(serverAuthCode: serverAuthCode)
    }
  }

  /// Credentials of Game Center by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension GameCenterAuthProvider {
    @objc(id) public static var objectiveCID: String { id }

    @objc(getCredentialWithCompletion:)
    public static func objectiveCGetCredential(
      completion: @escaping (AuthCredential?, (any Error)?) -> Void
    ) {
      getCredential(completion: completion)
    }

    @objc(credential:publicKeyURL:signature:salt:timestamp:)
    public static func objectiveCCredential(
      _ player: GameCenterPlayer, publicKeyURL: URL, signature: Data, salt: Data, timestamp: UInt64
    ) -> AuthCredential {
      credential(
        player, publicKeyURL: publicKeyURL, signature: signature, salt: salt, timestamp: timestamp)
    }
  }

  /// A player by its Objective-C names.
  @available(swift, obsoleted: 1)
  extension GameCenterPlayer {
    @objc(initWithTeamPlayerID:playerID:displayName:)
    public convenience init(
      objectiveCTeamPlayerID teamPlayerID: String, playerID: String?, displayName: String?
    ) {
      self.init(teamPlayerID: teamPlayerID, playerID: playerID, displayName: displayName)
    }

    @objc(teamPlayerID) public var objectiveCTeamPlayerID: String { teamPlayerID }
    @objc(playerID) public var objectiveCPlayerID: String? { playerID }
    @objc(displayName) public var objectiveCDisplayName: String? { displayName }
  }
#endif
