import AuthCore
import SessionTokens

/// The tokens of a session as an answer holds them.
struct WireTokens: Sendable {
  let idToken: String
  let refreshToken: String
  /// In seconds.
  let lifetime: Int64
  /// The uids that the account absorbed; nil without a merge.
  let mergedFrom: JSONValue?
}

/// The answer to a valid first factor if a second factor is required.
struct PendingSecondFactor: Sendable {
  let credential: String
  let hints: JSONValue
}

extension Call {
  func wireTokens(
    for grant: SessionGrant, _ account: Account, mergedFrom: [AccountID] = []
  ) async throws -> WireTokens {
    let tokens = try await services.tokens.issue(grant, account)
    return WireTokens(
      idToken: tokens.idToken.reveal(), refreshToken: tokens.refreshToken.reveal(),
      lifetime: tokens.lifetime,
      mergedFrom: mergedFrom.isEmpty ? nil : .array(mergedFrom.map { .string($0.rawValue) }))
  }

  /// Returns the members `idToken`, `refreshToken` and `expiresIn` of an answer.
  ///
  /// After a merge it adds `mergedFrom`, the uids that the account absorbed, and `localId`, which may differ from the
  /// account that the request named.
  func tokens(
    for grant: SessionGrant, _ account: Account, mergedFrom: [AccountID] = []
  ) async throws -> [String: JSONValue] {
    let tokens = try await wireTokens(for: grant, account, mergedFrom: mergedFrom)
    var members: [String: JSONValue] = [
      "idToken": .string(tokens.idToken), "refreshToken": .string(tokens.refreshToken),
      "expiresIn": .string(String(tokens.lifetime)),
    ]
    if let mergedFrom = tokens.mergedFrom {
      members["mergedFrom"] = mergedFrom
      members["localId"] = .string(account.id.rawValue)
    }
    return members
  }

  /// Returns the account's record as the caller may see it.
  func userRecord(_ account: Account) -> UserJSON {
    behavior.record(account, seesHashes: seesHashes)
  }

  func secondFactor(_ resolver: SecondFactorResolver) -> PendingSecondFactor {
    PendingSecondFactor(
      credential: behavior.text(of: PendingCredential(of: resolver, self), resolver, self),
      hints: .array(resolver.hints.map(\.hint)))
  }

  /// The members `mfaPendingCredential` and `mfaInfo` of an answer.
  func pendingSecondFactor(_ resolver: SecondFactorResolver) -> [String: JSONValue] {
    let pending = secondFactor(resolver)
    return ["mfaPendingCredential": .string(pending.credential), "mfaInfo": pending.hints]
  }
}
