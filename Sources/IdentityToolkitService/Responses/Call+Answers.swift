import AuthCore
import SessionTokens

/// The tokens of a session as an answer has them.
struct WireTokens: Sendable {
  let idToken: String
  let refreshToken: String
  /// In seconds.
  let lifetime: Int64
  /// The uids that the account absorbed; nil without a merge.
  let mergedFrom: JSONValue?
}

/// The answer to a first factor that was right where a second one is asked for.
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

  /// The members `idToken`, `refreshToken` and `expiresIn` of an answer.
  ///
  /// After a merge also `mergedFrom`, the uids that the account absorbed, and `localId`, which may be another
  /// one than was asked about.
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

  /// The account as its record, as the one who asks may see it.
  func userRecord(_ account: Account) -> UserJSON {
    behavior.record(account, seesHashes: seesHashes)
  }

  func secondFactor(_ resolver: MultiFactorResolver) -> PendingSecondFactor {
    PendingSecondFactor(
      credential: behavior.text(of: PendingCredential(of: resolver, self), resolver, self),
      hints: .array(resolver.hints.map(\.hint)))
  }

  /// The members `mfaPendingCredential` and `mfaInfo` of an answer.
  func pendingSecondFactor(_ resolver: MultiFactorResolver) -> [String: JSONValue] {
    let pending = secondFactor(resolver)
    return ["mfaPendingCredential": .string(pending.credential), "mfaInfo": pending.hints]
  }
}
