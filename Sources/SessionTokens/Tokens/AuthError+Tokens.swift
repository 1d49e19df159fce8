import AuthCore

/// The errors of tokens. None states which check failed or shows the token's content.
extension AuthError {
  static let invalidUserToken = AuthError(
    .invalidUserToken, "The token is malformed, or not of this project.", field: "idToken",
    remedy: "Sign in again.", step: .token)

  static let userTokenExpired = AuthError(
    .userTokenExpired, "The token has expired.", field: "idToken",
    remedy: "Get a new one with the refresh token.", step: .token)

  static let invalidRefreshToken = AuthError(
    .invalidRefreshToken, "The refresh token is malformed, or was never issued.",
    field: "refreshToken", remedy: "Sign in again.", step: .token)

  static let accountDeleted = AuthError(
    .userNotFound, "The session's account was deleted.", field: "refreshToken",
    remedy: "Sign in again.", step: .token)

  static let tokenTooLarge = AuthError(
    .claimsTooLarge, "The account's identities and claims do not fit into a token.",
    field: "customClaims", remedy: "An admin has to remove claims or identities.", step: .token)

  static let sessionWasNotOpened = AuthError(
    .internalError, "The session was not committed with the change that allows it.",
    remedy: "Make the graph with graph.openingSessions(by: tokens).", step: .token)

  static let tokensOfAnotherAccount = AuthError(
    .internalError, "The session is another account's.", step: .token)
}
