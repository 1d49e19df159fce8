import AuthCore
import SessionTokens

extension Call {
  /// The members `idToken`, `refreshToken` and `expiresIn` of an answer.
  ///
  /// After a merge also `mergedFrom`, the uids that the account absorbed, and `localId`, which may be another
  /// one than was asked about.
  func tokens(
    for grant: SessionGrant, _ account: Account, mergedFrom: [AccountID] = []
  ) async throws -> [String: JSONValue] {
    let tokens = try await services.tokens.issue(grant, account, mergedFrom: mergedFrom)
    var members: [String: JSONValue] = [
      "idToken": .string(tokens.idToken.reveal()),
      "refreshToken": .string(tokens.refreshToken.reveal()),
      "expiresIn": .string(String(tokens.lifetime)),
    ]
    if !mergedFrom.isEmpty {
      members["mergedFrom"] = .array(mergedFrom.map { .string($0.rawValue) })
      members["localId"] = .string(account.id.rawValue)
    }
    return members
  }

  /// The answer to a first factor that was right where a second one is asked for.
  func pendingSecondFactor(_ resolver: MultiFactorResolver) -> [String: JSONValue] {
    [
      "mfaPendingCredential": .string(PendingCredential.text(of: resolver, self)),
      "mfaInfo": .array(resolver.hints.map(\.hint)),
    ]
  }
}
