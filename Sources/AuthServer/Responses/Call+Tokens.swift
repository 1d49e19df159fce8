import AuthCore
import SessionTokens

extension Call {
  /// The members `idToken`, `refreshToken` and `expiresIn` of an answer.
  func tokens(
    for grant: SessionGrant, _ account: Account, mergedFrom: [AccountID] = []
  ) async throws -> [String: JSONValue] {
    let tokens = try await services.tokens.issue(grant, account, mergedFrom: mergedFrom)
    return [
      "idToken": .string(tokens.idToken.reveal()),
      "refreshToken": .string(tokens.refreshToken.reveal()),
      "expiresIn": .string(String(tokens.lifetime)),
    ]
  }

  /// The answer to a first factor that was right where a second one is asked for.
  func pendingSecondFactor(_ resolver: MultiFactorResolver) -> [String: JSONValue] {
    let factors = resolver.hints.map { hint -> JSONValue in
      var factor: [String: JSONValue] = ["mfaEnrollmentId": .string(hint.id)]
      if let name = hint.displayName { factor["displayName"] = .string(name) }
      if let enrolledAt = hint.enrolledAt { factor["enrolledAt"] = .string(enrolledAt) }
      if let number = hint.phoneNumber { factor["phoneInfo"] = .string(number) }
      if hint.factorID == "totp" { factor["totpInfo"] = .object([:]) }
      return .object(factor)
    }
    return ["mfaPendingCredential": .string(resolver.session), "mfaInfo": .array(factors)]
  }
}
