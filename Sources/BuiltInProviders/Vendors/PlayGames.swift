package import AuthCore

extension ProviderDeclaration {
  /// Google Play Games, by the server auth code that its SDK gives an app.
  ///
  /// The code's token is checked to be of our game before the player is read, because every game's token describes
  /// the player just as well. The identity is the player's ID, never the Google account's `sub`. Documentation:
  /// developer.android.com/games/pgs/android/server-access.
  package static var playGames: ProviderDeclaration {
    let games = "https://games.googleapis.com/games/v1"
    let application = RequestTemplate(
      url: URLTemplate(stringLiteral: "\(games)/applications/{applicationID}/verify"))
    let player = RequestTemplate(url: URLTemplate(stringLiteral: "\(games)/players/me"))
    var playGames = ProviderDeclaration(
      .playGames,
      ProviderManifest(
        name: "Google Play Games", kind: .oauth2,
        builders: [
          CredentialBuilder(
            "serverAuthCode",
            fields: [
              CredentialField(
                "serverAuthCode", secret: true, "the code for the server that the SDK gave the app")
            ])
        ],
        hosts: ["oauth2.googleapis.com", "games.googleapis.com"],
        configuration: [
          ConfigurationField(
            "applicationID", .text, required: true, namesSubjects: true,
            "the project ID of the game in the Play Console, which is a number"),
          ConfigurationField(
            "clientID", .text, required: true, "the web client's ID, not that of the Android app"),
          ConfigurationField("clientSecret", .secret, required: true, "the web client's secret"),
          .endpoints(["token", "verify", "player"]), .privateHosts,
        ]))
    playGames.verify = { credential, session in
      let client = OAuthClient(
        transport: session.network,
        endpoints: OAuthEndpoints(
          authorize: "",
          token: try session.endpoint("token", usually: "https://oauth2.googleapis.com/token"),
          privateHosts: session.privateHosts),
        clientID: try session.settings.required("clientID"),
        authentication: .body(try session.settings.requiredSecret("clientSecret")))
      // The SDK gets the code without a redirect.
      let tokens = try await client.exchange(
        code: try credential.required("serverAuthCode"), redirectURI: "", codeVerifier: nil)
      guard let token = tokens.accessToken else {
        throw refusedPlayer("Google gave no access token for the code.", .exchange)
      }
      let app = try await session.ask(application, at: "verify", with: token, step: .token)
      let profile = try await session.ask(player, at: "player", with: token, step: .profile)
      guard let subject = PersonName.said(app["player_id"]),
        profile["playerId"]?.stringValue?.isExactly(subject) == true
      else { throw refusedPlayer("Google describes another player than the code's.", .profile) }
      var identity = VerifiedIdentity(
        provider: .playGames, key: IdentityKey(.playGames, subject: subject), claims: profile)
      identity.profile.displayName = PersonName.said(profile["displayName"])
      identity.profile.photoURL = PersonName.said(profile["avatarImageUrl"])
      return identity
    }
    return playGames
  }

  private static func refusedPlayer(_ message: String, _ step: FlowStep) -> AuthError {
    AuthError(
      .invalidCredential, message, field: "serverAuthCode",
      remedy: "Request a new code of the game's web client from the SDK.", step: step)
  }
}

extension ProviderID {
  package static let playGames = ProviderID("playgames.google.com")
}
