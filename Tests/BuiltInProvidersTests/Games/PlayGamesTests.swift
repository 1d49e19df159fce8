import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Testing
import TestSupport

@Suite struct `Play Games over loopback` {
  private func settings(
    _ games: FakePlayGames, _ more: [String: JSONValue] = [:]
  ) -> ProviderSettings {
    ProviderSettings(
      .playGames, games.providerValues.merging(more) { $1 },
      secrets: games.providerSecrets.mapValues { $0.reveal() })
  }

  private func withPlayGames(
    _ body: (FakePlayGames, DeclaredProvider) async throws -> Void
  ) async throws {
    try await overLoopback(to: try await FakePlayGames.start()) { games, transport in
      let provider = DeclaredProvider(
        .playGames, transport: transport, keys: KeyCache(transport: transport))
      try await body(games, provider)
    }
  }

  private func refusal(
    _ code: String, _ games: FakePlayGames, _ provider: DeclaredProvider
  ) async throws -> AuthError {
    try await provider.refusal(
      "serverAuthCode", ["serverAuthCode": code], settings(games), at: .now())
  }

  @Test func `a server auth code gives the player, not the Google account`() async throws {
    try await withPlayGames { games, provider in
      let identity = try await provider.verify(
        "serverAuthCode", ["serverAuthCode": games.serverAuthCode(for: .ada)], settings(games),
        at: .now())

      #expect(
        identity.key == IdentityKey(.playGames, subject: FakePlayGames.playerID(of: .ada)))
      #expect(identity.profile.displayName == FakePerson.ada.name)
      #expect(identity.profile.photoURL == FakePerson.ada.picture)
      #expect(identity.email == nil)
      let exchange = try #require(games.server.requests(to: "/token").first)
      #expect(exchange.form["redirect_uri"] == "")
      #expect(exchange.form["client_id"] == FakeClient.web.id)
      #expect(exchange.form["client_secret"] == FakeClient.web.secret)
      #expect(exchange.form["code_verifier"] == nil)
    }
  }

  @Test func `attack: a code works once`() async throws {
    try await withPlayGames { games, provider in
      let code = games.serverAuthCode(for: .ada)
      _ = try await provider.verify(
        "serverAuthCode", ["serverAuthCode": code], settings(games), at: .now())

      let error = try await refusal(code, games, provider)

      #expect(error.code == .invalidCredential)
      #expect(error.step == .exchange)
    }
  }

  @Test func `attack: a code of another game's client is refused by Google`() async throws {
    try await withPlayGames { games, provider in
      let code = games.serverAuthCode(for: .ada, clientID: FakeClient.foreign.id)

      let error = try await refusal(code, games, provider)

      #expect(error.code == .invalidCredential)
      #expect(error.step == .exchange)
    }
  }

  @Test func `attack 14: a token of another game is refused, and its player is never read`()
    async throws
  {
    try await withPlayGames { games, provider in
      // A client of the same Google project for another game.
      let secret = FakeClient.foreign.secret ?? ""
      let settings = ProviderSettings(
        .playGames,
        games.providerValues.merging(["clientID": .string(FakeClient.foreign.id)]) { $1 },
        secrets: ["clientSecret": secret])
      let code = games.serverAuthCode(for: .ada, clientID: FakeClient.foreign.id)

      let error = try await provider.refusal(
        "serverAuthCode", ["serverAuthCode": code], settings, at: .now())

      #expect(error.code == .invalidCredential)
      #expect(error.step == .token)
      #expect(games.server.requests(to: "/games/v1/players/me").isEmpty)
    }
  }

  @Test func `attack 19: another player's profile is refused`() async throws {
    try await withPlayGames { games, provider in
      games.misbehave { $0.profilePerson = .bo }

      let error = try await refusal(games.serverAuthCode(for: .ada), games, provider)

      #expect(error.code == .invalidCredential)
      #expect(error.step == .profile)
    }
  }

  @Test(arguments: ["applicationID", "clientID"])
  func `a provider that is not set up says which setting is missing`(
    _ field: String
  ) async throws {
    let vendor = ScriptedVendor([
      "https://oauth2.googleapis.com/token": { _ in
        .json(["access_token": "ya29.token", "token_type": "Bearer"])
      }
    ])
    let provider = DeclaredProvider(
      .playGames, transport: vendor, keys: KeyCache(transport: vendor, clock: { moment }))
    var values: [String: JSONValue] = ["applicationID": "4100000001", "clientID": "web"]
    values[field] = nil

    let error = try await provider.refusal(
      "serverAuthCode", ["serverAuthCode": "4/code"],
      ProviderSettings(.playGames, values, secrets: ["clientSecret": "the secret"]))

    #expect(error.code == .operationNotAllowed)
    #expect(error.field == field)
  }

  @Test func `the usual addresses are Google's, with the game's ID`() async throws {
    let verify = "https://games.googleapis.com/games/v1/applications/4100000001/verify"
    let player = "https://games.googleapis.com/games/v1/players/me"
    let vendor = ScriptedVendor([
      "https://oauth2.googleapis.com/token": { _ in
        .json(["access_token": "ya29.token", "token_type": "Bearer"])
      },
      verify: { _ in .json(["player_id": "g1"]) },
      player: { _ in .json(["playerId": "g1", "displayName": "Ada"]) },
    ])
    let provider = DeclaredProvider(
      .playGames, transport: vendor, keys: KeyCache(transport: vendor, clock: { moment }))

    let identity = try await provider.verify(
      "serverAuthCode", ["serverAuthCode": "4/code"],
      ProviderSettings(
        .playGames, ["applicationID": "4100000001", "clientID": "web"],
        secrets: ["clientSecret": "the secret"]))

    #expect(identity.key?.subject == "g1")
    for url in [verify, player] {
      let asked = try #require(vendor.requests(to: url).first)
      #expect(asked.headerField("Authorization") == "Bearer ya29.token")
    }
  }
}
