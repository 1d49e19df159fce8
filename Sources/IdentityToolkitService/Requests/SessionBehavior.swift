import AuthCore
import IdentityToolkit
import SessionTokens

/// Decisions on the tokens of sessions: their validity, and how they end.
protocol SessionBehavior: Sendable {
  /// Tells whether a token's session ended when the account's sessions were revoked.
  func isOver(_ token: IDToken, since validSince: Timestamp) -> Bool
  /// Returns the identity or other state that a token's session depends on.
  func standing(of token: IDToken, on account: Account) -> IDToken.Standing
  /// Returns the part of the session's mark that a refresh token shows.
  func shown(_ mark: SessionMark?) -> ShownMark
  /// The answer to a refresh token of an account that is gone.
  var sessionWithoutAccount: WireError { get }
  /// Checks that tokens can be signed.
  func checkKeys(_ services: ServerServices, project: String) async throws
}

extension SessionBehavior {
  func isOver(_ token: IDToken, since validSince: Timestamp) -> Bool {
    token.authTime < validSince
  }

  func standing(of token: IDToken, on account: Account) -> IDToken.Standing {
    token.standing(on: account)
  }

  func shown(_ mark: SessionMark?) -> ShownMark { .of(mark) }
  var sessionWithoutAccount: WireError { WireError("USER_NOT_FOUND") }

  func checkKeys(_ services: ServerServices, project: String) async throws {
    _ = try await services.tokens.publication.keySet(.idToken, project: project)
  }
}
