import AuthClient
import AuthCore
import AuthTesting
import FakeVendors
import Foundation
import Testing

/// The emulator has neither of the two, as Firebase's has not.
@Suite("Players on every backend of production") struct GamesTests {
  private func player(_ games: FakeGameCenter, _ person: FakePerson) throws -> AuthCredential {
    let signature = try games.signature(for: person)
    return GameCenterAuthProvider.credential(
      GameCenterPlayer(teamPlayerID: signature.playerID, displayName: person.name),
      publicKeyURL: try #require(URL(string: signature.publicKeyURL)),
      signature: Data(signature.signature), salt: Data(signature.salt),
      timestamp: UInt64(signature.timestamp))
  }

  @Test(arguments: Backend.production)
  func `a Game Center player signs in, links and signs in again`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let clock = home.clock
      let games = try await FakeGameCenter.start(.init(clock: { clock.now }))
      _ = try await home.graph.configure(
        ProviderID("gc.apple.com"), values: games.providerValues, by: home.admin)

      let made = try await home.auth.signIn(with: try player(games, .ada))

      #expect(made.user.providerIDs == ["gc.apple.com"])
      #expect(made.user.displayName == FakePerson.ada.name)
      #expect(made.additionalUserInfo?.providerID == "gc.apple.com")
      #expect(made.additionalUserInfo?.isNewUser == true)
      let again = try await home.another().signIn(with: try player(games, .ada))
      #expect(again.user.uid == made.user.uid)
      #expect(again.additionalUserInfo?.isNewUser == false)
      _ = try await made.user.reauthenticate(with: try player(games, .ada))

      let other = try await home.another().signInAnonymously().user
      try await expectError(.credentialAlreadyInUse) {
        try await other.link(with: try player(games, .ada))
      }
      _ = try await other.link(with: try player(games, .bo))
      #expect(other.providerIDs == ["gc.apple.com"])
      await games.stop()
    }
  }

  @Test(arguments: Backend.production)
  func `a Play Games player signs in with the code for the server`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let clock = home.clock
      let games = try await FakePlayGames.start(.init(clock: { clock.now }))
      _ = try await home.graph.configure(
        ProviderID("playgames.google.com"), values: games.providerValues,
        secrets: games.providerSecrets, by: home.admin)

      let made = try await home.auth.signIn(
        with: PlayGamesAuthProvider.credential(serverAuthCode: games.serverAuthCode(for: .ada)))

      #expect(made.user.providerIDs == ["playgames.google.com"])
      #expect(made.user.providerData.first?.uid == FakePlayGames.playerID(of: .ada))
      #expect(made.user.displayName == FakePerson.ada.name)
      await games.stop()
    }
  }
}
