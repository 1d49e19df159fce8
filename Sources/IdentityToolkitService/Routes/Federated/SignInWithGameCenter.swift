import AuthCore
import BuiltInProviders
import IdentityToolkit

extension FederatedHandler {
  /// Signs in or links with the signature of a Game Center player.
  func signInWithGameCenter() async throws -> Answer {
    guard try await settings().providers[ProviderID.gameCenter.rawValue] != nil else {
      throw WireError("OPERATION_NOT_ALLOWED", "Signing in with Game Center is not enabled.")
    }
    let signedIn = try await call.signedInIfAny()
    var fields: [String: String] = [:]
    for (name, field) in Self.gameCenterFields { fields[field] = try body.filled(name) }
    fields["timestamp"] = try body.integer("timestamp").map { String($0) }
    let credential = try graph.providers.credential(.gameCenter, fields)
    var answer: [String: JSONValue] = [:]
    for name in ["playerId", "teamPlayerId", "gamePlayerId"] {
      answer[name] = try body.filled(name).map(JSONValue.string)
    }
    do {
      let outcome = try await enter(credential, signedIn)
      answer["localId"] = .string(outcome.account.id.rawValue)
      answer["displayName"] = outcome.account.displayName.map(JSONValue.string)
      answer["isNewUser"] = .bool(outcome.isNewUser)
      answer.merge(try await outcome.tokens(call)) { first, _ in first }
    } catch let error as AuthError where error.code == .secondFactorRequired {
      guard let resolver = error.resolver else { throw error }
      answer["localId"] = resolver.account.map { .string($0.rawValue) }
      answer["isNewUser"] = false
      answer.merge(call.pendingSecondFactor(resolver)) { first, _ in first }
    }
    return .json(.object(answer))
  }

  /// The credential's fields by Firebase's names.
  private static let gameCenterFields = [
    "displayName": "displayName", "playerId": "playerID", "publicKeyUrl": "publicKeyURL",
    "salt": "salt", "signature": "signature", "teamPlayerId": "teamPlayerID",
  ]
}
