import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

@Suite(.serialized) struct `Sign-ins of players` {
  private static let path = "/v1/accounts:signInWithGameCenter"

  /// Runs a server with Game Center.
  private func withGameCenter(
    _ body: @escaping @Sendable (Federation, FakeGameCenter) async throws -> Void
  ) async throws {
    try await withFederation(.production) { home in
      let clock = home.server.clock
      let games = try await FakeGameCenter.start(.init(clock: { clock.now }))
      _ = try await home.graph.configure(
        ProviderID("gc.apple.com"), values: games.providerValues, by: home.server.admin)
      try await body(home, games)
      await games.stop()
    }
  }

  /// The request as Firebase's client sends it.
  private func members(
    _ signature: FakeGameCenter.Signature, _ more: [String: JSONValue] = [:]
  ) -> JSONValue {
    let own: [String: JSONValue] = [
      "playerId": "G:1", "teamPlayerId": .string(signature.playerID), "gamePlayerId": "A:_1",
      "publicKeyUrl": .string(signature.publicKeyURL),
      "signature": .string(Base64.url.text(signature.signature)),
      "salt": .string(Base64.url.text(signature.salt)),
      "timestamp": .integer(signature.timestamp), "displayName": "Ada",
    ]
    return .object(own.merging(more) { $1 })
  }

  @Test func `a Game Center player signs in, and is known afterwards`() async throws {
    try await withGameCenter { home, games in
      let reply = try await home.server.post(Self.path, members(try games.signature(for: .ada)))

      expectTokens(reply)
      #expect(reply.json["isNewUser"] == true)
      #expect(reply.json["displayName"] == "Ada")
      #expect(reply.json["playerId"] == "G:1")
      #expect(reply.json["teamPlayerId"]?.stringValue == FakeGameCenter.playerID(of: .ada))
      #expect(reply.json["gamePlayerId"] == "A:_1")
      #expect(try home.claims(reply)["firebase"]?["sign_in_provider"] == "gc.apple.com")
      // The provider's ID is the signed one, whatever else was sent.
      #expect(
        try await home.stored(reply).identities.map(\.key.subject)
          == [FakeGameCenter.playerID(of: .ada)])
      let again = try await home.server.post(Self.path, members(try games.signature(for: .ada)))
      expectTokens(again)
      #expect(again.json["isNewUser"] == false)
      #expect(again.json["localId"] == reply.json["localId"])
    }
  }

  @Test func `a player is linked to the session, and to no second one`() async throws {
    try await withGameCenter { home, games in
      let session: JSONValue = .string(try await home.anonymousSession())
      let signature = try games.signature(for: .ada)

      let linked = try await home.server.post(
        Self.path, members(signature, ["idToken": session]))

      expectTokens(linked)
      #expect(linked.json["isNewUser"] == false)
      #expect(try await home.accountCount() == 1)
      let other: JSONValue = .string(try await home.anonymousSession())
      let refused = try await home.server.post(
        Self.path, members(try games.signature(for: .ada), ["idToken": other]))
      expectFailure(refused, "FEDERATED_USER_ID_ALREADY_LINKED")
    }
  }

  @Test func `attack: a signature is taken once, fresh, unchanged and for our app`() async throws {
    try await withGameCenter { home, games in
      let signature = try games.signature(for: .ada)
      expectTokens(try await home.server.post(Self.path, members(signature)))
      let now = home.server.clock.now

      let refused = [
        members(signature),
        members(try games.signature(for: .ada, at: now.adding(seconds: -601))),
        members(try games.signature(for: .ada, bundleID: "com.mallory.game")),
        members(
          try games.signature(for: .bo),
          ["teamPlayerId": .string(FakeGameCenter.playerID(of: .ada))]),
        members(
          try games.signature(for: .ada),
          ["publicKeyUrl": "https://mallory.example/public-key/gc-prod-10.cer"]),
        [:],
      ]
      for body in refused {
        expectFailure(try await home.server.post(Self.path, body), "INVALID_IDP_RESPONSE")
      }
      #expect(try await home.accountCount() == 1)
    }
  }

  @Test func `Game Center that is not set up is refused`() async throws {
    try await withFederation(.production) { home in
      for path in [
        Self.path, "/www.googleapis.com/identitytoolkit/v3/relyingparty/signInWithGameCenter",
      ] {
        let reply = try await home.server.post(path)
        expectFailure(
          reply, "OPERATION_NOT_ALLOWED : Signing in with Game Center is not enabled.")
      }
    }
  }

  @Test func `a Play Games player signs in with the code for the server`() async throws {
    try await withFederation(.production) { home in
      let clock = home.server.clock
      let games = try await FakePlayGames.start(.init(clock: { clock.now }))
      _ = try await home.graph.configure(
        ProviderID("playgames.google.com"), values: games.providerValues,
        secrets: games.providerSecrets, by: home.server.admin)
      func signIn(_ name: String, _ code: String) async throws -> Reply {
        try await home.signIn(
          postBody: URLText.form([("providerId", "playgames.google.com"), (name, code)]))
      }

      let code = games.serverAuthCode(for: .ada)
      let reply = try await signIn("code", code)

      expectTokens(reply)
      #expect(reply.json["federatedId"]?.stringValue == FakePlayGames.playerID(of: .ada))
      #expect(reply.json["displayName"]?.stringValue == FakePerson.ada.name)
      #expect(reply.json["email"] == nil)
      #expect(try home.claims(reply)["firebase"]?["sign_in_provider"] == "playgames.google.com")
      let again = try await signIn("serverAuthCode", games.serverAuthCode(for: .ada))
      #expect(again.json["localId"] == reply.json["localId"])
      expectFailure(try await signIn("code", code), "INVALID_IDP_RESPONSE")
      await games.stop()
    }
  }
}
