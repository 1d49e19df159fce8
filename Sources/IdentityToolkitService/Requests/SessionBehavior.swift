import AuthCore
import IdentityToolkit
import SessionTokens

/// The tokens of sessions: what they are worth, and what ends them.
protocol SessionBehavior: Sendable {
  /// Whether a token's session was over when the account's sessions were ended.
  func isOver(_ token: IDToken, since validSince: Timestamp) -> Bool
  /// Returns what a token's session hangs on.
  func standing(of token: IDToken, on account: Account) -> IDToken.Standing
  /// Returns what a refresh token shows of the mark that its session began under.
  func shown(_ mark: SessionMark?) -> ShownMark
  /// The answer to a refresh token of an account that is gone.
  var sessionOfNobody: WireError { get }
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
  var sessionOfNobody: WireError { WireError("USER_NOT_FOUND") }

  func checkKeys(_ services: ServerServices, project: String) async throws {
    _ = try await services.tokens.publication.keySet(.idToken, project: project)
  }
}
