package import AuthCore
import Crypto

extension ProviderDeclaration {
  /// Apple Game Center, by the signature with which GameKit proves a player to a server.
  ///
  /// The certificate with the key is at an address that the app sends, so it has to be on Apple's own server. Its
  /// validity in time is checked. Its issuer is not, because Apple has changed issuers and names none: the certificate
  /// is Apple's because TLS says that the server is. The player's name is not signed. Documentation:
  /// developer.apple.com/documentation/gamekit/gklocalplayer/fetchitems(foridentityverificationsignature:).
  package static var gameCenter: ProviderDeclaration {
    var gameCenter = ProviderDeclaration(
      .gameCenter,
      ProviderManifest(
        name: "Game Center", kind: .custom, builders: [player], hosts: ["static.gc.apple.com"],
        configuration: [
          ConfigurationField(
            "bundleIDs", .list, required: true, "the bundle IDs of your apps, all of one team"),
          ConfigurationField(
            "takesPlayerID", .flag,
            "takes signatures over playerID too, which apps for iOS before 13.5 send"),
          .endpoints(["certificates"]), .privateHosts,
        ]))
    gameCenter.verify = { credential, session in
      let (ids, bundleIDs) = try signed(credential, session.settings)
      let (signature, salt) = (try credential.bytes("signature"), try credential.bytes("salt"))
      let time = try credential.recentTime("timestamp", seconds: lifetime, now: session.now)
      let server = try session.endpoint("certificates", usually: "https://static.gc.apple.com")
      let key = try await session.keys.certificateKey(
        at: try credential.address("publicKeyURL", on: server, suffix: ".cer"),
        privateHosts: session.privateHosts, now: session.now)
      guard let key else {
        throw credential.refused("Apple's key is weak, or not valid at this time.", "publicKeyURL")
      }
      let signedTime = withUnsafeBytes(of: time.milliseconds.bigEndian, Array.init)
      for (id, bundleID) in ids.flatMap({ id in bundleIDs.map { (id, $0) } }) {
        let bytes = Array(id.utf8) + Array(bundleID.utf8) + signedTime + salt
        guard key.accepts(signature, of: bytes, .rs256) else { continue }
        var identity = VerifiedIdentity(
          provider: .gameCenter, key: IdentityKey(.gameCenter, subject: id),
          claims: ["playerID": .string(id), "bundleID": .string(bundleID)])
        identity.profile.displayName = credential.optional("displayName")
        let digest = Base64.url.text(SHA256.hash(data: bytes))
        identity.uses = [
          OneTimeUse("game-center:\(digest)", expiresAt: time.adding(seconds: lifetime + 60))
        ]
        return identity
      }
      throw credential.refused("Apple did not sign this player for this app.", "signature")
    }
    return gameCenter
  }

  /// Apple sets no limit; an app asks for a signature when it signs in.
  private static let lifetime: Int64 = 600

  /// The players and apps of ours that may be signed.
  ///
  /// Nothing separates them in the signed bytes, so an app whose bundle ID ends with ours could move the beginning of
  /// it to the end of its player's ID. IDs for a team have one length, so that makes no player of ours. An older ID is
  /// a number of any length, and is taken only if an admin chose that.
  private static func signed(
    _ credential: Credential, _ settings: ProviderSettings
  ) throws -> (ids: [String], bundleIDs: [String]) {
    let bundleIDs = try settings.requiredList("bundleIDs")
    let named = credential.optional("bundleID")
    guard named.map({ bundleIDs.contains(where: $0.isExactly) }) != false else {
      throw credential.refused("The signature is for another app.", "bundleID")
    }
    let older = settings.flag("takesPlayerID") == true ? credential.optional("playerID") : nil
    let ids = [
      credential.optional("teamPlayerID").flatMap { $0.wholeMatch(of: /T:_[0-9A-Za-z]+/) }?.output,
      older.flatMap { $0.wholeMatch(of: /G:[0-9]+/) }?.output,
    ].compactMap { $0.map(String.init) }
    guard !ids.isEmpty else {
      throw credential.refused("There is no player's ID of an accepted form.", "teamPlayerID")
    }
    return (ids, named.map { [$0] } ?? bundleIDs)
  }

  private static let player = CredentialBuilder(
    "player",
    fields: [
      CredentialField("teamPlayerID", required: false, "the player's ID for your team"),
      CredentialField("playerID", required: false, "the player's ID before iOS 13.5"),
      CredentialField("publicKeyURL", type: .url, "the address of Apple's certificate"),
      CredentialField("signature", secret: true, "the signature in base64"),
      CredentialField("salt", "the salt in base64"),
      CredentialField("timestamp", "the time of the signature in milliseconds"),
      CredentialField("bundleID", required: false, "the app's bundle ID; any of yours by default"),
      CredentialField("displayName", required: false, "the player's name, which is not signed"),
    ])
}

extension ProviderID {
  package static let gameCenter = ProviderID("gc.apple.com")
}
